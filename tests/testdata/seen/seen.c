#include "_cgo_export.h"
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define KEPT __attribute__((noinline, noclone))

static char *volatile nowhere = (char *)8;

// inner computes, or dies.
static KEPT unsigned inner(unsigned n, int how) {
	unsigned sum = 1;
	if (n == 0)
		switch (how) {
		case SEGV: *(volatile int *)8 = 1; break;
		case CALL: ((void (*)(void))8)(); break;
		case BUS: raise(SIGBUS); break;
		case FPE: raise(SIGFPE); break;
		case ILL: __builtin_trap(); break;
		case ABRT: abort();
		case QUIT: raise(SIGQUIT); break;
		case FILL: memset(nowhere, how, 1 << 16); break;
		case DEEP: return inner(0, how) + inner(0, how) + (unsigned)(size_t)&sum;
		}
	while (n-- > 0)
		sum = sum * 31 + (sum >> 7) + n;
	return sum;
}
static KEPT unsigned outer(unsigned n, int how) { return inner(n, how) + 1; }

unsigned in_flight(unsigned n, int how) { return outer(n, how) + 2; }
unsigned by_cgo(unsigned n, int how) { return outer(n, how) + 2; }
unsigned turned(unsigned n, int how) { return (unsigned)usleep(1) * 0 + outer(n, how); }
unsigned called_back(unsigned n, int how) {
	back();
	return outer(n, how) + 2;
}

unsigned nests(unsigned n, int how) { return again(n, how) + 2; }
unsigned nests_by_cgo(unsigned n, int how) { return again(n, how) + 3; }

static int less(const void *a, const void *b) { return (int)outer(*(const unsigned *)a & 0xffff, *(const int *)b >> 16); }
unsigned below_qsort(unsigned n, int how) {
	unsigned of[2] = {n, n | (unsigned)how << 16};
	qsort(of, 2, sizeof of[0], less);
	return of[0];
}

static long used_here(void) { // milliseconds of the thread's
	struct timespec t;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return t.tv_sec * 1000 + t.tv_nsec / 1000000;
}
static inline __attribute__((always_inline)) void *computes_on(unsigned *n) {
	for (long begun = used_here(); used_here() - begun < 250;)
		*n += outer(100000, 0);
	return NULL;
}
static void *computes(void *of) { return computes_on(of); }
static void *calls_back(void *of) {
	for (int i = 0; i < 20000; i++) // so often that it comes to hold its P
		back();
	for (int i = 0; i < 500000; i++)
		ofThread(500);
	return computes_on(of);
}
static unsigned on_thread(void *(*runs)(void *)) {
	pthread_t t;
	unsigned n = 1;
	pthread_create(&t, NULL, runs, &n);
	pthread_join(t, NULL);
	return n;
}
unsigned on_threads(unsigned n, int how) { return on_thread(computes) + on_thread(calls_back) + n + (unsigned)how; }
