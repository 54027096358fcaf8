package scenarios

/*
#include <pthread.h>
#include <signal.h>

extern int goNext(int);

static int callback(int times, int x) {
	for (int i = 0; i < times; i++) x = goNext(x);
	return x;
}

struct work { int times, x; };
static void *work(void *arg) {
	struct work *w = arg;
	w->x = callback(w->times, w->x);
	return 0;
}
// thread calls back from a thread that C made.
static int thread(int times, int x) {
	struct work w = {times, x};
	pthread_t t;
	if (pthread_create(&t, 0, work, &w) != 0) return -1;
	pthread_join(t, 0);
	return w.x;
}
*/
import "C"

//wherry:reentrant callback

//export goNext
func goNext(x C.int) C.int { return (x + 1) & mask }

// callbacks calls a C function n times, which calls Go so many times.
func callbacks(n, times int) bool {
	x := C.int(0)
	for range n {
		x = C.callback(C.int(times), x)
	}
	return x == C.int(times*n&mask)
}

// thread calls back n times from one thread of C.
func thread(n int) bool { return C.thread(C.int(n), 0) == C.int(n&mask) }
