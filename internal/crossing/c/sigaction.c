//go:build ignore

// What C, and Go, say of signals: who handles them, which are blocked, and where handlers run. The program
// defines sigaction and its kind (names.c).

#if INTERPOSES
#define REAL_SIGACTION ((int (*)(int, const struct sigaction *, struct sigaction *))_wherry_real(&_wherry_reals[0]))

#if HOLDS
// stand_before_signals puts on_signal before Go's handlers, when the first thread is to hold its P.
// Those that Go installs later have it too.
static void stand_before_signals(void) {
	void *go = (void *)_wherry_urgent.go.sa_sigaction;
	for (int sig = 1; sig < NSIG; sig++) {
		struct sigaction ours, was;
		if (!stands_before(sig) || REAL_SIGACTION(sig, NULL, &ours) != 0 || (void *)ours.sa_sigaction != go)
			continue;
		ours.sa_sigaction = on_signal;
		if (REAL_SIGACTION(sig, &ours, &was) == 0 && (void *)was.sa_sigaction != go)
			REAL_SIGACTION(sig, &was, NULL); // somebody has installed another one meanwhile
	}
}
#else
typedef void (*handler)(int);
static handler before_handler(int sig, handler f) { return (void)sig, f; }
static handler handler_of(handler f) { return f; }
#endif

enum { ANSWERS = 100000000, MOST_THREADS = 100000 }; // so many nanoseconds threads have to answer

extern char *_wherry_allm HIDDEN; // runtime.allm

// ask_in_flight sends SIGURG to the other threads in whose calls C runs, and returns how many there are.
// The runtime's list changes meanwhile, and memory of a thread that has ended may be something else.
static long ask_in_flight(void) {
	long process = ask_kernel(SYS_getpid, 0, 0, 0, 0, 0, 0), own = ask_kernel(SYS_gettid, 0, 0, 0, 0, 0, 0);
	volatile long asked = 0, n = 0;
	UNLESS_FAULT(
		for (char *m = AT(char *volatile, &_wherry_allm, 0); m != NULL && n < MOST_THREADS; m = AT(char *volatile, m, M_ALLLINK)) {
			n = n + 1;
			if (is_marked(m) && AT(long, m, M_PROCID) != own)
				asked = asked + (ask_kernel(SYS_tgkill, process, AT(long, m, M_PROCID), SIGURG, 0, 0, 0) == 0);
		}
	);
	return asked;
}

// ask_threads has the calls turned that are in flight, and threads that hold their P give it back, while
// somebody can ask for it: again and again, since a thread in wherry's own assembly does not listen, for a
// tenth of a second, since one may block the signal. No other thread is sent one: its waits would end. After the
// first pause a stub that has taken the fast way has marked its call.
static void ask_threads(void) {
	const struct timespec pause = {0, ANSWERS / 1000};
	long begin = now();
	do
		ask_kernel(SYS_nanosleep, (long)&pause, 0, 0, 0, 0, 0);
	while (ask_in_flight() > 0 && now() - begin < ANSWERS);
}

