// Package inflight measures what calls in flight do beside plain cgo: what a call costs, how
// long stopping the world takes beside C, what waits in C do to other goroutines, and
// threads that C created. `wherry compare` builds the benchmarks both ways. They measure by
// themselves, for as long as they need, so -benchtime 1x is right for all; and each has to
// have processes of its own, since a function that was long once is called through cgo
// for a while: script/bench sees to both.
package inflight

// #include <string.h>
// #include "calls.h"
import "C"

import (
	"sync/atomic"
	"syscall"
	"time"
	"unsafe"
)

// callbacks counts those of Go functions that count.
var callbacks int

// callback is what goCallback does; cases of their own replace it.
var callback = func() { callbacks++ }

//export goCallback
func goCallback() { callback() }

//export goVisit
func goVisit(C.int) { callbacks++ }

//export goCompare
func goCompare(a, b *C.int) C.int { return *a - *b }

//export goNext
func goNext(n C.long) C.long { return n + 1 }

//export goValue
func goValue(key, value *C.char) { C.memcpy(unsafe.Pointer(value), unsafe.Pointer(key), 32) }

var allocated atomic.Pointer[[4]int]

//export goAllocates
func goAllocates() { allocated.Store(new([4]int)) }

// compute computes in C.
func compute(x, rounds uint32) uint32 { return uint32(C.compute(C.uint(x), C.uint(rounds))) }

// ten is so many of these calls, between which nothing is counted.
func ten(x, rounds uint32) uint32 {
	for range 10 {
		x = uint32(C.compute(C.uint(x), C.uint(rounds)))
	}
	return x
}

func sleep(d time.Duration) { C.sleep_for(C.int(d.Microseconds())) }

// A way is one to wait in C.
type way C.int

const (
	rawFutex way = C.RAW_FUTEX // without the C library
	spin     way = C.SPIN
	ways     way = C.WAYS // all are below
)

func (w way) String() string { return C.GoString(C.way_name(C.int(w))) }

// wait has C wait. Another thread ends it, where the call itself does not.
func wait(w way, length time.Duration, meanwhile func()) syscall.Errno {
	us := C.int(length.Microseconds())
	C.prepare(C.int(w), us)
	meanwhile()
	if w == rawFutex || w == spin {
		return syscall.Errno(C.wait_raw(C.int(w), us))
	}
	return syscall.Errno(C.wait_in(C.int(w), us))
}

// Waits that something else has to end.
func lockAndCallBack() { C.lock_and_call_back() }
func lockOnly()        { C.lock_only() }
func spinAndCallBack() { C.spin_and_call_back() }
func spinOnly()        { C.spin_only() }
func waitForSignal()   { C.wait_for_signal() }
func signalIt()        { C.signal_it() }
func spinForWord()     { C.spin_for_word() }
func sayWord()         { C.say_word() }
func threadCallsBack() { C.thread_calls_back() }

// What threads of C call, and what they do between two calls.
const (
	adds, allocates, tasks = C.ADDS, C.ALLOCATES, C.TASKS

	gapNone, gapComputes, gapSleeps, gapRaw = C.GAP_NONE, C.GAP_COMPUTES, C.GAP_SLEEPS, C.GAP_RAW
)

// threads are C threads that call Go until end.
type threads struct {
	n     int
	begin time.Time
}

// startThreads starts n; a gap that computes takes so many rounds, another so long.
func startThreads(n, gap int, length time.Duration, rounds uint32, work int) threads {
	C.start_threads(C.int(n), C.int(gap), C.long(length), C.uint(rounds), C.int(work))
	return threads{n, time.Now()}
}

// end returns how many callbacks they made together in a second.
func (t threads) end() float64 {
	rate := float64(C.callbacks_of_threads(C.int(t.n))) / time.Since(t.begin).Seconds()
	C.end_threads(C.int(t.n))
	return rate
}

// liveThread has a thread live that makes so many callbacks.
func liveThread(callbacks int) { C.thread_lives(C.long(callbacks)) }
