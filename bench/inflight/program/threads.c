// Threads that C creates and that call Go, again and again, until they are to end.
#include <pthread.h>
#include <stdlib.h>
#include <time.h>
#include "calls.h"

extern long goNext(long);
extern void goAllocates(void);

enum { MOST_THREADS = 8 };
static struct {
	_Alignas(128) pthread_t id; // the counters in different cache lines
	long callbacks;
} threads[MOST_THREADS];
static int gap_kind, allocates;
static long gap;
static unsigned gap_rounds;
static volatile int ends;

static void *calls_go(void *n) {
	long *callbacks = n;
	unsigned x = 1;
	struct timespec t = {gap / 1000000000, gap % 1000000000};
	for (long i = 0; !ends; i++) {
		if (allocates)
			goAllocates();
		else if (goNext(i) != i + 1)
			abort();
		++*callbacks;
		switch (gap_kind) {
		case GAP_COMPUTES: x = compute(x, gap_rounds); break;
		case GAP_SLEEPS: nanosleep(&t, NULL); break;
		case GAP_RAW: wait_raw(RAW_FUTEX, (int)(gap / 1000)); break;
		}
	}
	return NULL;
}

void start_threads(int n, int kind, long nanoseconds, unsigned rounds, int allocate) {
	gap_kind = kind, gap = nanoseconds, gap_rounds = rounds, allocates = allocate, ends = 0;
	for (int i = 0; i < n; i++) {
		threads[i].callbacks = 0;
		if (pthread_create(&threads[i].id, NULL, calls_go, &threads[i].callbacks) != 0)
			abort();
	}
}

long callbacks_of_threads(int n) {
	long sum = 0;
	for (int i = 0; i < n; i++)
		sum += __atomic_load_n(&threads[i].callbacks, __ATOMIC_RELAXED);
	return sum;
}

void end_threads(int n) {
	ends = 1;
	for (int i = 0; i < n; i++)
		pthread_join(threads[i].id, NULL);
}

static void *lives(void *n) {
	for (long i = 0; i < (long)n; i++)
		if (goNext(i) != i + 1)
			abort();
	return NULL;
}

void thread_lives(long callbacks) {
	pthread_t id;
	if (pthread_create(&id, NULL, lives, (void *)callbacks) != 0)
		abort();
	pthread_join(id, NULL);
}
