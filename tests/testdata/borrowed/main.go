// Threads of C's come, call Go beside a busy collector, and end. What Go's runtime knew of
// them goes to the next ones. Their last callbacks call C that spins until Go has collected.
package main

/*
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

extern void briefly(void);
extern void waits(void);
static int released, waiting;

static void *calls(void *n) {
	for (long i = 0; i < (long)n; i++) {
		briefly();
		for (volatile int j = 0; j < 100; j++) ;
	}
	waits();
	return NULL;
}
static void run(int threads, long callbacks) {
	pthread_t t[16];
	for (int i = 0; i < threads; i++)
		if (pthread_create(&t[i], NULL, calls, (void *)callbacks) != 0)
			abort();
	for (int i = 0; i < threads; i++)
		pthread_join(t[i], NULL);
}
static void spin(void) {
	__atomic_add_fetch(&waiting, 1, __ATOMIC_RELEASE);
	while (!__atomic_load_n(&released, __ATOMIC_ACQUIRE)) ;
}
static void *spin_address(void) { return spin; }
static int spinning(void) { return __atomic_load_n(&waiting, __ATOMIC_ACQUIRE); }
static void release(int yes) { waiting = 0; __atomic_store_n(&released, yes, __ATOMIC_RELEASE); }

// A goroutine could not tell.
static void *watch(void *unused) { sleep(60); fprintf(stderr, "the program hangs\n"); _exit(3); return unused; }
static void start(void) { pthread_t t; if (pthread_create(&t, NULL, watch, NULL) != 0) abort(); }
*/
import "C"

import (
	"fmt"
	"runtime"
	"time"
	"unsafe"
)

var sum int

//export briefly
func briefly() {
	for i := range 300 {
		sum += i
	}
}

var spin = func() { C.spin() }

func spinAddress() unsafe.Pointer { return C.spin_address() }

//export waits
func waits() { spin() }

func main() {
	C.start()
	for range 4 {
		for _, callbacks := range []C.long{3000, 0} {
			stop, done := make(chan bool), make(chan bool)
			go collect(stop)
			go func() {
				C.run(8, callbacks)
				done <- true
			}()
			for C.spinning() == 0 {
				time.Sleep(time.Millisecond)
			}
			stop <- true
			runtime.GC()
			C.release(1)
			<-done
			C.release(0)
		}
	}
	fmt.Println("done")
}

func collect(stop chan bool) {
	for {
		select {
		case <-stop:
			return
		default:
			runtime.GC()
		}
	}
}
