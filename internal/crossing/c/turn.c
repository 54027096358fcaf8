//go:build ignore

// Turning: a call that C runs in becomes the system call that cgo would have made
// it from its beginning. Five things turn a call: a signal of the runtime, which
// wants the thread; a function of the C library that may block, before it begins
// (block.c); a callback into Go from the thread's system stack; a signal that C handles
// (handlers.c); a fault (faults.c). From then on the goroutine, its thread and its P are as runtime.cgocall has
// them while C runs, and at the end the stub leaves the system call.
//
// This runs while C is interrupted or about to block, so nothing of Go runs on the
// thread; the goroutine stands at its call. g, m: internal/goruntime says where their
// fields are.

extern void _wherry_turn_enter(char *g, char *go_sp, char *g0) HIDDEN;

// The handler of SIGURG: see signal.c.
SHARED struct {
	int lock, started;
	int off;    // calls go through cgo for good, or are turned before they begin
	int deaf;   // the signal does not come to wherry
	int leaving; // a thread is about to have it so, or has, since C or Go says what becomes of the signal
	int early;  // two handlers were installed before the start: Go has but one, so C has some
	void *earliest;
	int samples; // C is in traces: on_sample stands before Go's handlers of SIGPROF and SIGQUIT
	int unseen; // libraries may wait where wherry does not see it
	struct sigaction go;    // Go's handler, one for all signals
	void (*bind)(void *g0); // what the runtime has for threads of C's that call Go for the first time
} _wherry_urgent;

// Locks are not looked at (names.c), but tried: a call that waits for one would not be turned, or be
// canceled before.
SHARED int _wherry_looks_at_none;

// What the runtime may need of a system stack while a goroutine enters a system
// call, and what its stack check keeps free below (internal/abi.StackGuard and
// more). runtime.callbackUpdateSystemStack takes twice as much, for callbacks.
enum { SYSTEM_STACK = 16 << 10, STACK_GUARD = 928 };

// Where a goroutine whose call is turned has entered the system call, all bits inverted: no address of
// code can be written.
SHARED size_t _wherry_turned_where;

static void bug(const char *text) {
	write_error(text, strlen(text));
	abort();
}

// set_stack says where a system stack is, as the runtime does.
static void set_stack(char *g0, char *low, char *high) {
	AT(char *, g0, G_STACK_LO) = low, AT(char *, g0, G_STACK_HI) = high;
	AT(char *, g0, G_STACKGUARD0) = AT(char *, g0, G_STACKGUARD1) = low + STACK_GUARD;
}

// turn makes the call in flight a system call. What belongs to the thread's system
// stack runs on the stack that we are on, where C's frames may be on that stack.
static void turn(char *g, record *r, enum why why) {
	thread *t = &_wherry_thread;
	char *m = AT(char *, g, G_M), *g0 = AT(char *, m, M_G0);
	call *c = r != NULL ? r->call : call_of(m);
	if (c != NULL)
		count(c, why, 1);
	t->turned = c;
	if (c != NULL && c->flags & NO_CALLBACK)
		AT(char, g, G_NOCGOCALLBACK) = 1;
	AT(int, m, M_NCGO)++; // before: the tracer must not follow frame pointers
	char *go_sp = r != NULL ? r->go_sp : AT(char *, m, M_VDSOSP);
	if (r != NULL)
		r->c_sp = TURNED;
	if (r == &t->held) {
		t->holding.turned_at = now();
		t->holding.asked = why != BY_BLOCKING;
	}
	if (r != NULL && r != &t->held) {
		_wherry_turn_enter(g, go_sp, NULL);
	} else {
		char *here = __builtin_frame_address(0), *sched_sp = AT(char *, g0, G_SCHED_SP);
		char *low = AT(char *, g0, G_STACK_LO), *high = AT(char *, g0, G_STACK_HI);
		int elsewhere = here < low + SYSTEM_STACK || here > high; // on a signal's stack, or a coroutine's
		if (elsewhere)
			set_stack(g0, here - SYSTEM_STACK, here + 1024);
		_wherry_turn_enter(g, go_sp, g0);
		AT(char *, g0, G_SCHED_SP) = sched_sp;
		if (elsewhere)
			set_stack(g0, low, high);
	}
	if (AT(char *, g, G_SYSCALLSP) + TURNED_FRAME != go_sp)
		bug("wherry: BUG: the frame of a turned call is not where its assembly expects it\n");
	// What the runtime does while it enters a system call may overwrite g.sched, as in a bubble
	// of testing/synctest. asmcgocall stores it once more too: callbacks begin there.
	AT(char *, g, G_SCHED_PC) = AT(char *, g, G_SYSCALLPC);
	AT(char *, g, G_SCHED_SP) = AT(char *, g, G_SYSCALLSP);
	AT(char *, g, G_SCHED_BP) = AT(char *, g, G_SYSCALLBP);
	_wherry_turned_where = ~AT(size_t, g, G_SYSCALLPC); // the same in all calls
	AT(char *, m, M_VDSOSP) = NULL;
	AT(char, m, M_INCGO) = 1;
	_wherry_setg(g0);
	t->turned_at = COUNTS ? now() : 0;
	int is_timed = why == BY_SIGNAL || (why == AT_ONCE && c != NULL && c->timed > 0);
	t->computes_from = is_timed ? now() : 0; // last: what the runtime did is not C's time
}

