// The timing guard of direct calls. A guarded function that turns out to take
// longer than the budget goes back to cgo, or is *demoted*. One copy of this
// file is compiled into each package that needs it; its symbols are weak.
//
// At first a function is on TRIAL: it is called by cgo, and timed there. Only when
// a few calls were short it is called directly, so that one whose calls are long
// from the start never holds up the collector: REFUSED long ones in a row demote
// it. Then its state is QUIET:
//
// Reading the clock costs more than a direct call, so few calls are timed: of
// each thread the first, the second, the fourth ... and then about one in
// PERIOD, after a counter of the thread's own, so that threads share nothing.
//
// A timed call that takes too long proves little: a timer, the kernel or a
// hypervisor may have come in between, and no clock that a process can read tells
// all of that. It makes the function SUSPECT: the next WATCHED calls are all
// timed, and after each short one the guard idles, up to twice as long as that
// call took. What interrupts calls interrupts idling as often for its length. So
// long calls count for the suspicion and long idling against it, by how long they
// are: once idling leads the suspicion ends, and after PROVEN points the function
// is DEMOTED. Where calls are long by interruptions alone, two points of three are
// against it, and a suspicion gets to N calls of one length with a probability of
// 1 to 2^N (the gambler's ruin; sequential tests: Wald 1945). A suspicion that ends
// for want of long calls takes one point back and leaves the others to the next: or
// else long calls that come in bursts would never prove anything.
//
// A function of which one call in 300 is long is demoted within 1,000 long ones in
// 996 of 1,000 cases; where they come in bursts of 10, within 4,000; one of which
// one in 10,000 is long stays. guard_test.go counts. Where all calls are long, it
// takes one thread at most 3/2 PERIOD and PROVEN. The state is written only then;
// calls read it, and find it in their cache.

#define _GNU_SOURCE
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#if defined(__x86_64__)
#include <cpuid.h>
#endif

#define SHARED __attribute__((weak, visibility("hidden")))

// States are what a call takes from its thread's counter, which is at most
// 3/2 PERIOD. Where it becomes negative, the call is not an ordinary one.
// From DEMOTED on calls go by cgo.
enum { QUIET = 1, SUSPECT = 0x4000, DEMOTED = 0x4001, TRIAL = 0x4002 };
enum { PERIOD = 128, WATCHED = 2048, PROVEN = 90, TRIALS = 4, REFUSED = 6 };

// A guard is the data of one function, in a cache line of its own. The assembly
// of internal/enter defines it.
typedef struct {
	unsigned short state;
	unsigned slot;       // in _wherry_guard_slots, bytes
	void (*target)(void);
	const char *name, *package;
	int points;          // for the suspicion; long calls on trial, in a row
	int watched;         // calls to time before the suspicion ends; short ones on trial
	int (*wrapper)(void *frame); // cgo's
	long unused[2];
} guard;

extern guard __start_wherry_guards[] __attribute__((weak, visibility("hidden"))), __stop_wherry_guards[] __attribute__((weak, visibility("hidden")));

// A slot counts the calls of a thread until the next one to time.
typedef struct {
	short left, period;
} slot;

SHARED __thread struct {
	slot slots[SLOTS];
	unsigned random;
} _wherry_guard_slots __attribute__((tls_model("initial-exec")));

// A sample is what is known before a timed call, in the assembly's frame.
typedef struct {
	unsigned short state;
	unsigned long long ticks; // of the processor's counter, or ns when limit is 0
	unsigned long long limit;
	long unused;              // the frame around it stays aligned to 16
} sample;

// Settings and what was learned about the counter. Written at start and once.
SHARED struct {
	long long budget;         // ns, or -1 for off
	unsigned long long limit; // the budget in ticks; 0 while it is not known
	unsigned long long ticks; // at start
	long long ns;             // at start
	long long reading;        // ns that a reading of the clock takes; some machines need a system call
	int verbose, started, steady, trials;
} _wherry_guard;

