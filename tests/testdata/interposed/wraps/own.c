#include <pthread.h>
#include <unistd.h>

int slept, waited, locked;

int __real_usleep(useconds_t microseconds);
int __wrap_usleep(useconds_t microseconds) {
	slept++;
	return __real_usleep(microseconds);
}

int __real_pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex);
int __wrap_pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex) {
	waited++;
	return __real_pthread_cond_wait(condition, mutex);
}

int flock(int file, int operation) { return ++locked * 1000 + file + operation; }
