package main

/*
#include <pthread.h>
#include <signal.h>

extern int goNext(int);

static int repeat(int times, int x) {
	for (int i = 0; i < times; i++) x = goNext(x);
	return x;
}
static int callback_cgo(int times, int x) { return repeat(times, x); }
static int callback_reentrant(int times, int x) { return repeat(times, x); }

struct work { int times, x, lends; };
static void *work(void *arg) {
	struct work *w = arg;
	if (!w->lends) { // a thread does not lend that cannot be asked for its P
		sigset_t urgent;
		goNext(0); // Go unblocks signals in the first callback
		sigemptyset(&urgent);
		sigaddset(&urgent, SIGURG);
		pthread_sigmask(SIG_BLOCK, &urgent, 0);
	}
	w->x = repeat(w->times, w->x);
	return 0;
}
// thread calls back from a thread that C made.
static int thread(int times, int x, int lends) {
	struct work w = {times, x, lends};
	pthread_t t;
	if (pthread_create(&t, 0, work, &w) != 0) return -1;
	pthread_join(t, 0);
	return w.x;
}
*/
import "C"

import (
	"runtime"
	"sync"

	"github.com/wherrygo/wherry/internal/measure/probe"
)

//wherry:cgo callback_cgo thread
//wherry:reentrant callback_reentrant

//export goNext
func goNext(x C.int) C.int { return (x + 1) & mask }

// oneMoreP is for threads that lend: one P stays with Go.
var oneMoreP = sync.OnceFunc(func() { runtime.GOMAXPROCS(runtime.GOMAXPROCS(0) + 1) })

// callbacks are C functions that call a Go function, which adds 1.
var callbacks = []probe.Scenario{
	{Bench: "callback/1", Variant: "cgo", What: "a call with a callback", Run: func(n int) bool {
		x := C.int(0)
		for range n {
			x = C.callback_cgo(1, x)
		}
		return x == C.int(n&mask)
	}},
	{Bench: "callback/1", Variant: "reentrant", What: "a call with a callback", Run: func(n int) bool {
		x := C.int(0)
		for range n {
			x = C.callback_reentrant(1, x)
		}
		return x == C.int(n&mask)
	}},
	{Bench: "callback/100", Variant: "cgo", What: "a call with 100 callbacks", Run: func(n int) bool {
		x := C.int(0)
		for range n {
			x = C.callback_cgo(100, x)
		}
		return x == C.int(100*n&mask)
	}},
	{Bench: "callback/100", Variant: "reentrant", What: "a call with 100 callbacks", Run: func(n int) bool {
		x := C.int(0)
		for range n {
			x = C.callback_reentrant(100, x)
		}
		return x == C.int(100*n&mask)
	}},
	{Bench: "callback/thread", Variant: "cgo", What: "a callback from a C thread", Least: 50_000, Run: func(n int) bool {
		return C.thread(C.int(n), 0, 0) == C.int(n&mask)
	}},
	{Bench: "callback/thread", Variant: "lent", What: "a callback from a C thread", Least: 1_000_000, Run: func(n int) bool {
		oneMoreP()
		return C.thread(C.int(n), 0, 1) == C.int(n&mask)
	}},
}
