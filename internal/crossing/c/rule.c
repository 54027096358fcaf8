//go:build ignore

// When a thread that C created lends its P, and for how long: see lend.c.
//
//	        want callbacks in a row, close together
//	cgo  ------------------------------------------->  lent
//	     <-------------------------------------------
//	        the call is turned: by a signal, since somebody wants the P,
//	        or because C blocks
//
// Through cgo a thread gives its P back after each callback; lent it has the P until
// somebody asks. Lending has a price, so it must last: after a lend that was too short the
// thread has to make four times as many callbacks before the next one. The clock is read
// once in so many callbacks, because reading it costs as much as half a callback.

#if LENDS
enum {
	NEAR = 1000,     // ns from callback to callback on average: more gains less than 5 %
	FIRST = 512,     // callbacks before the first lend: threads that make fewer gain nothing
	PAID = 5000,     // ns that a lend must last until C blocks: a thousand callbacks
	RETURNED = 2000000, // ns that it must last until the P is asked for, which takes a while
	MOST = 1 << 20,  // callbacks before the next lend, after lends that did not pay
};

static const char no_lend[] = "a C thread does not lend its P";

// close_together is asked when a thread has made as many callbacks as are wanted, and reports
// whether they came close together. The first window begins with the thread's first callback.
static int close_together(lending *l) {
	long begin = l->since, calls = l->calls;
	l->since = now();
	l->calls = 0;
	if (l->want == 0)
		l->want = FIRST;
	if (begin != 0 && l->since - begin >= NEAR * calls)
		says(no_lend, "its callbacks are more than 1 us apart", NULL);
	return begin != 0 && l->since - begin < NEAR * calls;
}

// lends_not puts off the next lend as long as can be.
static void lends_not(lending *l, const char *why) {
	l->calls = 0;
	if (l->want != MOST && why != NULL)
		says(no_lend, why, NULL);
	l->want = MOST;
}

// lend_was_wrong: C waited in the kernel where wherry does not see it, or nobody could ask for
// the P any more.
static void lend_was_wrong(lending *l, const char *why) {
	lends_not(l, why);
	l->turned_at = 0;
}

// lend_ended learns from a lend that is over.
static void lend_ended(lending *l) {
	l->calls = 0;
	l->since = l->turned_at;
	if (l->turned_at - l->lent_at < (l->asked ? RETURNED : PAID))
		l->want = l->want < MOST / 4 ? l->want * 4 : MOST;
	else if (l->want > FIRST)
		l->want /= 2;
}
#endif
