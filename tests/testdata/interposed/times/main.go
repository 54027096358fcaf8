// Locks with a time limit, free and held, given times and clocks of all kinds. Where the
// C library refuses an argument before it looks at the lock, the lock stays free.
package main

/*
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <threads.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static mtx_t mtx;
static sem_t semaphore;

static int result_of(int result) { return result == 0 ? 0 : errno; }

static int mutex_timed(clockid_t c, const struct timespec *t) { (void)c; return pthread_mutex_timedlock(&mutex, t); }
static int mutex_clock(clockid_t c, const struct timespec *t) { return pthread_mutex_clocklock(&mutex, c, t); }
static int read_timed(clockid_t c, const struct timespec *t) { (void)c; return pthread_rwlock_timedrdlock(&rwlock, t); }
static int read_clock(clockid_t c, const struct timespec *t) { return pthread_rwlock_clockrdlock(&rwlock, c, t); }
static int write_timed(clockid_t c, const struct timespec *t) { (void)c; return pthread_rwlock_timedwrlock(&rwlock, t); }
static int write_clock(clockid_t c, const struct timespec *t) { return pthread_rwlock_clockwrlock(&rwlock, c, t); }
static int c11_timed(clockid_t c, const struct timespec *t) { (void)c; return mtx_timedlock(&mtx, t); }
static int sem_timed(clockid_t c, const struct timespec *t) { (void)c; return result_of(sem_timedwait(&semaphore, t)); }
static int sem_clock(clockid_t c, const struct timespec *t) { return result_of(sem_clockwait(&semaphore, c, t)); }

static int mutex_free(void) { return pthread_mutex_unlock(&mutex); }
static int rwlock_free(void) { return pthread_rwlock_unlock(&rwlock); }
static int mtx_free(void) { return mtx_unlock(&mtx); }
static int semaphore_free(void) { return sem_post(&semaphore); }

static const struct { const char *name; int (*lock)(clockid_t, const struct timespec *); int (*free)(void); } locks[] = {
	{"pthread_mutex_timedlock", mutex_timed, mutex_free}, {"pthread_mutex_clocklock", mutex_clock, mutex_free},
	{"pthread_rwlock_timedrdlock", read_timed, rwlock_free}, {"pthread_rwlock_clockrdlock", read_clock, rwlock_free},
	{"pthread_rwlock_timedwrlock", write_timed, rwlock_free}, {"pthread_rwlock_clockwrlock", write_clock, rwlock_free},
	{"mtx_timedlock", c11_timed, mtx_free}, {"sem_timedwait", sem_timed, semaphore_free}, {"sem_clockwait", sem_clock, semaphore_free},
};
static const struct timespec times[] = {{0, 0}, {1, 999999999}, {0, -5}, {0, 1000000000}, {-1, 0}, {5000000000, 0}};
static const clockid_t clocks[] = {CLOCK_REALTIME, CLOCK_MONOTONIC, CLOCK_THREAD_CPUTIME_ID, 12345, -1};

static void all(void) {
	mtx_init(&mtx, mtx_timed);
	sem_init(&semaphore, 0, 1);
	for (size_t l = 0; l < sizeof locks / sizeof locks[0]; l++)
		for (size_t c = 0; c < sizeof clocks / sizeof clocks[0]; c++)
			for (size_t t = 0; t < sizeof times / sizeof times[0]; t++) {
				errno = 0;
				int first = locks[l].lock(clocks[c], &times[t]), its_errno = errno, second = -1;
				if (first == 0) {
					if (times[t].tv_sec < 1000000) // or it would wait
						second = locks[l].lock(clocks[c], &times[t]);
					locks[l].free();
					if (second == 0)
						locks[l].free();
				}
				printf("%s clock %d time %ld %ld: %d %d %d\n", locks[l].name, clocks[c], times[t].tv_sec, times[t].tv_nsec, first, its_errno,
					second);
			}
	printf("without a time: %d\n", mutex_timed(0, NULL));
	mutex_free();
}

// A thread that has been cancelled, and then waits for a semaphore that is free.
static void *cancelled(void *how) {
	struct timespec later = {5000000000, 0};
	pthread_cancel(pthread_self());
	if (how == NULL)
		sem_wait(&semaphore);
	else
		sem_timedwait(&semaphore, &later);
	return NULL;
}

static void cancel(void) {
	for (int timed = 0; timed < 2; timed++) {
		pthread_t thread;
		void *result = NULL;
		int value = -1;
		pthread_create(&thread, NULL, cancelled, timed ? &mutex : NULL);
		pthread_join(thread, &result);
		sem_getvalue(&semaphore, &value);
		printf("cancelled: %d, semaphore %d\n", result == PTHREAD_CANCELED, value);
	}
	fflush(stdout);
}
*/
import "C"

func main() {
	C.all()
	C.cancel()
}
