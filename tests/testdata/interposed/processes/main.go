// Processes that share a thread's memory, its thread-local data too, and wait while calls of
// that thread are in flight.
package main

/*
#define _GNU_SOURCE
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static volatile int over;

static int child(void *way) {
	while (!over) {
		if (way == NULL) {
			usleep(10);
		} else {
			poll(NULL, 0, 1);
			pthread_mutex_lock(&mutex);
			pthread_mutex_unlock(&mutex);
			sched_yield();
		}
	}
	_exit(7);
}

static int start(int way) {
	enum { SIZE = 65536 };
	char *stack = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	return clone(child, stack + SIZE, CLONE_VM | CLONE_FS | CLONE_FILES | SIGCHLD, way ? &mutex : NULL);
}

static void stop(void) { over = 1; }

static int reap(int process) {
	int status = -1;
	while (waitpid(process, &status, 0) == -1) {}
	return WIFEXITED(status) ? WEXITSTATUS(status) : -status;
}

static long spin(long n) {
	volatile long x = 0;
	for (long i = 0; i < n; i++)
		x += i;
	return n;
}
*/
import "C"

import (
	"fmt"
	"runtime"
)

func main() {
	runtime.LockOSThread() // calls are made where the processes were started
	processes := []C.int{C.start(0), C.start(1), C.start(0)}
	sum := C.long(0)
	for i := range 20_000 {
		sum += C.spin(C.long(i%3) * 10_000)
		if i%100 == 0 {
			runtime.Gosched()
		}
	}
	C.stop()
	for _, process := range processes {
		fmt.Println(C.reap(process))
	}
	fmt.Println(sum)
}
