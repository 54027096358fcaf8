//go:build ignore

// When a thread that C created holds its P, and for how long: see hold.c.
//
//	        want callbacks in a row, close together
//	cgo  ------------------------------------------->  held
//	     <-------------------------------------------
//	        the call is turned: by a signal, since somebody wants the P,
//	        or because C blocks
//
// Through cgo a thread gives its P back after each callback; now it has the P until somebody
// asks. To hold it has a price, so it must last: after a hold that was too short the thread
// has to make four times as many callbacks before the next one. The clock is read
// once in so many callbacks, because reading it costs as much as half a callback.

#if HOLDS
#ifndef WHERRY_NEAR // tests of emulated programs, where a callback takes about as long, define it
#define WHERRY_NEAR 1000
#endif

enum {
	NEAR = WHERRY_NEAR, // ns from callback to callback on average: more gains less than 5 %
	FIRST = 512,     // callbacks before the first hold: threads that make fewer gain nothing
	PAID = 5000,     // ns that a hold must last until C blocks: a thousand callbacks
	RETURNED = 2000000, // ns that it must last until the P is asked for, which takes a while
	MOST = 1 << 20,  // callbacks before the next hold, after holds that did not pay
};

static const char no_hold[] = "a C thread does not hold its P";

// close_together is asked when a thread has made as many callbacks as are wanted, and reports
// whether they came close together. The first window begins with the thread's first callback.
static int close_together(holding *h) {
	long begin = h->since, calls = h->calls;
	h->since = now();
	h->calls = 0;
	if (h->want == 0)
		h->want = FIRST;
	if (begin != 0 && h->since - begin >= NEAR * calls)
		says(no_hold, "its callbacks are more than 1 us apart", NULL);
	return begin != 0 && h->since - begin < NEAR * calls;
}

// holds_not puts off the next hold as long as can be.
static void holds_not(holding *h, const char *why) {
	h->calls = 0;
	if (h->want != MOST && why != NULL)
		says(no_hold, why, NULL);
	h->want = MOST;
}

// hold_was_wrong: C waited in the kernel where wherry does not see it, or nobody could ask for
// the P any more.
static void hold_was_wrong(holding *h, const char *why) {
	holds_not(h, why);
	h->turned_at = 0;
}

// hold_ended learns from a hold that is over.
static void hold_ended(holding *h) {
	h->calls = 0;
	h->since = h->turned_at;
	if (h->turned_at - h->held_at < (h->asked ? RETURNED : PAID))
		h->want = h->want < MOST / 4 ? h->want * 4 : MOST;
	else if (h->want > FIRST)
		h->want /= 2;
}
#endif