// _wherry_gives_up_urgent: C, or Go, is about to say what becomes of SIGURG. It finds Go's handler
// there, and wherry does without. A child by vfork has handlers of its own, but not its memory.
SHARED void _wherry_gives_up_urgent(void) {
	enum { LEAVES = 1, HAS_LEFT };
	int *leaving = &_wherry_urgent.leaving, none = 0, saved = errno;
	if (!_wherry_urgent.started || (_wherry_urgent.deaf && __atomic_load_n(leaving, __ATOMIC_ACQUIRE) != LEAVES))
		return;
	if (!is_this_thread()) {
		REAL_SIGACTION(SIGURG, &_wherry_urgent.go, NULL);
	} else if (__atomic_compare_exchange_n(leaving, &none, LEAVES, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) {
		turn_now(BY_BLOCKING);
		go_deaf("SIGURG is to have another handler, other flags, or none");
		ask_threads();
		REAL_SIGACTION(SIGURG, &_wherry_urgent.go, NULL);
		__atomic_store_n(leaving, HAS_LEFT, __ATOMIC_RELEASE);
	} else { // another thread is at it, or was, or a handler has interrupted this one there
		for (long begin = now(); __atomic_load_n(leaving, __ATOMIC_ACQUIRE) == LEAVES && now() - begin < 2 * ANSWERS;)
			ask_kernel(SYS_sched_yield, 0, 0, 0, 0, 0, 0);
	}
	errno = saved;
}

// is_gos reports whether Go's handler of SIGURG is to be there as it is: signal.Notify has it so, and
// C that puts back what it has saved. Signals that nobody can block are in no mask.
static int is_gos(const struct sigaction *act) {
	enum { RESTORER = 0x4000000 }; // SA_RESTORER, which headers do not name
	const unsigned long never = 1ul << (SIGKILL - 1) | 1ul << (SIGSTOP - 1) | 3ul << (32 - 1); // the last are the C library's
	const struct sigaction *go = &_wherry_urgent.go;
	return act->sa_sigaction == go->sa_sigaction && ((act->sa_flags ^ go->sa_flags) & ~RESTORER) == 0 &&
		((*(const unsigned long *)&act->sa_mask ^ *(const unsigned long *)&go->sa_mask) & ~never) == 0;
}

// _wherry_to_install returns what is to be installed for a handler.
SHARED handler _wherry_to_install(int sig, handler f) {
	if (sig == SIGURG)
		_wherry_gives_up_urgent();
	return before_handler(sig, f);
}

// _wherry_installed returns what C sees of a handler that was installed.
SHARED handler _wherry_installed(handler f) { return handler_of(f); }

// _wherry_sigaction is the program's sigaction. Go's runtime installs handlers by way of this too.
SHARED int _wherry_sigaction(int sig, const struct sigaction *act, struct sigaction *old) {
	struct sigaction ours;
	if (sig == SIGURG && act != NULL) {
		if (_wherry_urgent.started && !_wherry_urgent.deaf && is_gos(act))
			act = NULL;
		else
			_wherry_gives_up_urgent();
	}
	if (act != NULL) {
		ours = *act;
		ours.sa_handler = before_handler(sig, act->sa_handler);
		if (ours.sa_sigaction == on_sample) // as start_traces
			remove_signal(&ours.sa_mask, SIGSEGV), remove_signal(&ours.sa_mask, SIGBUS);
	}
	int result = REAL_SIGACTION(sig, act != NULL ? &ours : NULL, old);
	if (result != 0 || old == NULL)
		return result;
	if (old->sa_sigaction == on_sample) // Go has all signals blocked
		sigaddset(&old->sa_mask, SIGSEGV), sigaddset(&old->sa_mask, SIGBUS);
	if (old->sa_sigaction == on_urgent)
		*old = _wherry_urgent.go;
	old->sa_handler = handler_of(old->sa_handler);
	return result;
}

// _wherry_is_unseen: a library is opened that finds the C library before the program.
SHARED void _wherry_is_unseen(void) {
	_wherry_urgent.unseen = 1;
	if (_wherry_urgent.started && !_wherry_urgent.off)
		stay_on_cgo(unseen);
}

// _wherry_cancels: the first time that a thread is to be canceled calls in flight are turned, which may be
// about to wait where that ends them. From then on they are turned before.
SHARED void _wherry_cancels(void) {
	static int asked;
	if (!_wherry_urgent.started || __atomic_load_n(&asked, __ATOMIC_ACQUIRE))
		return;
	int saved = errno;
	__atomic_store_n(&_wherry_looks_at_none, 1, __ATOMIC_SEQ_CST);
	if (!_wherry_urgent.deaf && is_this_thread())
		ask_threads();
	__atomic_store_n(&asked, 1, __ATOMIC_RELEASE); // not before: another thread may cancel meanwhile, and asks, too
	errno = saved;
}

// _wherry_may_end: C lets its thread be canceled at any time, also in later calls of a goroutine. One of C's own
// gives its P back when it ends.
SHARED void _wherry_may_end(void) {
	if (_wherry_urgent.started && !_wherry_urgent.off && _wherry_thread.active != &_wherry_thread.held && in_c())
		stay_on_cgo("C lets its thread be canceled at any time");
}

// is_thread_of_c reports whether C runs on a thread that C created, and no goroutine has called it.
static int is_thread_of_c(void) {
	char *g = _wherry_getg();
	return g == NULL || AT(char, AT(char *, g, G_M), M_ISEXTRAINC);
}

// in_turned_call reports whether C runs in a call that was turned, not through cgo: thread.turned may be
// of a call that a panic has left.
static int in_turned_call(void) {
	char *own = _wherry_getg(), *g = own != NULL ? AT(char *, AT(char *, own, G_M), M_CURG) : NULL;
	return g != NULL && AT(size_t, g, G_SYSCALLPC) == ~_wherry_turned_where;
}

// _wherry_keeps_urgent reports whether SIGURG is to be left out of a change of the thread's mask.
// A call that is turned needs no signal, so C may block SIGURG until its end, and wait for it; and so
// may C on a thread of its own. Callbacks unblock it while Go runs (callback.c).
// After a call through cgo wherry could not unblock it, and nobody could ask for the thread.
SHARED int _wherry_keeps_urgent(int how, const sigset_t *set) {
	if (_wherry_urgent.off)
		return 0;
	thread *t = &_wherry_thread;
	int named = has_signal(set, SIGURG), saved = errno, keeps = 0;
	if (how == SIG_UNBLOCK || !named) {
		if (t->masked && (named || how == SIG_SETMASK))
			t->masked = 0;
	} else if (stop_holding() || is_thread_of_c()) {
		t->masked = 1;
	} else if (in_c()) {
		keeps = !turn_now(BY_BLOCKING) && !in_turned_call();
		if (!keeps)
			t->masked = 1;
		if (t->turned != NULL)
			t->turned->tolerance = NEVER;
	}
	errno = saved;
	return keeps;
}

// _wherry_sigaltstack: C says where its thread's handlers run. Through cgo the runtime sends no
// signal while C runs, so C may take a stack that is too small for Go's handler.
SHARED int _wherry_sigaltstack(int (*real)(const stack_t *, stack_t *), const stack_t *stack, stack_t *old) {
	thread *t = &_wherry_thread;
	stack_t now;
	int saved = errno;
	if (stack != NULL)
		turn_now(BY_BLOCKING);
	errno = saved;
	int result = real(stack, old);
	if (stack == NULL || result != 0 || !in_c() || (t->active == &t->held && t->held.c_sp == TURNED))
		return result;
	t->elsewhere = 1;
	if (!in_turned_call() && !_wherry_urgent.off && real(NULL, &now) == 0 && is_small(&now)) // nobody looks at its end
		stay_on_cgo(small);
	errno = saved;
	return result;
}
#else
#define REAL_SIGACTION sigaction
#endif

// look_after_handler notices, now and then, that another handler of SIGURG was
// installed in a way that does not come by our sigaction: by a host program, or by the
// system call.
static void look_after_handler(void) {
	struct sigaction now;
	if (++_wherry_thread.looked % 64 != 1 || _wherry_urgent.deaf || !_wherry_urgent.started)
		return;
	if (REAL_SIGACTION(SIGURG, NULL, &now) == 0 && now.sa_sigaction != on_urgent)
		go_deaf("another handler of SIGURG has taken the place of wherry's");
}
