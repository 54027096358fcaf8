//go:build ignore

// Holding a P: a thread that C created calls Go at the price of a call. Through cgo each of its
// callbacks enters and leaves the scheduler. A thread that calls back again and again
// begins one callback that does not end, on a small stack of its own; its Go function
// "calls C", and that C is the thread's own code, on the thread's own stack. So the thread's
// code is C of a call in flight: its callbacks are those of a call on a C stack, and a
// signal or a function that may block turns it like any other.
//
//   root                      goroutine's stack             thread's own stack
//   +---------------------+   +-----------------------+     +----------------------+
//   | runtime.cgocallback |   | runtime.cgocallbackg  |     | the thread's C       |
//   +---------------------+   +-----------------------+     +----------------------+ <- c_sp
//   ^ root_sp                 | _wherry_c_thread      |     | C that callbacks call|
//                             +-----------------------+ <- go_sp
//                             | frames of callbacks   |
//
// When that call is turned the thread does not stay in it: its next callback ends the one
// that did not end, and goes through cgo. hold_rule.c says when it holds its P again.
//
// It begins in hold_when_due. The P is given up by turn, as any call's; that the thread holds
// it no longer is noticed later, in hold_over: by its next callback, or by its end.

enum holds { HOLDS_NOW, HOLDS_NOT, NOT_OF_C }; // a thread that calls back

#if HOLDS
extern void _wherry_hold_begin(char *root) HIDDEN;
extern void _wherry_hold_end(char *g) HIDDEN;
extern int _wherry_gomaxprocs; // runtime.gomaxprocs

// What the runtime calls when a thread ends that has called Go.
extern void (*x_crosscall2_ptr)(void (*)(void *), void *, int, size_t) __attribute__((weak));

enum {
	ROOT = 64 << 10,        // bytes, and as many of guard: the runtime's own threads have less
	OTHER_STACK = 32 << 10, // what the runtime takes a stack to have that it knows nothing of
};

SHARED struct {
	int started;   // thread_leaves and on_signal stand before what is Go's
	int off;       // for good, because
	const char *why;
	const void *whose; // an address in the code that is the cause
	int held;      // threads
	unsigned long long loads; // of libraries, when others_enter_go last looked
	void *roots;   // free ones, linked through their last word
	int pooled;    // how many
	long holds;    // since the start
	void (*thread_ends)(void (*)(void *), void *, int, size_t);
} _wherry_holding;

// What C threads run that hold their P is C of a call, too.
SHARED call _wherry_c_threads = {.name = "a C thread", .package = "", .flags = ALWAYS | BY_USER, .turns = HOLD_COUNTS};

// _wherry_hold_count counts how often threads have begun to hold their P.
SHARED long _wherry_hold_count(void) { return __atomic_load_n(&_wherry_holding.holds, __ATOMIC_RELAXED); }

static char *new_root(void) {
	void **last = _wherry_holding.roots;
	if (last != NULL) {
		_wherry_holding.roots = *last;
		_wherry_holding.pooled--;
		return (char *)(last + 2);
	}
	char *low = map_stack(ROOT, ROOT);
	return low != NULL ? low + ROOT : NULL;
}

static void free_root(char *root) {
	void **last = (void **)root - 2;
	if (_wherry_holding.pooled >= KEPT_IN_POOL) {
		munmap(root - 2 * ROOT, 3 * ROOT);
		return;
	}
	*last = _wherry_holding.roots;
	_wherry_holding.roots = last;
	_wherry_holding.pooled++;
}

// hold_over ends the callback that did not end. The thread is as cgo leaves it.
static void hold_over(enum why why) {
	thread *t = &_wherry_thread;
	if (t->active != &t->held)
		return;
	int saved = errno;
	turn_now(why);
	t->busy = 1;
	char *g = t->held.g, *g0 = AT(char *, AT(char *, g, G_M), M_G0);
	_wherry_turn_over(g);
	t->base.deeper = t->held.deeper;
	if (t->base.deeper != NULL)
		t->base.deeper->outer = &t->base;
	t->active = &t->base;
	set_stack(g0, t->root - ROOT, t->root);
	AT(void *, g0, G_SCHED_SP) = t->root_sp;
	_wherry_hold_end(g);
	set_stack(g0, t->own_low, t->own_high);
	t->busy = 0;
	__atomic_fetch_sub(&_wherry_holding.held, 1, __ATOMIC_RELAXED);
	hold_ended(&t->holding);
	errno = saved;
}

