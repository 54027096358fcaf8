//go:build ignore

// What is learned of a C function from its calls, and how it is called then: see call.target.
//
//	        turned calls are long                     4,096 calls, or more
//	fast  ------------------------> turned before  --------------------------> fast
//	                                they begin
//	        callbacks turn calls            48 call back
//	fast  ------------------------> watch --------------> through cgo ----> watch
//	     <------------------------         4,096 calls, or more
//	        fewer call back

#if BY_GO_BUILD // only package direct has calls
static call no_calls[1];
#define __start_wherry_calls no_calls
#define __stop_wherry_calls no_calls
#else
extern call __start_wherry_calls[] HIDDEN, __stop_wherry_calls[] HIDDEN;
#endif

extern const char _wherry_turn_first[] HIDDEN, _wherry_through_cgo[] HIDDEN, _wherry_on_stack[] HIDDEN;
#ifndef COUNTS
#define COUNTS 0
#endif

// Some code asked for the bounds of its stack while C of a call ran, or stacks are executable:
// nothing runs on another stack from then on that a rule does not send there.
SHARED int _wherry_bounds;

// A turned call is long when it computes on for 5 us: interrupted anywhere, it has then
// taken twice that as a rule, 400 times what cgo costs. One that goes on for 40 us
// counts for 4, but from 1 ms on for 1 again: perhaps the kernel ran another thread. A
// function whose turned calls are long by 8 more than they are short is entered through cgo
// from then on, and tried again after a while: 4,096 calls, then twice as many.
enum { LONG = 5000, VERY_LONG = 8 * LONG, UNSURE = 200 * LONG, CONVINCED = 8, PATIENCE = 4096 };

// A function that calls back, and cannot come to run on a C stack, is turned by its
// callbacks, which costs more than to go through cgo at once; but a call without a callback
// gains several times what one with a callback loses. Which of them call back is not seen
// while calls start fast. So after 8 that were turned the function is watched for 64 calls, which
// are turned before they begin. If three quarters of them call back, it goes through cgo, as
// long as a function whose calls are long; else it is fast again, for 4,096 turned calls.
enum { WATCH = 64, MOST_OF_WATCH = 48 };

// fast_target is what a function is called by at first.
static const void *fast_target(const call *c) { return c->flags & OWN_STACK ? (const void *)_wherry_on_stack : c->twin; }

// retarget changes what a call is entered by, if nobody has changed it meanwhile.
static void retarget(call *c, const void *from, const void *to) {
	__atomic_compare_exchange_n(&c->target, &from, to, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}

// leave_stacks has nothing run on another stack from now on.
static void leave_stacks(unsigned but) {
	_wherry_bounds = 1;
	for (call *c = __start_wherry_calls; c < __stop_wherry_calls; c++)
		if (!(c->flags & but))
			retarget(c, _wherry_on_stack, c->twin);
}

static void wait_longer(call *c) {
	if (c->patience < 1u << 30)
		c->patience = c->patience == 0 ? PATIENCE : c->patience * 2;
	c->waited = 0;
}

// waits reports whether the function goes through cgo until it is tried again.
static int waits(const call *c) { return c->target == _wherry_turn_first || c->target == _wherry_through_cgo; }

// suspect enters a function through cgo, if it is suspected enough.
static void suspect(call *c) {
	if (c->suspicion < CONVINCED || c->flags & (BY_USER | ALWAYS) || waits(c))
		return;
	wait_longer(c);
	c->called = 0;
	__atomic_store_n(&c->target, (const void *)_wherry_turn_first, __ATOMIC_RELAXED);
}

// judge learns how long a function's calls are from those that a signal turned.
static void judge(call *c, long nanoseconds) {
	if (nanoseconds >= LONG)
		c->suspicion += nanoseconds >= VERY_LONG && nanoseconds < UNSURE ? 4 : 1;
	else if (c->suspicion > 0 && --c->suspicion == 0 && !waits(c))
		c->patience = 0; // it has become a quick one
	suspect(c);
}

// watch begins to watch a function.
static void watch(call *c) {
	c->called = 0;
	c->watched = 1;
	__atomic_store_n(&c->target, (const void *)_wherry_turn_first, __ATOMIC_RELAXED);
}

// watched counts a call of a watch, and ends it when there were enough.
static void watched(call *c) {
	if (c->watched++ <= WATCH)
		return;
	c->watched = 0;
	const void *target = c->twin;
	if (c->called >= MOST_OF_WATCH) {
		wait_longer(c);
		target = _wherry_through_cgo;
	} else {
		c->turned = 0;
		c->tolerance = PATIENCE;
		c->patience = 0;
	}
	__atomic_store_n(&c->target, target, __ATOMIC_RELAXED);
}

// count_waiting counts a call that is turned before it begins.
static void count_waiting(call *c) {
	if (c->watched != 0) {
		watched(c);
		return;
	}
	if (c->patience == 0 || ++c->waited < c->patience)
		return;
	if (c->by_cgo != NULL && (c->target == _wherry_through_cgo || c->called >= MOST_OF_WATCH)) {
		watch(c);
		return;
	}
	c->suspicion = CONVINCED - 1; // one long call will do
	__atomic_store_n(&c->target, fast_target(c), __ATOMIC_RELAXED);
}

// turned_by_callback learns from a call that a callback turned. wherry stat is to see them all.
static void turned_by_callback(call *c) {
	if (COUNTS || c == NULL || c->by_cgo == NULL || c->flags & (NO_CALLBACK | BY_USER) || c->target != c->twin ||
		(c->flags & MAY_SWITCH && !_wherry_bounds))
		return;
	if (++c->turned >= (c->tolerance != 0 ? c->tolerance : CONVINCED))
		watch(c);
}
