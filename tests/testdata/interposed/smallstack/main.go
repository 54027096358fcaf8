// Smallstack calls C that takes a small stack of its own for signal handlers while it computes:
// through cgo the runtime sends no signal meanwhile. So does a thread that C has created,
// between many callbacks.
package main

/*
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum { SIZE = 4096, GUARD = 65536 };
extern void back(void);
static __thread stack_t old;
static __thread char *place;

// Below the stack nothing may be written.
static void take(void) {
	if (place == NULL) {
		place = mmap(NULL, 2 * GUARD, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		mprotect(place, GUARD, PROT_NONE);
	}
	stack_t small = {.ss_sp = place + GUARD, .ss_size = SIZE};
	if (sigaltstack(&small, &old) != 0)
		perror("sigaltstack");
}

static void put_back(void) { sigaltstack(&old, NULL); }

static void compute(int ms) {
	struct timespec begin, now;
	clock_gettime(CLOCK_MONOTONIC, &begin);
	do
		clock_gettime(CLOCK_MONOTONIC, &now);
	while ((now.tv_sec - begin.tv_sec) * 1000 + (now.tv_nsec - begin.tv_nsec) / 1000000 < ms);
}

static void work(int ms) {
	take();
	compute(ms);
	put_back();
}

static void *thread(void *ms) {
	for (int n = 0; n < 10; n++) {
		for (int i = 0; i < 20000; i++)
			back();
		work(*(int *)ms);
	}
	return NULL;
}

static void on_thread(int ms) {
	pthread_t t;
	pthread_create(&t, NULL, thread, &ms);
	pthread_join(t, NULL);
}

static void wrong(void) {
	stack_t tiny = {.ss_sp = place + GUARD, .ss_size = 1};
	int result = sigaltstack(&tiny, NULL);
	printf("too small: %d %d\n", result, errno == ENOMEM);
	result = sigaltstack((stack_t *)1, NULL);
	printf("no address: %d %d\n", result, errno == EFAULT);
	fflush(stdout);
}
*/
import "C"

import (
	"fmt"
	"runtime"
)

//export back
func back() {}

func main() {
	go func() {
		for {
			runtime.GC()
		}
	}()
	for range 20 {
		C.work(20)
	}
	C.on_thread(20)
	C.wrong()
	fmt.Println("done")
}
