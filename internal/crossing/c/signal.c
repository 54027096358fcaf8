//go:build ignore

// The signal by which Go's runtime asks a thread to stop its goroutine, SIGURG. Our
// handler stands before Go's. Once C, or Go, has something else become of the signal, that is in the
// kernel as they say it, and wherry does without.

// in_system_call reports whether a thread was interrupted in a system call: before it
// is entered again, or after it was ended.
static int in_system_call(const char *pc) {
	size_t in_page = (size_t)pc & 4095;
	if (in_page < 4 || in_page > 4092)
		return 0; // what is beside it may not be there
#if defined(__x86_64__)
	return memcmp(pc - 2, "\x0f\x05", 2) == 0 || memcmp(pc, "\x0f\x05", 2) == 0; // syscall
#else
	return memcmp(pc - 4, "\x01\x00\x00\xd4", 4) == 0 || memcmp(pc, "\x01\x00\x00\xd4", 4) == 0; // svc #0
#endif
}

// The runtime sends a thread no signal as long as one that it has sent before was not
// acknowledged. Of a thread that C created Go's handler acknowledges none that comes between
// two callbacks; and what the runtime knows of one that has ended goes to the next one, also
// that a signal is under way that nobody sees. For Go code that is late preemption. A call in
// flight would not be turned: C may wait for Go for ever.

// acknowledge comes after Go's handler, which looks away also where Go code ignores the signal.
// A signal too many is sent at worst.
static void acknowledge(void) {
	char *g = _wherry_getg(), *m = g != NULL ? AT(char *, g, G_M) : NULL;
	if (m != NULL)
		AT(unsigned, m, M_SIGNALPENDING) = 0;
}

// bind_thread comes when a thread that C created calls Go for the first time.
static void bind_thread(void *g0) {
	AT(unsigned, AT(char *, g0, G_M), M_SIGNALPENDING) = 0;
	_wherry_urgent.bind(g0);
}

// may_interrupt reports whether a signal has interrupted code that may be turned: not our own
// assembly, which is to end first, nor a handler that may have interrupted that.
static int may_interrupt(const ucontext_t *u) {
	const char *pc = PC_OF(u);
	return !_wherry_thread.busy && !(pc >= __start_wherry_text && pc < __stop_wherry_text) && !in_handler(SP_OF(u), &u->uc_stack);
}

// interrupted_call is in_flight, of the call whose C a signal has interrupted where it may be turned.
static char *interrupted_call(const ucontext_t *u, record **r) {
	char *g = may_interrupt(u) ? in_flight(r) : NULL;
	return g != NULL && !is_of_goroutine(g, SP_OF(u)) ? g : NULL;
}

// on_urgent comes with Go's handler, which goes first: somebody wants this
// thread's goroutine to stop. Our own assembly it lets end; the runtime asks again.
static void on_urgent(int sig, siginfo_t *info, void *context) {
	check_no_alignment();
	int saved = errno;
	_wherry_urgent.go.sa_sigaction(sig, info, context);
	acknowledge();
	const ucontext_t *u = context;
	record *r;
	char *g;
	if ((g = interrupted_call(u, &r)) != NULL) {
		turn(g, r, BY_SIGNAL);
		call *c = _wherry_thread.turned;
		int waits = in_system_call(PC_OF(u)); // of C's own, perhaps: the signal ends that
		if (waits && r == &_wherry_thread.held) {
			hold_was_wrong(&_wherry_thread.holding, "C waits by a system call of its own");
		} else if (waits && c != NULL) {
			c->suspicion = CONVINCED;
			suspect(c);
		}
	}
	__atomic_fetch_add(&_wherry_urgent.came, 1, __ATOMIC_RELEASE);
	errno = saved;
}

static void enter_turned(call *c) { __atomic_store_n(&c->target, (const void *)_wherry_turn_first, __ATOMIC_RELAXED); }

// stay_on_cgo has calls turned before they begin, since later would be too late: all but
// those that are proved to be short, or that a rule calls otherwise. Nothing makes them fast again.
static void stay_on_cgo(const char *why) {
	_wherry_urgent.off = 1;
	for (call *c = __start_wherry_calls; c < __stop_wherry_calls; c++)
		if (!(c->flags & (BY_USER | ALWAYS))) // the stub of a short one does not say which call it is
			enter_turned(c);
	for (call *c = __atomic_load_n(&_wherry_bound, __ATOMIC_ACQUIRE); c != NULL; c = c->next)
		enter_turned(c);
	says("calls go through cgo", why, NULL);
	const char *verbose = secure_getenv("WHERRY_VERBOSE");
	if (verbose != NULL && strcmp(verbose, "0") != 0)
		fprintf(stderr, "wherry: calls go through cgo: %s\n", why);
}

// switch_off has everything go the way that cgo goes, also what is proved to be short and
// what a rule calls otherwise. Calls in flight end as they began.
static void switch_off(const char *why) {
	stay_on_cgo(why);
	for (call *c = __start_wherry_calls; c < __stop_wherry_calls; c++)
		if (c->off != NULL)
			__atomic_store_n(&c->target, c->off, __ATOMIC_RELAXED);
}

