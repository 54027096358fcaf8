package main

/*
#include <stdatomic.h>
#include <stdlib.h>

// What ReadMemStats writes while the world is stopped tells the first call after the stop.
static _Atomic unsigned long *written;
static atomic_ulong calls, asked_at, stopped_at;
static atomic_int asked, stopped;
static unsigned spin(unsigned n) {
	unsigned h = 1;
	for (unsigned i = 0; i < n; i++) h = h * 31 + (i ^ h >> 3);
	if (asked && asked_at == 0)
		asked_at = calls;
	if (asked && !stopped && *written != 0)
		stopped_at = calls, stopped = 1;
	calls++;
	return h;
}
static void ask(unsigned long *w) {
	*w = 0;
	written = (_Atomic unsigned long *)w;
	asked_at = 0;
	stopped = 0;
	asked = 1;
}
static unsigned long until_stop(void) {
	asked = 0;
	return stopped_at - asked_at;
}
static unsigned long made(void) { return calls; }
static int has_stopped(void) { return stopped; }
*/
import "C"

import (
	"fmt"
	"runtime"
	"slices"
	"time"
	"unsafe"
)

var stats = (*runtime.MemStats)(C.calloc(1, C.size_t(unsafe.Sizeof(runtime.MemStats{}))))

// untilStop returns how many calls are made from just before the world is to stop until it does.
func untilStop() C.ulong {
	C.ask((*C.ulong)(unsafe.Pointer(&stats.Sys)))
	runtime.ReadMemStats(stats)
	for C.has_stopped() == 0 {
		runtime.Gosched()
	}
	return C.until_stop()
}

// asleep returns how many calls are made while this goroutine sleeps.
func asleep() C.ulong {
	before := C.made()
	time.Sleep(time.Millisecond)
	return C.made() - before
}

// median: the kernel may take this thread away meanwhile.
func median(of func() C.ulong) C.ulong {
	var all []C.ulong
	for range 11 {
		for before := C.made(); C.made() == before; { // it calls, on another processor if there is one
			runtime.Gosched()
		}
		all = append(all, of())
	}
	slices.Sort(all)
	return all[len(all)/2]
}

func main() {
	go func() {
		for {
			C.spin(200) // short, but never anything else
		}
	}()
	for C.made() == 0 {
		time.Sleep(time.Millisecond)
	}
	runtime.GOMAXPROCS(2)
	stopped := median(untilStop)
	runtime.GOMAXPROCS(1)
	fmt.Println(stopped, median(asleep))
}
