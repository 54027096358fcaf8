// Threads that C creates and that call Go, again and again, until they are to end.
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "calls.h"

extern long goNext(long);
extern void goAllocates(void);
extern void goValue(char *key, char *value);

enum { MOST_THREADS = 8 };
static struct {
	_Alignas(128) pthread_t id; // the counters in different cache lines
	long callbacks;
} threads[MOST_THREADS];
static int gap_kind, work_kind;
static long gap;
static unsigned gap_rounds;
static volatile int ends;

// task gets a value from Go, which copies it by C: the program of golang/go issue 60961 in
// its shape, with threads of C's own.
static void task(long i) {
	char *key = malloc(32), *value = malloc(32);
	memset(key, (int)i, 32);
	goValue(key, value);
	if (memcmp(key, value, 32) != 0)
		abort();
	free(key);
	free(value);
}

static void *calls_go(void *n) {
	long *callbacks = n;
	unsigned x = 1;
	struct timespec t = {gap / 1000000000, gap % 1000000000};
	for (long i = 0; !ends; i++) {
		switch (work_kind) {
		case ADDS:
			if (goNext(i) != i + 1)
				abort();
			break;
		case ALLOCATES: goAllocates(); break;
		case TASKS: task(i); break;
		}
		++*callbacks;
		switch (gap_kind) {
		case GAP_COMPUTES: x = compute(x, gap_rounds); break;
		case GAP_SLEEPS: nanosleep(&t, NULL); break;
		case GAP_RAW: wait_raw(RAW_FUTEX, (int)(gap / 1000)); break;
		}
	}
	return NULL;
}

void start_threads(int n, int kind, long nanoseconds, unsigned rounds, int work) {
	gap_kind = kind, gap = nanoseconds, gap_rounds = rounds, work_kind = work, ends = 0;
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
