// C that spins until Go has collected garbage and called C again, where C has blocked all signals: as a
// program and as a library for a host.
package main

/*
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>

static void block_signals(void) {
	sigset_t all;
	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, NULL);
}
static atomic_int flag;
static void set(int to) { flag = to; }
static int spins(void) {
	while (!flag) {}
	return 7;
}
*/
import "C"

import (
	"fmt"
	"runtime"
	"time"
)

//export Spin
func Spin() C.int {
	C.set(0)
	go func() {
		time.Sleep(5 * time.Millisecond)
		runtime.GC()
		C.set(1)
	}()
	return C.spins()
}

func main() {
	runtime.LockOSThread()
	C.block_signals()
	for range 3 {
		fmt.Println(Spin())
	}
}
