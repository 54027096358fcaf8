//go:build ignore

// What is learned of a C function from its calls, and how it is called then: see call.target.
//
//	        turned calls are long                     4,096 calls, or more
//	fast  ------------------------> turned before  --------------------------> fast
//	                                they begin
//	        they turn by themselves         48 of 64 do
//	fast  ------------------------> watch --------------> through cgo ----> watch
//	     <------------------------         4,096 calls, or more
//	        fewer do

#if BY_GO_BUILD // only package direct has calls
static call no_calls[1];
#define __start_wherry_calls no_calls
#define __stop_wherry_calls no_calls
#else
extern call __start_wherry_calls[] HIDDEN, __stop_wherry_calls[] HIDDEN;
#endif

extern const char _wherry_turn_first[] HIDDEN, _wherry_through_cgo[] HIDDEN, _wherry_watched[] HIDDEN,
	_wherry_on_stack[] HIDDEN;
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

// A function that calls back, and cannot come to run on a C stack, turns its calls, and so does
// one that waits. That costs more than to go through cgo at once; but a call without a callback or
// a wait gains several times what one with it loses. How many those are is not seen while calls
// start fast. So after 8 that turned the function is watched for 64 calls, which are counted
// (block_ARCH.S). If three quarters of them turn, it goes through cgo, as long as a
// function whose calls are long; else it is fast again, for 4,096 turned calls.
enum { MOST_OF_WATCH = WATCH / 4 * 3 };

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

// waits reports whether the function goes through cgo: until it is tried again, or for good.
static int waits(const call *c) {
	return c->target == _wherry_turn_first || c->target == _wherry_through_cgo || (c->off != NULL && c->target == c->off);
}

// suspect enters a function through cgo, if it is suspected enough.
static void suspect(call *c) {
	if (c->suspicion < CONVINCED || c->flags & (BY_USER | ALWAYS) || waits(c))
		return;
	wait_longer(c);
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
	c->watched = c->caught = 0;
	__atomic_store_n(&c->target, (const void *)_wherry_watched, __ATOMIC_RELAXED);
}

// watched ends a watch.
static void watched(call *c) {
	const void *target = c->twin;
	if (c->caught >= MOST_OF_WATCH) {
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
	if (c->target == _wherry_watched) {
		watched(c);
		return;
	}
	if (c->patience == 0 || ++c->waited < c->patience)
		return;
	if (c->target == _wherry_through_cgo) {
		watch(c);
		return;
	}
	c->suspicion = CONVINCED - 1; // one long call will do
	__atomic_store_n(&c->target, fast_target(c), __ATOMIC_RELAXED);
}

// turned_itself learns from a call that a callback or a wait has turned. wherry stat is to see
// them all.
static void turned_itself(call *c) {
	if (COUNTS || c == NULL || c->by_cgo == NULL || c->flags & BY_USER)
		return;
	if (c->target == _wherry_watched)
		c->caught++;
	else if (c->target == c->twin && ++c->turned >= (c->tolerance != 0 ? c->tolerance : CONVINCED))
		watch(c);
}
