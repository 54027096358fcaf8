// Turning: a call that C runs in becomes the system call that cgo would have made
// it from its beginning. Three things turn a call: a signal of the runtime, which
// wants the thread; a function of the C library that may block, before it begins
// (block.c); a callback into Go from the thread's system stack. From then on the
// goroutine, its thread and its P are as runtime.cgocall has them while C runs, and
// at the end the stub leaves the system call.
//
// This runs while C is interrupted or about to block, so nothing of Go runs on the
// thread; the goroutine stands at its call. g, m: internal/rt says where their
// fields are.

#define AT(type, base, offset) (*(type *)((char *)(base) + (offset)))

extern char *_wherry_getg(void) HIDDEN;
extern void _wherry_setg(char *g) HIDDEN;
extern void _wherry_unturn(void) HIDDEN;
extern const char _wherry_turn_first[] HIDDEN, _wherry_on_stack[] HIDDEN;
extern const char __start_wherry_text[] HIDDEN, __stop_wherry_text[] HIDDEN;
extern call __start_wherry_calls[] HIDDEN, __stop_wherry_calls[] HIDDEN;

#if defined(__x86_64__)
#define PC_OF(u) ((const char *)(u)->uc_mcontext.gregs[REG_RIP])
#define ENTER(g, go_sp, go_fp, go_lr, g0) _wherry_turn_enter(g, go_sp, go_fp, g0)
extern void _wherry_turn_enter(char *g, char *go_sp, char *go_fp, char *g0) HIDDEN;
#else
#define PC_OF(u) ((const char *)(u)->uc_mcontext.pc)
#define ENTER(g, go_sp, go_fp, go_lr, g0) _wherry_turn_enter(g, go_sp, go_fp, g0, go_lr)
extern void _wherry_turn_enter(char *g, char *go_sp, char *go_fp, char *g0, char *go_lr) HIDDEN;
#endif

// What the runtime may need of a system stack while a goroutine enters a system
// call, and what its stack check keeps free below (internal/abi.StackGuard and
// more). runtime.callbackUpdateSystemStack takes twice as much, for callbacks.
enum { SYSTEM_STACK = 16 << 10, STACK_GUARD = 928 };

// A turned call is long when it lasts on for 5 us: interrupted anywhere, it has
// then taken twice that as a rule, 400 times what cgo costs. A function whose turned
// calls are long by 8 more than they are short is entered through cgo from then on,
// and tried again after a while: 4,096 calls, then twice as many.
enum { LONG = 5000, CONVINCED = 8, PATIENCE = 4096 };

static long now(void) {
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000L + t.tv_nsec;
}

// call_of finds the call in flight on a system stack. Sections of one object
// follow each other in the order of its calls, and so do objects.
static call *call_of(char *g0) {
	char **slot = (char **)(AT(size_t, g0, G_SCHED_SP) & ~(size_t)15) - 1;
#if defined(__x86_64__)
	call *low = __start_wherry_calls, *high = __stop_wherry_calls;
	while (low < high) {
		call *middle = low + (high - low) / 2;
		if (middle->returns < *slot)
			low = middle + 1;
		else
			high = middle;
	}
	if (low < __stop_wherry_calls && low->returns == *slot)
		return low;
	for (call *c = __start_wherry_calls; c < __stop_wherry_calls; c++)
		if (c->returns == *slot)
			return c;
	return NULL;
#else
	return *(call **)slot;
#endif
}

// in_flight returns the goroutine whose call C runs in on this thread, not turned
// yet, and the record of its C stack, if it has one.
static char *in_flight(record **r) {
	*r = _wherry_thread.active;
	if ((*r)->c_sp == NULL)
		return (*r)->g;
	*r = NULL;
	char *g = _wherry_getg();
	return g != NULL && AT(char, g, G_THROWSPLIT) == IN_FLIGHT ? g : NULL;
}

// turn makes the call in flight a system call. What belongs to the thread's system
// stack runs on the stack that we are on, where C's frames may be on that stack.
static void turn(char *g, record *r, enum why why) {
	thread *t = &_wherry_thread;
	char *m = AT(char *, g, G_M), *g0 = AT(char *, m, M_G0);
	call *c = r != NULL ? r->call : call_of(g0);
	if (c != NULL)
		__atomic_fetch_add(&c->turned[why], 1, __ATOMIC_RELAXED);
	t->turned = c;
	t->turned_at = why == BY_SIGNAL ? now() : 0;
	if (c != NULL && c->flags & NO_CALLBACK)
		AT(char, g, G_NOCGOCALLBACK) = 1;
	AT(int, m, M_NCGO)++; // before: the tracer must not follow frame pointers
	char *go_sp;
	if (r != NULL) {
		r->c_sp = TURNED;
		go_sp = r->go_sp;
		ENTER(g, go_sp, r->go_fp, r->go_lr, NULL);
	} else {
		char *here = __builtin_frame_address(0), *sched_sp = AT(char *, g0, G_SCHED_SP);
		char *low = AT(char *, g0, G_STACK_LO), *high = AT(char *, g0, G_STACK_HI);
		char *guard = AT(char *, g0, G_STACKGUARD0), *guard1 = AT(char *, g0, G_STACKGUARD1);
		go_sp = AT(char *, m, M_VDSOSP) - RETURN_ADDRESS;
		if (here < low + SYSTEM_STACK || here > high) { // a signal's stack, or a coroutine's
			AT(char *, g0, G_STACK_HI) = here + 1024;
			AT(char *, g0, G_STACK_LO) = here - SYSTEM_STACK;
			AT(char *, g0, G_STACKGUARD0) = AT(char *, g0, G_STACKGUARD1) = here - SYSTEM_STACK + STACK_GUARD;
		}
		ENTER(g, go_sp, NULL, AT(char *, m, M_VDSOPC), g0);
		AT(char *, g0, G_SCHED_SP) = sched_sp;
		AT(char *, g0, G_STACK_LO) = low, AT(char *, g0, G_STACK_HI) = high;
		AT(char *, g0, G_STACKGUARD0) = guard, AT(char *, g0, G_STACKGUARD1) = guard1;
	}
	if (AT(char *, g, G_SCHED_SP) + TURNED_FRAME != go_sp) {
		static const char text[] = "wherry: BUG: the frame of a turned call is not where its assembly expects it\n";
		if (write(2, text, sizeof text - 1) >= 0)
			abort();
	}
	AT(char *, m, M_VDSOSP) = NULL;
	AT(char, m, M_INCGO) = 1;
	_wherry_setg(g0);
}

