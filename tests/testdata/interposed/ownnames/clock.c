// A clock for tests, which stands still while it is set.
#include <pthread.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long now;

int clock_gettime(clockid_t clock, struct timespec *to) {
	(void)clock;
	pthread_mutex_lock(&lock);
	to->tv_sec = now / 1000, to->tv_nsec = now % 1000;
	pthread_mutex_unlock(&lock);
	return 0;
}

long advance(long ticks) {
	pthread_mutex_lock(&lock);
	for (long i = 0; i < ticks; i++)
		for (volatile long n = 0; n < 300000; n++) now += n == 0;
	pthread_mutex_unlock(&lock);
	return ticks;
}

long ticks(void) {
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000 + t.tv_nsec;
}