// is_switched_off reports whether WHERRY=off is in the environment.
static int is_switched_off(void) {
	const char *text = secure_getenv("WHERRY");
	if (text == NULL || strcmp(text, "") == 0 || strcmp(text, "on") == 0)
		return 0;
	if (strcmp(text, "off") != 0)
		fprintf(stderr, "wherry: WHERRY=%.40s: want off or on; this program goes on without it\n", text);
	return strcmp(text, "off") == 0;
}

#if BY_GO_BUILD
static void watch_tracebacks(void) {}
#else
// What runtime.SetCgoTraceback calls, a variable of the runtime's.
extern void (*_wherry_set_traceback)(void *functions) HIDDEN;
static void (*set_traceback)(void *functions);

static void sets_traceback(void *functions) {
	switch_off("runtime.SetCgoTraceback was called");
	set_traceback(functions);
}

// watch_tracebacks: functions that show C's frames in profiles, crashes and callbacks are
// asked by the runtime for calls of cgo's alone.
static void watch_tracebacks(void) {
	if (_wherry_set_traceback == NULL)
		return;
	set_traceback = _wherry_set_traceback;
	_wherry_set_traceback = sets_traceback;
}
#endif

// go_deaf: the signal does not come to wherry.
static void go_deaf(const char *why) {
	_wherry_urgent.deaf = 1;
	stay_on_cgo(why);
}

static const char unseen[] = "a library is opened by RTLD_DEEPBIND or dlmopen, and its waits would end with EINTR";

#if BY_GO_BUILD // set before the start
SHARED void (**_wherry_bindm)(void *);
SHARED int _wherry_preemption_is_off;
static int preemption_is_off(void) { return _wherry_preemption_is_off; }
#else
extern void (*_wherry_cgo_bindm)(void *) HIDDEN; // _cgo_bindm
#define _wherry_bindm (&_wherry_cgo_bindm)
extern char _wherry_debug[] HIDDEN; // runtime.debug

// GODEBUG says so, or what stands for it in the program.
static int preemption_is_off(void) { return AT(volatile int, _wherry_debug, DEBUG_ASYNCPREEMPTOFF) != 0; }
#endif

// _wherry_turns reports whether calls of package direct can be turned, by a signal or before
// they begin.
SHARED int _wherry_turns(void) { return _wherry_urgent.started; }

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

// ask_threads has the calls turned that are in flight on C stacks, and threads that hold their P give
// it back, while somebody can ask for it. No other thread is sent a signal: its waits would end. Calls
// on threads' system stacks, which nobody lists, keep their P until they end.
static void ask_threads(void) {
	enum { PATIENCE = 100000000 }; // nanoseconds: a thread may block the signal
	if (_wherry_thread.busy)
		return; // a handler of C's, which has interrupted who has the lock
	long process = ask_kernel(SYS_getpid, 0, 0, 0, 0, 0, 0), asked = 0;
	long came = __atomic_load_n(&_wherry_urgent.came, __ATOMIC_ACQUIRE), begin = now();
	lock();
	for (thread *t = _wherry_pool.threads; t != NULL; t = t->next)
		if (t != &_wherry_thread && *(void *volatile *)&t->active->c_sp == NULL)
			asked += ask_kernel(SYS_tgkill, process, t->id, SIGURG, 0, 0, 0) == 0;
	unlock();
	while (__atomic_load_n(&_wherry_urgent.came, __ATOMIC_ACQUIRE) - came < asked && now() - begin < PATIENCE)
		ask_kernel(SYS_sched_yield, 0, 0, 0, 0, 0, 0);
}

// _wherry_gives_up_urgent: C, or Go, is about to say what becomes of SIGURG. It finds Go's handler
// there, and wherry does without. A child by vfork has handlers of its own, but not its memory.
SHARED void _wherry_gives_up_urgent(void) {
	if (!_wherry_urgent.started || _wherry_urgent.deaf)
		return;
	int saved = errno;
	if (is_this_thread()) {
		turn_now(BY_BLOCKING);
		go_deaf("SIGURG is to have another handler, other flags, or none");
		ask_threads();
	}
	REAL_SIGACTION(SIGURG, &_wherry_urgent.go, NULL);
	errno = saved;
}

