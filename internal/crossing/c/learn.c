//go:build ignore

// What is learned of a C function from its calls, and how it is called then: see call.target.
//
//	        an interrupted call was long         16 calls were long
//	fast  ------------------------> timed --------------------> turned before ----> timed
//	     <------------------------        as a rule              they begin
//	        they were not                                   4,096 calls, or more
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

// An interrupted call is long when it computes on for 5 us: interrupted anywhere, it has then
// taken twice that as a rule, 400 times what cgo costs. After it the function's next 16 calls are
// turned before they begin, and timed, but for one that calls back: that would cost more than it
// tells. If they take 10 us on average the function is entered through cgo from then on, and
// timed again after a while: 4,096 calls, then twice as many. So one call of such a function, and
// no other, lets a goroutine wait that wants the world to stop. In the average each counts for
// 40 us at most: perhaps the kernel ran another thread.
//
// A function whose calls are short as a rule, and a few so long that most of its time goes to
// them, is found by those that are interrupted. One that goes on for 40 us counts for 4, but from
// 1 ms on for 1 again. If they are long by 8 more than they are short, it is entered through cgo.
enum { LONG = 5000, VERY_LONG = 8 * LONG, UNSURE = 200 * LONG, CONVINCED = 8, PATIENCE = 4096, TRIAL = 16 };

// Of a call that calls back no time may be seen, and callbacks are not always counted: so many calls
// may begin while 16 are timed.
enum { TIMING_ENDS = 1024 };

// A function that calls back, and cannot come to run on a C stack, turns its calls, and so does
// one that waits. That costs more than to go through cgo at once; but a call without a callback or
// a wait gains several times what one with it loses. How many those are is not seen while calls
// start fast. So after 8 that turned the function is watched for 64 calls, which are counted
// (block_ARCH.S). If three quarters of them turn, it goes through cgo, as long as a
// function whose calls are long; else it is fast again, for 4,096 turned calls.
//
// Through cgo C could not block SIGURG, since nothing would unblock it: see _wherry_keeps_urgent. So
// a function that blocks it in a turned call is never watched: its tolerance is NEVER.
enum { MOST_OF_WATCH = WATCH / 4 * 3 };
#define NEVER (~0u)

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

// may_time reports whether a function's calls may be turned before they begin to see how long they
// are: none of them that calls back.
static int may_time(const call *c) {
	return fast_target(c) == c->twin && __atomic_load_n(&c->callbacks, __ATOMIC_RELAXED) == 0;
}

// time_calls begins to time a function's calls.
static void time_calls(call *c) {
	c->took = 0, c->waited = 0, c->timed = TRIAL;
	__atomic_store_n(&c->target, (const void *)_wherry_turn_first, __ATOMIC_RELAXED);
}

// stop_timing has the function's calls start fast again.
static void stop_timing(call *c) {
	c->timed = 0;
	retarget(c, _wherry_turn_first, fast_target(c));
}

// take_time learns from a call that was timed.
static void take_time(call *c, long nanoseconds) {
	c->took += nanoseconds < VERY_LONG ? nanoseconds : VERY_LONG;
	if (c->timed-- != 1)
		return;
	if (c->took >= TRIAL * 2 * LONG && may_time(c)) {
		c->suspicion = CONVINCED;
		wait_longer(c);
		return;
	}
	if (c->suspicion >= CONVINCED)
		c->suspicion = CONVINCED - 1; // one long call will do
	stop_timing(c);
}

// judge learns how long a function's calls are from those that a signal turned.
static void judge(call *c, long nanoseconds) {
	if (nanoseconds >= LONG)
		c->suspicion += nanoseconds >= VERY_LONG && nanoseconds < UNSURE ? 4 : 1;
	else if (c->suspicion > 0 && --c->suspicion == 0 && !waits(c))
		c->patience = 0; // it has become a quick one
	suspect(c);
	if (nanoseconds >= LONG && !(c->flags & (BY_USER | ALWAYS)) && c->target == c->twin && may_time(c))
		time_calls(c);
}

// watch begins to watch a function.
static void watch(call *c) {
	c->watched = c->caught = 0;
	__atomic_store_n(&c->target, (const void *)_wherry_watched, __ATOMIC_RELAXED);
}

// watched ends a watch.
static void watched(call *c) {
	const void *target = c->twin;
	if (c->caught >= MOST_OF_WATCH && c->tolerance != NEVER) {
		wait_longer(c);
		target = _wherry_through_cgo;
	} else {
		c->turned = c->patience = 0;
		if (c->tolerance != NEVER)
			c->tolerance = PATIENCE;
	}
	__atomic_store_n(&c->target, target, __ATOMIC_RELAXED);
}

// count_waiting counts a call that is turned before it begins.
static void count_waiting(call *c) {
	if (c->target == _wherry_watched) {
		watched(c);
		return;
	}
	if (c->timed > 0) {
		if (!may_time(c) || ++c->waited == TIMING_ENDS)
			stop_timing(c);
		return;
	}
	if (c->patience == 0) // two threads began to time it, one after the other's end
		stop_timing(c);
	if (c->patience == 0 || ++c->waited < c->patience)
		return;
	if (c->target == _wherry_through_cgo) {
		watch(c);
		return;
	}
	if (may_time(c)) {
		time_calls(c);
		return;
	}
	c->suspicion = CONVINCED - 1;
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
