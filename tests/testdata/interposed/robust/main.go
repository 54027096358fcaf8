// Robust mutexes whose owner has died, made consistent or not: then nobody can lock them any
// more. How they are locked does not matter, nor of what type they are.
package main

/*
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <time.h>

static pthread_mutex_t mutex;
static int way;

static int lock(void) {
	struct timespec soon;
	clock_gettime(CLOCK_REALTIME, &soon);
	soon.tv_sec++;
	switch (way) {
	case 0: return pthread_mutex_lock(&mutex);
	case 1: return pthread_mutex_timedlock(&mutex, &soon);
	default: return pthread_mutex_clocklock(&mutex, CLOCK_REALTIME, &soon);
	}
}

static void *dies(void *unused) { lock(); return unused; }
static void *locks(void *result) { *(int *)result = lock(); return NULL; }

static int elsewhere(void *(*f)(void *)) {
	pthread_t thread;
	int result = 0;
	pthread_create(&thread, NULL, f, &result);
	pthread_join(thread, NULL);
	return result;
}

static void begin(int type, int protocol) {
	pthread_mutexattr_t a;
	pthread_mutexattr_init(&a);
	pthread_mutexattr_settype(&a, type);
	pthread_mutexattr_setprotocol(&a, protocol);
	pthread_mutexattr_setrobust(&a, PTHREAD_MUTEX_ROBUST);
	pthread_mutex_init(&mutex, &a);
	elsewhere(dies);
	printf("%d %d %d:", way, type, protocol);
}

static void recovers(void) {
	printf(" %d", lock());
	printf(" %d", pthread_mutex_consistent(&mutex));
	printf(" %d", pthread_mutex_unlock(&mutex));
	printf(" %d", lock());
	printf(" %d", pthread_mutex_unlock(&mutex));
	printf(" %d", elsewhere(locks));
	printf(" %d", lock());
	printf(" %d\n", pthread_mutex_unlock(&mutex));
}

static void does_not(void) {
	printf(" %d", lock());
	printf(" %d", pthread_mutex_unlock(&mutex));
	printf(" %d", lock());
	printf(" %d", lock());
	printf(" %d", elsewhere(locks));
	printf(" %d", lock());
	printf(" %d\n", pthread_mutex_destroy(&mutex));
}

// The way is fixed while a mutex is there.
static void with(int w, int type, int protocol) {
	way = w;
	begin(type, protocol);
	recovers();
	begin(type, protocol);
	does_not();
	fflush(stdout);
}
enum { NORMAL = PTHREAD_MUTEX_NORMAL, RECURSIVE = PTHREAD_MUTEX_RECURSIVE, CHECKS = PTHREAD_MUTEX_ERRORCHECK };
enum { NONE = PTHREAD_PRIO_NONE, INHERIT = PTHREAD_PRIO_INHERIT };
*/
import "C"

func main() {
	for way := range C.int(3) {
		for _, kind := range []C.int{C.NORMAL, C.RECURSIVE, C.CHECKS} {
			C.with(way, kind, C.NONE)
			C.with(way, kind, C.INHERIT)
		}
	}
}
