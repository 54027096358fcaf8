// Command lostsignal stops the world again and again while C threads come and go, whose
// callbacks are over when the signals that ask for them arrive. Then it collects while a thread
// that the runtime gives one of their m computes in a call.
package main

/*
#include <pthread.h>
#include <time.h>

extern void works(void);
extern void computing(void);

static int in_c, released;

static void release(void) { __atomic_store_n(&released, 1, __ATOMIC_RELEASE); }
static int computes_now(void) { return __atomic_load_n(&in_c, __ATOMIC_ACQUIRE); }

// computes until it is released, for at most 20 s.
static int computes(void) {
	struct timespec began, now;
	clock_gettime(CLOCK_MONOTONIC, &began);
	__atomic_store_n(&in_c, 1, __ATOMIC_RELEASE);
	do clock_gettime(CLOCK_MONOTONIC, &now);
	while (!__atomic_load_n(&released, __ATOMIC_ACQUIRE) && now.tv_sec <= began.tv_sec + 20);
	return released;
}

static void *thread(void *callbacks) {
	for (long i = (long)callbacks & 15; i > 0; i--) works();
	if ((long)callbacks & 16) computing();
	return 0;
}
static pthread_t id;
static void start(int callbacks) {
	in_c = released = 0;
	pthread_create(&id, 0, thread, (void *)(long)callbacks);
}
static void join(void) { pthread_join(id, 0); }
*/
import "C"

import (
	"fmt"
	"runtime"
	"sync/atomic"
	"time"
)

var sum atomic.Uint64

//export works
func works() {
	for range 2000 {
		sum.Add(1)
	}
}

//export computing
func computing() {
	if C.computes() == 0 {
		panic("nobody released it")
	}
}

func main() {
	stop, stopped := make(chan bool), make(chan bool)
	for range 10 {
		go func() {
			var stats runtime.MemStats
			for {
				select {
				case <-stop:
					stopped <- true
					return
				default:
					runtime.ReadMemStats(&stats)
				}
			}
		}()
		for range 50 {
			C.start(4)
			C.join()
		}
		stop <- true
		<-stopped
		for _, callbacks := range []C.int{16, 16 + 4} {
			C.start(callbacks)
			for C.computes_now() == 0 {
				time.Sleep(100 * time.Microsecond)
			}
			runtime.GC()
			C.release()
			C.join()
		}
	}
	fmt.Println("ok")
}