// is_gos reports whether Go's handler of SIGURG is to be there as it is: signal.Notify has it so, and
// C that puts back what it has saved.
static int is_gos(const struct sigaction *act) {
	enum { RESTORER = 0x4000000 }; // SA_RESTORER, which headers do not name
	const struct sigaction *go = &_wherry_urgent.go;
	return act->sa_sigaction == go->sa_sigaction && ((act->sa_flags ^ go->sa_flags) & ~RESTORER) == 0;
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

// _wherry_keeps_urgent reports whether SIGURG is to be left out of a change of the thread's mask.
// A call that is turned needs no signal, so C may block SIGURG until its end, and wait for it.
// After a call through cgo wherry could not unblock it, and nobody could ask for the thread.
SHARED int _wherry_keeps_urgent(int how, const sigset_t *set) {
	if (_wherry_urgent.off)
		return 0;
	thread *t = &_wherry_thread;
	int named = has_signal(set, SIGURG), saved = errno, keeps = 0;
	if (how == SIG_UNBLOCK || !named) {
		if (t->masked && (named || how == SIG_SETMASK))
			t->masked = 0;
	} else if (!stop_holding() && in_c()) {
		if (turn_now(BY_BLOCKING) || t->turned != NULL)
			t->masked = 1;
		else
			keeps = 1;
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
	if (t->turned == NULL && !_wherry_urgent.off && real(NULL, &now) == 0 && is_small(&now)) // nobody looks at its end
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

// Where errno is from the thread pointer, for the twins of internal/build/accel. The C
// library has it in each thread's static storage, so that is the same in all.
SHARED long _wherry_errno_place;

static char *thread_pointer(void) {
	char *pointer;
#if defined(__x86_64__)
	__asm__("mov {%%fs:0, %0|%0, QWORD PTR fs:0}" : "=r"(pointer));
#else
	__asm__("mrs %0, tpidr_el0" : "=r"(pointer));
#endif
	return pointer;
}

// check_setg sees whether the thread's g is where _wherry_setg puts it. A handler that came
// meanwhile would find none.
static void check_setg(void) {
	unsigned long all = ~0ul, before; // as the kernel has them
	char *g = _wherry_getg();
	change_mask(SIG_SETMASK, &all, &before);
	_wherry_setg(NULL);
	char *none = _wherry_getg();
	_wherry_setg(g);
	if (none != NULL || _wherry_getg() != g)
		bug("wherry: BUG: runtime.load_g does not show where Go keeps g\n");
	change_mask(SIG_SETMASK, &before, NULL);
}

// can_ask reports whether the runtime's signals come: a filter of system calls may refuse to send
// them, and the runtime does not look.
static int can_ask(void) {
	long process = ask_kernel(SYS_getpid, 0, 0, 0, 0, 0, 0), thread = ask_kernel(SYS_gettid, 0, 0, 0, 0, 0, 0);
	return ask_kernel(SYS_tgkill, process, thread, 0, 0, 0, 0) == 0;
}

static int is_limited(long what) {
	struct rlimit limit;
	return ask_kernel(SYS_prlimit64, 0, what, 0, (long)&limit, 0, 0) == 0 && limit.rlim_cur != RLIM_INFINITY;
}

// _wherry_start runs when the runtime has installed its handler, before the first
// package that calls C is initialized.
SHARED void _wherry_start(void) {
	while (__atomic_exchange_n(&_wherry_urgent.lock, 1, __ATOMIC_ACQUIRE))
		sched_yield();
	if (!_wherry_urgent.started) {
		int saved = errno;
		_wherry_urgent.started = 1;
		_wherry_thread.busy++; // nothing turns this call, in which there is no handler at first
		_wherry_pool.bounded = is_limited(RLIMIT_AS) || is_limited(RLIMIT_DATA);
		check_setg();
		watch_tracebacks();
		_wherry_errno_place = (char *)&errno - thread_pointer();
		if (*_wherry_bindm != NULL) {
			_wherry_urgent.bind = *_wherry_bindm;
			*_wherry_bindm = bind_thread;
		}
		struct sigaction go = {0};
		REAL_SIGACTION(SIGURG, NULL, &go);
		stand_before_faults((void *)go.sa_sigaction); // before C can save a handler and put it back
		int off = is_switched_off();
		if (!off)
			start_traces();
		if (off) {
			_wherry_urgent.deaf = 1;
			switch_off("WHERRY=off");
		} else if (preemption_is_off()) {
			go_deaf("GODEBUG=asyncpreemptoff=1: Go's runtime sends no signals");
		} else if (!can_ask()) {
			go_deaf("Go's runtime may not send signals to its threads");
		} else if (REAL_SIGACTION(SIGURG, NULL, &_wherry_urgent.go) != 0 || !(_wherry_urgent.go.sa_flags & SA_SIGINFO)) {
			go_deaf("Go's handler of SIGURG is not there");
		} else {
			struct sigaction ours = _wherry_urgent.go;
			ours.sa_sigaction = on_urgent;
			ours.sa_flags |= SA_ONSTACK | SA_RESTART;
			sigfillset(&ours.sa_mask); // while Go code runs in it, no other signal may come
			REAL_SIGACTION(SIGURG, &ours, NULL);
#if HOLDS
			for (int sig = 1; _wherry_urgent.early && sig < NSIG; sig++) // what a constructor has installed, and Go has left
				if (REAL_SIGACTION(sig, NULL, &ours) == 0 && before_handler(sig, ours.sa_handler) != ours.sa_handler)
					_wherry_sigaction(sig, &ours, NULL);
#endif
			if (_wherry_urgent.unseen)
				stay_on_cgo(unseen);
		}
		close_reals();
		_wherry_thread.busy--;
		errno = saved;
	}
	__atomic_store_n(&_wherry_urgent.lock, 0, __ATOMIC_RELEASE);
}
