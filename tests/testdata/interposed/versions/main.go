// C that asks for the condition variables of old programs, which keep their state elsewhere
// than today's, and uses both kinds; and for today's by its version.
package main

/*
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

#if defined(__x86_64__)
int old_wait(pthread_cond_t *, pthread_mutex_t *);
int old_timedwait(pthread_cond_t *, pthread_mutex_t *, const struct timespec *);
int old_signal(pthread_cond_t *);
int new_wait(pthread_cond_t *, pthread_mutex_t *);
__asm__(".symver old_wait, pthread_cond_wait@GLIBC_2.2.5\n"
	".symver old_timedwait, pthread_cond_timedwait@GLIBC_2.2.5\n"
	".symver old_signal, pthread_cond_signal@GLIBC_2.2.5\n"
	".symver new_wait, pthread_cond_wait@GLIBC_2.3.2\n");
#else // has no old ones
#define old_wait pthread_cond_wait
#define old_timedwait pthread_cond_timedwait
#define old_signal pthread_cond_signal
#define new_wait pthread_cond_wait
#endif

typedef struct waiting {
	int (*wait)(pthread_cond_t *, pthread_mutex_t *);
	int (*signal)(pthread_cond_t *);
	pthread_mutex_t mutex;
	pthread_cond_t condition;
	int done;
} waiting;

static void *ends_wait(void *argument) {
	waiting *w = argument;
	usleep(20000);
	pthread_mutex_lock(&w->mutex);
	w->done = 1;
	w->signal(&w->condition);
	pthread_mutex_unlock(&w->mutex);
	return NULL;
}

static int timed(pthread_cond_t *condition, pthread_mutex_t *mutex) {
	struct timespec far = {5000000000, 0};
	return old_timedwait(condition, mutex, &far);
}

static int waits(int way) {
	static waiting all[] = {
		{old_wait, old_signal, PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0},
		{timed, old_signal, PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0},
		{pthread_cond_wait, pthread_cond_signal, PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0},
		{new_wait, pthread_cond_signal, PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0},
	};
	waiting *w = &all[way];
	pthread_t thread;
	pthread_create(&thread, NULL, ends_wait, w);
	pthread_mutex_lock(&w->mutex);
	while (!w->done)
		w->wait(&w->condition, &w->mutex);
	pthread_mutex_unlock(&w->mutex);
	pthread_join(thread, NULL);
	return w->done;
}

// Versions have addresses of their own.
static int differ(void) { return (void *)old_wait != (void *)new_wait; }
static int same(void) { return (void *)new_wait == (void *)pthread_cond_wait; }
*/
import "C"

import "fmt"

func main() {
	for way := range 4 {
		fmt.Println(C.waits(C.int(way)))
	}
	fmt.Println(C.differ(), C.same())
}