// hold_abandoned comes when a panic leaves a callback of a thread that holds its P: the program
// ends. The runtime unwinds the callback that did not end, and then uses the thread's own stack.
static void hold_abandoned(void) {
	thread *t = &_wherry_thread;
	char *g0 = AT(char *, AT(char *, t->held.g, G_M), M_G0), *root = t->root;
	set_stack(g0, t->own_low < root - ROOT ? t->own_low : root - ROOT, t->own_high > root ? t->own_high : root);
	AT(void *, g0, G_SCHED_SP) = t->root_sp;
	AT(int, AT(char *, t->held.g, G_M), M_LOCKEDINT)++; // as _wherry_hold_end: runtime.unwindm gives it back
}

// thread_leaves comes before the runtime's own end of a thread that has called Go.
static void thread_leaves(void (*fn)(void *), void *g, int size, size_t context) {
	thread *t = &_wherry_thread;
	hold_over(BY_BLOCKING);
	t->holding.thread_ending = 1;
	if (t->root != NULL) {
		lock();
		free_root(t->root);
		unlock();
		t->root = NULL;
	}
	_wherry_holding.thread_ends(fn, g, size, context);
}

// holds_never ends all holding, for good.
static void holds_never(const char *why, const void *whose) {
	if (!_wherry_holding.off)
		_wherry_holding.why = why, _wherry_holding.whose = whose;
	__atomic_store_n(&_wherry_holding.off, 1, __ATOMIC_RELEASE);
}

static int others_enter_go(void);
static void stand_before_signals(void);

// can_hold reports whether a thread can hold its P at all, and prepares it. The lock is held.
static int can_hold(void) {
	if (!_wherry_urgent.started || _wherry_urgent.off || &x_crosscall2_ptr == NULL || x_crosscall2_ptr == NULL)
		return 0;
	if (!_wherry_holding.started) {
		_wherry_holding.started = 1;
		_wherry_holding.thread_ends = x_crosscall2_ptr;
		x_crosscall2_ptr = thread_leaves;
		stand_before_signals();
	}
	return !_wherry_holding.off;
}

// hold begins the callback that does not end, if it can. The thread goes on as C that it has
// called.
static int hold(thread *t, char *m) {
	sigset_t mask;
	if (pthread_sigmask(SIG_BLOCK, NULL, &mask) != 0 || has_signal(&mask, SIGURG)) {
		holds_not(&t->holding, "SIGURG is blocked");
		return 0;
	}
	stack_t stack;
	if (sigaltstack(NULL, &stack) != 0 || is_small(&stack)) {
		holds_not(&t->holding, "its stack for signal handlers is smaller than Go's");
		return 0;
	}
	// One P stays with Go.
	if (__atomic_add_fetch(&_wherry_holding.held, 1, __ATOMIC_RELAXED) >= *(volatile int *)&_wherry_gomaxprocs) {
		says(no_hold, _wherry_gomaxprocs == 1 ? "GOMAXPROCS is 1" : "one P stays with Go, and threads hold all others", NULL);
		goto not_now;
	}
	char *g0 = AT(char *, m, M_G0), *here = __builtin_frame_address(0);
	t->own_low = AT(char *, g0, G_STACK_LO), t->own_high = AT(char *, g0, G_STACK_HI);
	if (here - t->own_low < SYSTEM_STACK || here >= t->own_high) {
		says(no_hold, "it calls Go from a stack that is not the thread's own", NULL);
		goto not_now;
	}
	int others = others_enter_go();
	if (others < 0)
		goto not_now; // another thread looks at the libraries
	int can = !others;
	lock();
	can = can && can_hold();
	if (can && t->root == NULL)
		t->root = new_root();
	unlock();
	if (!can || t->root == NULL) {
		if (_wherry_holding.off)
			says("no C thread holds its P", _wherry_holding.why, _wherry_holding.whose);
		holds_not(&t->holding, _wherry_holding.off ? NULL : can ? "there is no memory for a stack" : "no signal asks for it");
		goto not_now;
	}
	t->busy = 1;
	__atomic_fetch_add(&_wherry_holding.holds, 1, __ATOMIC_RELAXED);
	count(&_wherry_c_threads, WAYS + 1, 1);
	t->holding.held_at = now();
	t->holding.turned_at = 0;
	t->held = (record){.outer = &t->base, .deeper = t->base.deeper, .from = t->own_low, .span = (size_t)(t->own_high - t->own_low),
		.system = &AT(void *, g0, G_SCHED_SP), .call = &_wherry_c_threads, .surplus = 1};
	set_stack(g0, t->root - ROOT, t->root);
	_wherry_hold_begin(t->root - 64);
	if (t->held.deeper != NULL)
		t->held.deeper->outer = &t->held;
	t->root_sp = AT(void *, g0, G_SCHED_SP);
	set_stack(g0, t->own_low, t->own_high);
	t->busy = 0;
	return 1;
not_now:
	__atomic_fetch_sub(&_wherry_holding.held, 1, __ATOMIC_RELAXED);
	return 0;
}