static int change(guard *g, unsigned short from, unsigned short to) {
	return __atomic_compare_exchange_n(&g->state, &from, to, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}

static long long clock_ns(void) {
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static unsigned long long ticks(void) {
#if defined(__x86_64__)
	return __builtin_ia32_rdtsc();
#else
	unsigned long long n;
	__asm__ volatile("mrs %0, cntvct_el0" : "=r"(n));
	return n;
#endif
}

// read_both reads clock and counter, and tells whether it did at one time: the
// kernel may have taken the processor away in between.
static int read_both(long long *ns, unsigned long long *counted) {
	*ns = clock_ns();
	*counted = ticks();
	return clock_ns() - *ns < 10000;
}

// steady tells whether the counter runs at one rate and never stops.
static int steady(void) {
#if defined(__x86_64__)
	unsigned a, b, c, d;
	return __get_cpuid(0x80000007, &a, &b, &c, &d) && (d & 1 << 8) != 0;
#else
	return 1;
#endif
}

// budget reads the environment: a number and a unit.
static long long budget(void) {
	static const struct { const char *name; double ns; } units[] = {{"ns", 1}, {"us", 1e3}, {"\302\265s", 1e3}, {"\316\274s", 1e3}, {"ms", 1e6}, {"s", 1e9}};
	const long long usual = 10000;
	const char *text = getenv("WHERRY_BUDGET");
	if (text == NULL || *text == 0)
		return usual;
	if (strcmp(text, "off") == 0)
		return -1;
	char *end = (char *)text;
	if ((*text >= '0' && *text <= '9') || *text == '.') {
		double n = strtod(text, &end);
		for (size_t i = 0; i < sizeof units / sizeof *units; i++)
			if (strcmp(end, units[i].name) == 0 && n * units[i].ns >= 1 && n * units[i].ns <= 1e12)
				return (long long)(n * units[i].ns);
	}
	dprintf(2, "wherry: WHERRY_BUDGET=%.100s: want a time from 1ns to 1000s such as 10us or 1.5ms, or off; 10us is used\n", text);
	return usual;
}

// trials reads the environment: how many short calls end a trial.
static int trials(void) {
	const char *text = getenv("WHERRY_TRIALS");
	if (text == NULL || *text == 0)
		return TRIALS;
	char *end;
	long n = strtol(text, &end, 10);
	if (*text >= '0' && *text <= '9' && *end == 0 && n <= 1000)
		return (int)n;
	dprintf(2, "wherry: WHERRY_TRIALS=%.100s: want a number of calls from 0 to 1000; %d is used\n", text, TRIALS);
	return TRIALS;
}

__attribute__((constructor)) static void start(void) {
	if (_wherry_guard.started)
		return;
	_wherry_guard.started = 1;
	const char *verbose = getenv("WHERRY_VERBOSE");
	_wherry_guard.verbose = verbose != NULL && strcmp(verbose, "1") == 0;
	_wherry_guard.budget = budget();
	_wherry_guard.trials = trials();
	if (_wherry_guard.budget < 0 || _wherry_guard.trials == 0)
		for (guard *g = __start_wherry_guards; g < __stop_wherry_guards; g++)
			change(g, TRIAL, QUIET);
	_wherry_guard.steady = steady();
	_wherry_guard.reading = 1000000;
	for (int i = 0; i < 10; i++) {
		long long before = clock_ns(), took = clock_ns() - before;
		if (took < _wherry_guard.reading)
			_wherry_guard.reading = took;
	}
	for (int tries = 0; tries < 100 && !read_both(&_wherry_guard.ns, &_wherry_guard.ticks); tries++)
		;
}

// calibrate computes the budget in ticks, from a millisecond after the start on.
static void calibrate(void) {
	long long now;
	unsigned long long counted;
	if (!_wherry_guard.steady || _wherry_guard.budget <= 0 || !read_both(&now, &counted))
		return;
	double elapsed = (double)(now - _wherry_guard.ns);
	if (elapsed > 1e6) {
		double rate = (double)(counted - _wherry_guard.ticks) / elapsed;
		__atomic_store_n(&_wherry_guard.limit, (unsigned long long)(rate * (double)_wherry_guard.budget) + 1, __ATOMIC_RELAXED);
	}
}

static unsigned next_random(void) {
	unsigned x = _wherry_guard_slots.random;
	if (x == 0)
		x = (unsigned)(size_t)&_wherry_guard_slots ^ (unsigned)ticks() ^ 1u << 31;
	x ^= x << 13, x ^= x >> 17, x ^= x << 5; // Marsaglia, Xorshift RNGs, 2003
	return _wherry_guard_slots.random = x;
}

// demote sends the function back to cgo, and says so.
static void demote(guard *g, unsigned short from, long long took) {
	if (!change(g, from, DEMOTED) || !_wherry_guard.verbose)
		return;
	char text[512];
	int n = snprintf(text, sizeof text, "wherry: C.%s of %s goes back to cgo: calls take longer than %.4g us (WHERRY_BUDGET), the last one %.4g us\n",
		g->name, g->package, (double)_wherry_guard.budget / 1e3, (double)took / 1e3);
	if (n > 0 && write(2, text, (size_t)(n < (int)sizeof text ? n : (int)sizeof text - 1)) < 0)
		return; // nobody listens
}

// points is what a call or idling counts that took so long.
static int points(long long took) {
	long long budget = _wherry_guard.budget;
	return took < 2 * budget ? 1 : took < 4 * budget ? 2 : 3;
}

// idle does nothing for twice the time of a call that ended now, and gives the
// time of a call that would have been interrupted as much: an interruption is
// where a reading of the clock takes a microsecond more than it has to, and all of
// that counts, as it does in a call. A call that takes more than 50 us gets less,
// as cgo costs it next to nothing.
static long long idle(long long now, long long took) {
	const long long most = 100000, reading = _wherry_guard.reading, smooth = reading + 1000;
	long long left = 2 * took < most ? 2 * took : most, lost = 0;
	do {
		long long before = now;
		now = clock_ns();
		long long step = now - before;
		left -= step < smooth ? step : smooth;
		lost += step < smooth ? 0 : step - reading;
	} while (left > 0);
	return took + lost;
}

// watch judges a timed call of a suspect function.
static void watch(guard *g, long long now, long long took) {
	if (took > _wherry_guard.budget) {
		__atomic_store_n(&g->watched, WATCHED, __ATOMIC_RELAXED); // it goes on
		if (__atomic_add_fetch(&g->points, points(took), __ATOMIC_RELAXED) >= PROVEN)
			demote(g, SUSPECT, took);
		return;
	}
	long long idled = idle(now, took);
	int ends = __atomic_sub_fetch(&g->watched, 1, __ATOMIC_RELAXED) <= 0;
	int against = idled > _wherry_guard.budget ? points(idled) : ends;
	if (against == 0)
		return;
	if (__atomic_sub_fetch(&g->points, against, __ATOMIC_RELAXED) < 0) {
		__atomic_store_n(&g->points, 0, __ATOMIC_RELAXED);
		ends = 1;
	}
	if (ends)
		change(g, SUSPECT, QUIET);
}

// _wherry_guard_begin comes before a timed call, _wherry_guard_end after it.
SHARED void _wherry_guard_begin(guard *g, sample *s) {
	slot *t = (slot *)((char *)&_wherry_guard_slots + g->slot);
	unsigned random = next_random();
	// From half a period to one and a half, or else a program that has a period
	// itself could hide its long calls.
	t->left = (short)(t->period / 2 + (int)(random >> 16) % (t->period + 1));
	t->period = t->period < PERIOD / 2 ? (short)(2 * t->period + 1) : PERIOD;
	s->state = __atomic_load_n(&g->state, __ATOMIC_RELAXED);
	s->limit = s->state == QUIET ? __atomic_load_n(&_wherry_guard.limit, __ATOMIC_RELAXED) : 0;
	s->ticks = s->limit != 0 ? ticks() : (unsigned long long)clock_ns();
}

SHARED void _wherry_guard_end(guard *g, sample *s) {
	if (s->limit != 0) {
		if (ticks() - s->ticks <= s->limit)
			return;
	} else {
		long long now = clock_ns(), took = now - (long long)s->ticks;
		if (s->state == QUIET)
			calibrate();
		if (_wherry_guard.budget < 0)
			return;
		if (s->state == SUSPECT) {
			watch(g, now, took);
			return;
		}
		if (took <= _wherry_guard.budget)
			return;
	}
	__atomic_store_n(&g->watched, WATCHED, __ATOMIC_RELAXED);
	change(g, QUIET, SUSPECT);
}

// _wherry_guard_cgo stands between Go and cgo's wrapper. It times calls on trial.
SHARED int _wherry_guard_cgo(void *frame, guard *g) {
	if (__atomic_load_n(&g->state, __ATOMIC_RELAXED) != TRIAL)
		return g->wrapper(frame);
	long long start = clock_ns();
	int result = g->wrapper(frame);
	long long took = clock_ns() - start;
	if (took > _wherry_guard.budget) {
		if (__atomic_add_fetch(&g->points, 1, __ATOMIC_RELAXED) >= REFUSED)
			demote(g, TRIAL, took);
		return result;
	}
	__atomic_store_n(&g->points, 0, __ATOMIC_RELAXED);
	if (__atomic_add_fetch(&g->watched, 1, __ATOMIC_RELAXED) >= _wherry_guard.trials)
		change(g, TRIAL, QUIET);
	return result;
}
