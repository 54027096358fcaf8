// Command handedon has a handler of C's for faults that is older than Go's, as libraries that are
// loaded before main have: Go hands on to it what C does, and it leaves by siglongjmp.
package main

/*
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>

void back(void);

static __thread sigjmp_buf from;
static void leaves(int sig, siginfo_t *info, void *context) { siglongjmp(from, sig); }
__attribute__((constructor)) static void early(void) {
	struct sigaction act = {.sa_sigaction = leaves, .sa_flags = SA_SIGINFO | SA_ONSTACK};
	sigaction(SIGSEGV, &act, NULL);
}
static int faults(uintptr_t at) {
	if (sigsetjmp(from, 1) != 0)
		return 1;
	return *(volatile int *)at & 0;
}
static int calls_back(uintptr_t at) {
	back();
	return faults(at) + faults(at);
}
*/
import "C"

import (
	"fmt"
	"runtime"
)

var backs int

//export back
func back() { backs++ }

//go:noinline
func deep(n int) int {
	var room [100]int
	if n > 0 {
		room[n%100] = deep(n - 1)
	}
	return room[n%100] + 1
}

func main() {
	const bad = 8
	var faults, calls C.int
	for range 50 {
		faults += C.faults(bad)
		calls += C.calls_back(bad)
		deep(500)
		runtime.GC()
	}
	done := make(chan C.int)
	for range 4 {
		go func() {
			var n C.int
			for range 50 {
				n += C.faults(bad)
				runtime.Gosched()
			}
			done <- n
		}()
	}
	for range 4 {
		faults += <-done
	}
	fmt.Println(faults, calls, backs)
	defer func() { fmt.Println("panics:", recover()) }()
	var none *int
	*none = 1 // Go's own fault is Go's
}