static void look_after_handler(void), stay_on_cgo(const char *why);
static unsigned long shut_out(void);
static void let_in(unsigned long mask);

// is_small reports whether handlers have less room than on the stack that Go has for them: so
// the runtime's signal must not come while C runs.
static int is_small(const stack_t *stack) { return stack->ss_flags & SS_DISABLE || stack->ss_size < 32 << 10; }

static const char small[] = "C has left a small stack of its own, or none, for signal handlers on a thread of Go's";

// await_signal lets a signal come that the runtime decided to send before the call was
// turned: it would end C's wait with EINTR. The runtime says so before it sends.
static void await_signal(char *g) {
	volatile unsigned *pending = &AT(unsigned, AT(char *, g, G_M), M_SIGNALPENDING);
	for (int i = 0; i < 1000 && *pending != 0 && !_wherry_urgent.deaf; i++)
		ask_kernel(SYS_sched_yield, 0, 0, 0, 0, 0, 0);
}

static char *interrupted_call(const ucontext_t *u, record **r);

// turn_for_handler comes before a handler of C's, all signals blocked: it may leave by siglongjmp,
// wait, call Go. It returns the goroutine whose call it has turned, or NULL.
static char *turn_for_handler(const ucontext_t *u) {
	record *r;
	char *g = interrupted_call(u, &r);
	if (g == NULL || !is_this_thread())
		return NULL;
	turn(g, r, BY_BLOCKING);
	_wherry_thread.masked = 1; // the handler may block SIGURG where C goes on
	return g;
}

// turn_now turns the call in flight on this thread, if there is one, and reports
// whether there was.
static int turn_now(enum why why) {
	volatile int *busy = &_wherry_thread.busy;
	record *r;
	char *g;
	if (*busy || (g = in_flight(&r)) == NULL || !may_turn(g, r))
		return 0;
	unsigned long mask = shut_out();
	*busy = 1; // a signal from now on leaves it to us
	if ((g = in_flight(&r)) != NULL) { // none has turned it before
		look_after_handler();
		turn(g, r, why);
	}
	*busy = 0;
	let_in(mask);
	if (g != NULL && why == BY_BLOCKING)
		turned_itself(_wherry_thread.turned);
	if (g != NULL && (why == BY_BLOCKING || why == AT_ONCE))
		await_signal(g);
	return g != NULL;
}

// _wherry_turn_over ends C's part of a turned call: the rest is to leave the
// system call, on the goroutine's stack.
SHARED void _wherry_turn_over(char *g) {
	thread *t = &_wherry_thread;
	char *m = AT(char *, g, G_M);
	if (t->masked && t->active != &t->held) { // a thread of C's keeps its mask
		sigset_t urgent;
		sigemptyset(&urgent);
		sigaddset(&urgent, SIGURG);
		pthread_sigmask(SIG_UNBLOCK, &urgent, NULL); // which clears masked
	}
	stack_t stack;
	if (t->elsewhere && !_wherry_urgent.off && t->active != &t->held && sigaltstack(NULL, &stack) == 0) {
		t->elsewhere = is_small(&stack);
		if (t->elsewhere)
			stay_on_cgo(small);
	}
	AT(char, m, M_INCGO) = 0;
	AT(int, m, M_NCGO)--;
	call *c = t->turned;
	if (c == NULL)
		return;
	t->turned = NULL; // an outer call that was turned is not judged
	if (c->flags & NO_CALLBACK)
		AT(char, g, G_NOCGOCALLBACK) = 0;
	if (t->turned_at != 0)
		count(c, WAYS, now() - t->turned_at);
	if (t->computes_from != 0 && !_wherry_urgent.off)
		(c->timed > 0 ? take_time : judge)(c, now() - t->computes_from);
}

static void place(thread *t);

// is_wanted reports whether the goroutine of a thread that holds its P is to stop.
static int is_wanted(record *r) { return AT(char *, r->g, G_STACKGUARD0) >= r->go_sp; }

// _wherry_ready: a call with a record calls back, but was turned, or the callback of a holding
// thread comes from another stack.
SHARED void _wherry_ready(void) {
	thread *t = &_wherry_thread;
	record *r = t->active;
	if (r == &t->held)
		place(t);
	if (r->c_sp == TURNED) {
		_wherry_turn_over(r->g);
		_wherry_unturn();
	}
}
