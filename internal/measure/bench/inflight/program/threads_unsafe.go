package main

// #include <string.h>
// #include "calls.h"
import "C"

import (
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"runtime"
	"slices"
	"sync/atomic"
	"time"
	"unsafe"
)

//export goNext
func goNext(n C.long) C.long { return n + 1 }

var allocated atomic.Pointer[[4]int]

//export goValue
func goValue(key, value *C.char) { C.memcpy(unsafe.Pointer(value), unsafe.Pointer(key), 32) }

//export goAllocates
func goAllocates() { allocated.Store(new([4]int)) }

// Threads that C created call Go.
func threadCases() []testCase {
	return slices.Concat(threadRateCases(), threadLifeCases(), threadStopCases(), besideThreadsCases())
}

// How many callbacks threads make that do nothing else.
func threadRateCases() []testCase {
	var list []testCase
	for _, procs := range []int{1, 2, 4} {
		for _, n := range []int{1, 2} {
			for kind, suffix := range []string{C.ADDS: "", C.ALLOCATES: "-allocating", C.TASKS: "-issue60961"} {
				list = append(list, testCase{fmt.Sprintf("threads/%d-P%d%s", n, procs, suffix), func() {
					runtime.GOMAXPROCS(procs)
					t := startThreads(n, C.GAP_NONE, 0, C.int(kind))
					time.Sleep(time.Second)
					print("callbacks/s", t.end())
				}})
			}
		}
	}
	return list
}

// How long a thread lives that makes so many callbacks.
func threadLifeCases() []testCase {
	var list []testCase
	for _, callbacks := range []int{1, 10, 200, 1000} {
		list = append(list, testCase{fmt.Sprintf("threadlife/%d", callbacks), func() {
			const threads = 3000
			runtime.GOMAXPROCS(2)
			begin := time.Now()
			for range threads {
				C.thread_lives(C.long(callbacks))
			}
			print("lives/s", threads/time.Since(begin).Seconds())
		}})
	}
	return list
}

// How long it takes to stop the world, and to collect, beside a thread that calls Go.
func threadStopCases() []testCase {
	var list []testCase
	for _, procs := range []int{2, 4} {
		for _, gap := range []time.Duration{0, time.Microsecond} {
			list = append(list, testCase{fmt.Sprintf("threadstop/%s-P%d", name(gap), procs), func() {
				runtime.GOMAXPROCS(procs)
				t := startThreads(1, C.GAP_COMPUTES, gap, C.ADDS)
				time.Sleep(50 * time.Millisecond)
				measureStops(400, time.Minute)
				print("callbacks/s", t.end())
			}})
		}
	}
	return list
}

// What goroutines do beside threads that call Go now and then: two that compute, one
// that sleeps, or a server with four clients.
func besideThreadsCases() []testCase {
	var list []testCase
	for _, procs := range []int{1, 2, 4} {
		for _, gap := range []struct {
			name   string
			kind   C.int
			length time.Duration
		}{
			{"always", C.GAP_NONE, 0},
			{"computes-20us", C.GAP_COMPUTES, 20 * time.Microsecond},
			{"computes-300us", C.GAP_COMPUTES, 300 * time.Microsecond},
			{"sleeps-20us", C.GAP_SLEEPS, 20 * time.Microsecond},
			{"sleeps-300us", C.GAP_SLEEPS, 300 * time.Microsecond},
			{"sleeps-10ms", C.GAP_SLEEPS, 10 * time.Millisecond},
			{"raw-futex-300us", C.GAP_RAW, 300 * time.Microsecond},
		} {
			for _, beside := range []struct {
				name string
				run  func(time.Duration)
			}{{"work", workBeside}, {"sleeper", sleepBeside}, {"http", serveBeside}} {
				list = append(list, testCase{fmt.Sprintf("beside/%s-%s-P%d", beside.name, gap.name, procs), func() {
					runtime.GOMAXPROCS(procs)
					t := startThreads(1, gap.kind, gap.length, C.ADDS)
					beside.run(400 * time.Millisecond)
					print("callbacks/s", t.end())
				}})
			}
		}
	}
	return list
}

func workBeside(length time.Duration) {
	var all workers
	work := all.start(2, compute)
	print("work/s", all.rate(work, length))
}

func sleepBeside(length time.Duration) {
	const sleep = 200 * time.Microsecond
	var late []time.Duration
	for end := time.Now().Add(length); time.Now().Before(end); {
		begin := time.Now()
		time.Sleep(sleep)
		late = append(late, time.Since(begin)-sleep)
	}
	printDurations("late", late)
}

func serveBeside(length time.Duration) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, "hello") }))
	defer server.Close()
	var all workers
	requests := all.start(4, func(x uint32) uint32 {
		response, err := server.Client().Get(server.URL)
		if err != nil {
			log.Fatal(err)
		}
		if _, err := io.Copy(io.Discard, response.Body); err != nil {
			log.Fatal(err)
		}
		response.Body.Close()
		return x
	})
	print("requests/s", all.rate(requests, length))
}

// threads are C threads that call Go until end.
type threads struct {
	n     int
	begin time.Time
}

func startThreads(n int, gap C.int, length time.Duration, work C.int) threads {
	var r C.uint
	if gap == C.GAP_COMPUTES {
		r = rounds(length)
	}
	C.start_threads(C.int(n), gap, C.long(length), r, work)
	return threads{n, time.Now()}
}

// end returns how many callbacks they made together in a second.
func (t threads) end() float64 {
	rate := float64(C.callbacks_of_threads(C.int(t.n))) / time.Since(t.begin).Seconds()
	C.end_threads(C.int(t.n))
	return rate
}
