// What C does for the program of each target: it computes, calls back, runs until Go
// says stop, waits until Go says go on, and has a thread that calls back.

#include <pthread.h>
#include <stddef.h>

typedef int (*callback)(int);

static int add(int a, int b) { return a + b; }

static long calls(callback back, int n) {
	long sum = 0;
	for (int i = 0; i < n; i++)
		sum += back(i);
	return sum;
}

static volatile int inside, stopped;
static int spins(int n) {
	inside = 1;
	while (!stopped)
		;
	inside = stopped = 0;
	return n;
}
static int is_inside(void) { return inside; }
static void stop(void) { stopped = 1; }

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int waiting, opened;
static int waits(int n) {
	pthread_mutex_lock(&lock);
	waiting = 1;
	while (!opened)
		pthread_cond_wait(&changed, &lock);
	waiting = opened = 0;
	pthread_mutex_unlock(&lock);
	return n;
}
static int is_waiting(void) {
	pthread_mutex_lock(&lock);
	int is = waiting;
	pthread_mutex_unlock(&lock);
	return is;
}
static void go_on(void) {
	pthread_mutex_lock(&lock);
	opened = 1;
	pthread_cond_signal(&changed);
	pthread_mutex_unlock(&lock);
}

struct job {
	callback back;
	int n;
	long sum;
	void *queue; // or NULL
};
static void post(struct job *);
static void *work(void *p) {
	struct job *j = p;
	j->sum = calls(j->back, j->n);
	post(j);
	return NULL;
}
// on_thread returns what calls returns, called by another thread.
static long on_thread(callback back, int n, void *queue) {
	struct job j = {back, n, -1, queue};
	pthread_t thread;
	if (pthread_create(&thread, NULL, work, &j) != 0 || pthread_join(thread, NULL) != 0)
		return -1;
	return j.sum;
}