// turn_now turns the call in flight on this thread, if there is one, and reports
// whether there was.
static int turn_now(enum why why) {
	volatile int *busy = &_wherry_thread.busy;
	record *r;
	char *g = NULL;
	if (*busy)
		return 0;
	*busy = 1; // a signal in between leaves it to us
	if ((g = in_flight(&r)) != NULL)
		turn(g, r, why);
	*busy = 0;
	return g != NULL;
}

// judge learns how long a function's calls are from those that a signal turned.
static void judge(call *c, long nanoseconds) {
	__atomic_fetch_add(&c->nanoseconds, nanoseconds, __ATOMIC_RELAXED);
	if (nanoseconds >= LONG)
		c->suspicion++;
	else if (c->suspicion > 0)
		c->suspicion--;
	if (c->suspicion < CONVINCED || c->flags & (BY_USER | ALWAYS) || c->target == _wherry_turn_first)
		return;
	if (c->patience < 1u << 30)
		c->patience = c->patience == 0 ? PATIENCE : c->patience * 2;
	c->waited = 0;
	__atomic_store_n(&c->target, (const void *)_wherry_turn_first, __ATOMIC_RELAXED);
}

// through_cgo counts a call that is turned before it begins.
static void through_cgo(call *c) {
	if (c->patience == 0 || ++c->waited < c->patience)
		return;
	c->suspicion = CONVINCED - 1; // one long call will do
	__atomic_store_n(&c->target, c->twin, __ATOMIC_RELAXED);
}

// _wherry_turn_over ends C's part of a turned call: the rest is to leave the
// system call, on the goroutine's stack.
SHARED void _wherry_turn_over(char *g) {
	thread *t = &_wherry_thread;
	char *m = AT(char *, g, G_M);
	AT(char, m, M_INCGO) = 0;
	AT(int, m, M_NCGO)--;
	call *c = t->turned;
	if (c == NULL)
		return;
	t->turned = NULL; // an outer call that was turned is not judged
	if (c->flags & NO_CALLBACK)
		AT(char, g, G_NOCGOCALLBACK) = 0;
	if (t->turned_at != 0)
		judge(c, now() - t->turned_at);
}

// _wherry_leave_turned: a turned call on a C stack calls back.
SHARED void _wherry_leave_turned(void) {
	_wherry_turn_over(_wherry_thread.active->g);
	_wherry_unturn();
}

// A callback from a thread's system stack: what cgo does, in a turned call.
extern void crosscall2(void (*)(void *), void *, int, size_t);
extern size_t _cgo_wait_runtime_init_done(void);
extern void _cgo_release_context(size_t);
extern void _wherry_crosscall(void (*fn)(void *), void *frame, int size) HIDDEN;

// Some code asked for the bounds of its stack while C of a call ran: nothing runs on
// another stack from then on that a rule does not send there.
SHARED int _wherry_bounds;

static void bounds_asked(void) {
	char *g = _wherry_getg();
	if (g == NULL || _wherry_bounds || !(AT(char, g, G_THROWSPLIT) == IN_FLIGHT || AT(char, AT(char *, g, G_M), M_INCGO)))
		return;
	_wherry_bounds = 1;
	for (call *c = __start_wherry_calls; c < __stop_wherry_calls; c++)
		if (c->target == _wherry_on_stack && !(c->flags & BY_USER))
			__atomic_store_n(&c->target, c->twin, __ATOMIC_RELAXED);
}

// called_back learns from the first callback of a call.
static void called_back(call *c) {
	if (c == NULL)
		return;
	if (c->flags & NO_CALLBACK)
		fprintf(stderr, "wherry: C.%s of %s calls back into Go, though %s that it does not\n", c->name, c->package,
			c->flags & BY_USER ? "#cgo nocallback or a policy says" : "its code showed when it was built");
	else if (c->flags & MAY_SWITCH && !_wherry_bounds && c->target == c->twin && c->turned[BY_CALLBACK] >= CONVINCED)
		__atomic_store_n(&c->target, (const void *)_wherry_on_stack, __ATOMIC_RELAXED);
}

SHARED void _wherry_crosscall_slow(void (*fn)(void *), void *frame, int size) {
	if (_wherry_thread.active->c_sp == TURNED) {
		_wherry_leave_turned();
		_wherry_crosscall(fn, frame, size);
		return;
	}
	if (turn_now(BY_CALLBACK))
		called_back(_wherry_thread.turned);
	size_t context = _cgo_wait_runtime_init_done();
	crosscall2(fn, frame, size, context);
	_cgo_release_context(context);
}

