// The program has the linker send its own calls of functions elsewhere, and defines some
// of the C library's itself.
package main

/*
#cgo LDFLAGS: -Wl,--wrap=usleep -Wl,--wrap=pthread_cond_wait
#include <pthread.h>
#include <sys/file.h>
#include <unistd.h>

extern int slept, waited, locked;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static int done;

static void *ends_wait(void *unused) {
	usleep(1000);
	pthread_mutex_lock(&mutex);
	done = 1;
	pthread_cond_signal(&condition);
	pthread_mutex_unlock(&mutex);
	return unused;
}

static int waits(void) {
	pthread_t thread;
	done = 0;
	pthread_mutex_lock(&mutex); // until this one waits
	pthread_create(&thread, NULL, ends_wait, NULL);
	while (!done)
		pthread_cond_wait(&condition, &mutex);
	pthread_mutex_unlock(&mutex);
	pthread_join(thread, NULL);
	return flock(1, 2);
}

static int counted(void) { return slept * 100 + (waited > 0) * 10 + locked; }
*/
import "C"

import "fmt"

func main() {
	for range 3 {
		fmt.Println(C.waits(), C.counted())
	}
}
