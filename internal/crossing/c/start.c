//go:build ignore

// The start: wherry's handlers stand before Go's, what is assumed of the runtime and the C library is checked,
// and the environment asked.

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

// go_handles finds Go's handler, which is one for all signals, and reports whether SIGURG has it: a package
// without C may have ignored that.
static int go_handles(void) {
	struct sigaction *go = &_wherry_urgent.go;
	int there = REAL_SIGACTION(SIGURG, NULL, go) == 0 && go->sa_flags & SA_SIGINFO && go->sa_handler != SIG_IGN;
	if (!there)
		REAL_SIGACTION(SIGSEGV, NULL, go);
	return there;
}

// make_ready maps the first stack when the program starts, if a function is known to call back: most of what
// the first callback of a process takes is the kernel's work for that.
static void make_ready(void) {
	for (call *c = __start_wherry_calls; c < __stop_wherry_calls && !_wherry_pool.bounded; c++)
		if (c->target == _wherry_on_stack) {
			start();
			_wherry_pool.ready = new_stack(_wherry_pool.size);
			return;
		}
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
		int there = go_handles();
		stand_before_faults((void *)_wherry_urgent.go.sa_sigaction); // before C can save a handler and put it back
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
		} else if (!there) {
			go_deaf("Go's handler of SIGURG is not there");
		} else {
			struct sigaction ours = _wherry_urgent.go;
			ours.sa_sigaction = on_urgent;
			ours.sa_flags |= SA_ONSTACK | SA_RESTART;
			// While Go code runs in it, on the goroutine's stack, no other signal may come: the kernel would
			// take the signal's stack to be free. Nor may the C library's own, which sigfillset leaves out.
			memset(&ours.sa_mask, ~0, sizeof ours.sa_mask);
			REAL_SIGACTION(SIGURG, &ours, NULL);
#if HOLDS
			for (int sig = 1; _wherry_urgent.early && sig < NSIG; sig++) // what a constructor has installed, and Go has left
				if (REAL_SIGACTION(sig, NULL, &ours) == 0 && before_handler(sig, ours.sa_handler) != ours.sa_handler)
					_wherry_sigaction(sig, &ours, NULL);
#endif
			if (_wherry_urgent.unseen)
				stay_on_cgo(unseen);
		}
		make_ready();
		close_reals();
		_wherry_thread.busy--;
		errno = saved;
	}
	__atomic_store_n(&_wherry_urgent.lock, 0, __ATOMIC_RELEASE);
}