// place says where the stack is that C of a thread that holds its P calls back from: its own, or a
// coroutine's.
static void place(thread *t) {
	char *here = __builtin_frame_address(0), *low = t->own_low, *high = t->own_high;
	if (here <= low || here >= high)
		low = here - OTHER_STACK, high = here + 1024;
	t->held.from = low;
	t->held.span = (size_t)(high - low);
	set_stack(AT(char *, AT(char *, t->held.g, G_M), M_G0), low, high);
}

// hold_when_due counts a callback of a thread that C created, between two of which the thread
// is not in Go, and has it hold its P when it is time.
static enum holds hold_when_due(void) {
	char *g = _wherry_getg();
	if (g == NULL)
		return HOLDS_NOT; // the thread's first
	char *m = AT(char *, g, G_M);
	if (g != AT(char *, m, M_G0) || AT(int, m, M_NCGO) != 0)
		return NOT_OF_C;
	thread *t = &_wherry_thread;
	if (t->holding.g0 == NULL) { // early, so that the thread's end is seen
		lock();
		int known = know(t);
		unlock();
		if (!known)
			return HOLDS_NOT;
	}
	t->holding.g0 = g;
	if (++t->holding.calls < t->holding.want || t->holding.thread_ending)
		return HOLDS_NOT;
	int saved = errno;
	enum holds now = close_together(&t->holding) && hold(t, m) ? HOLDS_NOW : HOLDS_NOT;
	errno = saved;
	return now;
}

#if INTERPOSES
// stop_holding reports whether this thread holds its P, and has it do so no more.
static int stop_holding(void) {
	thread *t = &_wherry_thread;
	if (t->active != &t->held || (t->held.c_sp != NULL && t->held.c_sp != TURNED))
		return 0;
	turn_now(BY_BLOCKING);
	hold_was_wrong(&t->holding, "SIGURG is blocked");
	return 1;
}
#endif

static int may_interrupt(const ucontext_t *u);

// between_callbacks returns the m of a thread that holds its P, or held it, where a signal has
// interrupted its own C; else NULL.
static char *between_callbacks(const ucontext_t *u) {
	thread *t = &_wherry_thread;
	void *c_sp = t->held.c_sp;
	return t->active == &t->held && (c_sp == NULL || c_sp == TURNED) && may_interrupt(u) ? AT(char *, t->held.g, G_M) : NULL;
}

// to_go calls Go's handler of a signal. Through cgo a thread that C created is not in Go between callbacks,
// and the handler does there what the signal does by default.
static void to_go(int sig, siginfo_t *info, void *context) {
	char *m = between_callbacks(context), was = 0;
	if (m != NULL)
		was = AT(char, m, M_ISEXTRAINC), AT(char, m, M_ISEXTRAINC) = 1;
	_wherry_urgent.go.sa_sigaction(sig, info, context);
	if (m != NULL)
		AT(char, m, M_ISEXTRAINC) = was;
}

// fault_of_c_thread has a fault in C of a thread that holds its P end the program as through
// cgo: Go's handler finds a thread that is not in Go.
static void fault_of_c_thread(const ucontext_t *u) {
	char *m = between_callbacks(u);
	if (m == NULL)
		return;
	if (_wherry_thread.held.c_sp == NULL)
		turn(_wherry_thread.held.g, &_wherry_thread.held, BY_SIGNAL);
	AT(char, m, M_ISEXTRAINC) = 1;
}
#else
SHARED long _wherry_hold_count(void) { return 0; }
static void hold_over(enum why why) { (void)why; }
static void hold_abandoned(void) {}
static void place(thread *t) { (void)t; }
static void hold_was_wrong(holding *h, const char *why) { (void)h, (void)why; }
static void holds_not(holding *h, const char *why) { (void)h, (void)why; }
static enum holds hold_when_due(void) {
	char *g = _wherry_getg();
	if (COUNTS && g != NULL && AT(int, AT(char *, g, G_M), M_NCGO) == 0)
		says("no C thread holds its P", "the program is static, or a library, or linked without --wrap", NULL);
	return NOT_OF_C;
}
#if INTERPOSES
static int stop_holding(void) { return 0; }
#endif
static __attribute__((unused)) char *between_callbacks(const ucontext_t *u) { return (void)u, NULL; }
static void to_go(int sig, siginfo_t *info, void *context) { _wherry_urgent.go.sa_sigaction(sig, info, context); }
static void fault_of_c_thread(const ucontext_t *u) { (void)u; }
#endif
