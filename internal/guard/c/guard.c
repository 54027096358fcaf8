// The timing guard of direct calls. A guarded function that turns out to take
// longer than the budget goes back to cgo, or is *demoted*. One copy of this
// file is compiled into each package that needs it; its symbols are weak.
//
// At first a function is on TRIAL: it is called by cgo, and timed there. Only when
// a few calls were short it is called directly, so that one whose calls are long
// from the start never holds up the collector. Then its state is QUIET:
//
// Reading the clock costs more than a direct call, so few calls are timed: of
// each thread the first, the second, the fourth ... and then about one in
// PERIOD, after a counter of the thread's own, so that threads share nothing.
//
// A timed call that takes too long proves little: the kernel may have taken the
// processor away meanwhile. It makes the function SUSPECT: the next WATCHED calls
// are all timed, and what the kernel took is left out. CONFIRMED long ones make
// the function DEMOTED; each makes the suspicion last longer, and each suspicion
// that ends takes one back. A function of which one call in 300 is long is demoted
// within 1,000 long ones in 996 of 1,000 cases, most within 200; guard_test.go
// counts. Where all calls are long, it takes one thread at most 3/2 PERIOD and a
// few. The state is written only then; calls read it, and find it in their cache.

#define _GNU_SOURCE
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
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
enum { PERIOD = 128, CONFIRMED = 6, WATCHED = 1024, TRIALS = 4 };

// A guard is the data of one function, in a cache line of its own. The assembly
// of internal/enter defines it.
typedef struct {
	unsigned short state;
	unsigned slot;       // in _wherry_guard_slots, bytes
	void (*target)(void);
	const char *name, *package;
	int confirmed;       // long calls
	int watched;         // calls to time before the suspicion ends; short ones on trial
	long long longest;   // of the confirmed, ns
	int (*wrapper)(void *frame); // cgo's
	long unused;
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
	long long cpu;            // the thread's processor time, ns
	long switches;            // how often the kernel took the processor away
	int error;                // errno
} sample;

// Settings and what was learned about the counter. Written at start and once.
SHARED struct {
	long long budget;         // ns, or -1 for off
	unsigned long long limit; // the budget in ticks; 0 while it is not known
	unsigned long long ticks; // at start
	long long ns;             // at start
	int verbose, started, steady, trials;
} _wherry_guard;

static int change(guard *g, unsigned short from, unsigned short to) {
	return __atomic_compare_exchange_n(&g->state, &from, to, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}

static long long clock_ns(clockid_t id) {
	struct timespec t;
	clock_gettime(id, &t);
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
	*ns = clock_ns(CLOCK_MONOTONIC);
	*counted = ticks();
	return clock_ns(CLOCK_MONOTONIC) - *ns < 10000;
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

// begin_closely begins a sample from which what the kernel took can be told.
static void begin_closely(sample *s) {
	struct rusage usage;
	s->error = errno;
	getrusage(RUSAGE_THREAD, &usage);
	s->switches = usage.ru_nivcsw;
	s->cpu = clock_ns(CLOCK_THREAD_CPUTIME_ID);
	errno = s->error;
	s->ticks = (unsigned long long)clock_ns(CLOCK_MONOTONIC);
}

// interrupted tells whether the kernel took the processor away, which explains
// why a call was long. Being taken off the processor was measured to cost a thread
// 12 to 20 us of its own time, and more on hosts that are shared: 0.1 ms is allowed,
// each time. A call that is longer shows all the same.
static int interrupted(sample *s) {
	int error = errno;
	long long cpu = clock_ns(CLOCK_THREAD_CPUTIME_ID) - s->cpu;
	struct rusage usage;
	getrusage(RUSAGE_THREAD, &usage);
	errno = error;
	long switches = usage.ru_nivcsw - s->switches;
	return switches > 0 && cpu <= _wherry_guard.budget + 100000 * switches;
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

// confirm counts a long call, and after enough of them demotes.
static void confirm(guard *g, unsigned short state, long long took) {
	if (took > __atomic_load_n(&g->longest, __ATOMIC_RELAXED))
		__atomic_store_n(&g->longest, took, __ATOMIC_RELAXED);
	if (__atomic_add_fetch(&g->confirmed, 1, __ATOMIC_RELAXED) >= CONFIRMED)
		demote(g, state, took);
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
	if (s->state == QUIET) {
		s->limit = __atomic_load_n(&_wherry_guard.limit, __ATOMIC_RELAXED);
		s->ticks = s->limit != 0 ? ticks() : (unsigned long long)clock_ns(CLOCK_MONOTONIC);
		return;
	}
	begin_closely(s);
}

// forget takes one confirmed call back for each suspicion that ended: interrupts
// and hypervisors make calls long that not even the kernel knows of.
static void forget(guard *g) {
	int n = __atomic_load_n(&g->confirmed, __ATOMIC_RELAXED);
	if (n > 0)
		__atomic_compare_exchange_n(&g->confirmed, &n, n - 1, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}

SHARED void _wherry_guard_end(guard *g, sample *s) {
	if (s->state == QUIET && s->limit != 0) {
		if (ticks() - s->ticks <= s->limit)
			return;
	} else {
		long long now = clock_ns(CLOCK_MONOTONIC), took = now - (long long)s->ticks;
		if (s->state == QUIET)
			calibrate();
		if (_wherry_guard.budget < 0)
			return;
		if (s->state == SUSPECT && __atomic_sub_fetch(&g->watched, 1, __ATOMIC_RELAXED) <= 0 && change(g, SUSPECT, QUIET))
			forget(g);
		if (took <= _wherry_guard.budget)
			return;
		if (s->state == SUSPECT) {
			if (interrupted(s))
				return;
			__atomic_store_n(&g->watched, WATCHED, __ATOMIC_RELAXED); // it goes on
			confirm(g, SUSPECT, took);
			return;
		}
	}
	__atomic_store_n(&g->watched, WATCHED, __ATOMIC_RELAXED);
	change(g, QUIET, SUSPECT);
}

// _wherry_guard_cgo stands between Go and cgo's wrapper. It times calls on trial.
SHARED int _wherry_guard_cgo(void *frame, guard *g) {
	if (__atomic_load_n(&g->state, __ATOMIC_RELAXED) != TRIAL)
		return g->wrapper(frame);
	sample s;
	begin_closely(&s);
	int result = g->wrapper(frame);
	long long took = clock_ns(CLOCK_MONOTONIC) - (long long)s.ticks;
	if (took <= _wherry_guard.budget) {
		if (__atomic_add_fetch(&g->watched, 1, __ATOMIC_RELAXED) >= _wherry_guard.trials) {
			__atomic_store_n(&g->confirmed, 0, __ATOMIC_RELAXED);
			change(g, TRIAL, QUIET);
		}
	} else if (!interrupted(&s)) {
		confirm(g, TRIAL, took);
	}
	return result;
}
