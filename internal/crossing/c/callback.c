//go:build ignore

// Callbacks that do not come from a C stack: from C on a thread's system stack, in a call or on
// a thread that C created. What comes from a C stack is assembly (callback_ARCH.h). Here a call
// is turned first, or a thread begins to hold its P (hold.c), or the callback is cgo's.

extern void crosscall2(void (*)(void *), void *, int, size_t);
extern size_t _cgo_wait_runtime_init_done(void);
extern void _cgo_release_context(size_t);
extern void _wherry_callback_frame(void (*fn)(void *), void *frame, int size) HIDDEN;

// called_back learns from a callback in a turned call, not only the first: a function
// that calls back 8 times comes to run on a C stack. NULL: C that a C thread runs, or
// that was called through cgo.
static __attribute__((noinline)) void called_back(call *c) {
	if (c == NULL) return;
	if (c->flags & NO_CALLBACK) // the runtime panics next
		fprintf(stderr, "wherry: %s%s of %s calls back into Go, though %s says that it does not\n", strchr(c->name, ' ') ? "" : "C.",
			c->name, c->package, c->package + strlen(c->package) + 1);
	else if (++c->callbacks >= CONVINCED && c->flags & MAY_SWITCH && !_wherry_bounds)
		retarget(c, c->twin, _wherry_on_stack);
}

static void turn_for_callback(void) {
	int turned = turn_now(BY_CALLBACK);
	call *c = _wherry_thread.turned;
	called_back(c);
	if (turned && c != NULL && !(c->flags & NO_CALLBACK) && (!(c->flags & MAY_SWITCH) || _wherry_bounds)) // else a C stack is better
		turned_itself(c);
}

// is_through_cgo reports whether a callback is one through cgo for certain: from a thread
// that C created, which does not hold its P yet, or from C that a goroutine has called through
// cgo, or whose call is turned. Those must not cost more than cgo's own.
static inline int is_through_cgo(char *g) {
	thread *t = &_wherry_thread;
	if (g == NULL)
		return 0;
	char *m = AT(char *, g, G_M);
	if (AT(int, m, M_NCGO) == 0) {
		if (g != t->holding.g0 || t->holding.calls + 1 >= t->holding.want)
			return 0;
		t->holding.calls++;
		return 1;
	}
	void *c_sp = t->active->c_sp;
	if (c_sp == NULL || c_sp == TURNED || g != AT(char *, m, M_G0))
		return 0;
	call *c = t->turned;
	if (c == NULL)
		return 1;
	if (c->flags & (NO_CALLBACK | MAY_SWITCH))
		called_back(c);
	return 1;
}

// callback_ready reports whether a callback can go on as that of a call with a record.
static __attribute__((noinline)) int callback_ready(void) {
	thread *t = &_wherry_thread;
	record *r = t->active;
	void *c_sp = r->c_sp;
	if (c_sp == NULL || c_sp == TURNED) {
		if (r != &t->held || (c_sp == NULL && !is_wanted(r)))
			return _wherry_ready(), 1;
		hold_over(BY_CALLBACK); // and through cgo
		return 0;
	}
	enum holds hold = hold_when_due();
	if (hold == NOT_OF_C)
		turn_for_callback();
	return hold == HOLDS_NOW;
}

#if HOLDS // the program is linked with --wrap=crosscall2, for C that calls it itself
extern void __real_crosscall2(void (*)(void *), void *, int, size_t);
#define crosscall2 __real_crosscall2
#endif

// callback_unblocked is a callback of C that has blocked SIGURG: Go runs with it unblocked, since calls
// in flight are asked by it. A panic may leave for good: then nothing is blocked.
static __attribute__((noinline)) void callback_unblocked(void (*fn)(void *), void *frame, int size, size_t context) {
	thread *t = &_wherry_thread;
	const unsigned long urgent = 1ul << (SIGURG - 1);
	unsigned long was = 0;
	change_mask(SIG_UNBLOCK, &urgent, &was);
	t->masked = 0;
	crosscall2(fn, frame, size, context);
	if (was & urgent)
		change_mask(SIG_BLOCK, &urgent, NULL);
	t->masked = 1;
}

static inline void callback_by_cgo(void (*fn)(void *), void *frame, int size, size_t context) {
	if (__builtin_expect(_wherry_thread.masked, 0))
		callback_unblocked(fn, frame, size, context);
	else
		crosscall2(fn, frame, size, context);
}

SHARED void _wherry_callback_frame_slow(void (*fn)(void *), void *frame, int size) {
	if (!is_through_cgo(_wherry_getg()) && callback_ready()) {
		_wherry_callback_frame(fn, frame, size);
		return;
	}
	size_t context = _cgo_wait_runtime_init_done();
	if (__builtin_expect(context == 0, 1)) { // nothing is to be released
		callback_by_cgo(fn, frame, size, 0);
		return;
	}
	holds_not(&_wherry_thread.holding, "runtime.SetCgoTraceback wants to know the C caller of each callback");
	callback_by_cgo(fn, frame, size, context);
	_cgo_release_context(context);
}

// _wherry_callback_thread is for callbacks that no C stack is known to: function pointers of
// package callback, and C that calls crosscall2 itself.
SHARED void _wherry_callback_thread(void (*fn)(void *), void *frame, int size, size_t context) {
	if (!is_through_cgo(_wherry_getg()) && callback_ready())
		_wherry_callback_frame(fn, frame, size);
	else
		callback_by_cgo(fn, frame, size, context);
}
#if HOLDS
SHARED void __wrap_crosscall2(void (*fn)(void *), void *frame, int size, size_t context) {
	_wherry_callback_thread(fn, frame, size, context);
}
#endif
