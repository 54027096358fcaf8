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
				for _, kind := range []struct {
					name, metric string
					stop         func()
				}{
					{"ReadMemStats", "other", func() {
						var m runtime.MemStats
						runtime.ReadMemStats(&m)
					}},
					{"GC", "gc", runtime.GC},
				} {
					var took []time.Duration
					histogram := "/sched/pauses/stopping/" + kind.metric + ":seconds"
					was := read(histogram)
					for range 400 {
						time.Sleep(time.Millisecond)
						begin := time.Now()
						kind.stop()
						took = append(took, time.Since(begin))
					}
					is := read(histogram)
					printDurations(kind.name, took)
					print("stopping-"+kind.metric+"-p50-us", 1e6*quantile(was, is, 0.5))
					print("stopping-"+kind.metric+"-p99-us", 1e6*quantile(was, is, 0.99))
				}
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
				run  func(*atomic.Bool)
			}{{"work", workBeside}, {"sleeper", sleepBeside}, {"http", serveBeside}} {
				list = append(list, testCase{fmt.Sprintf("beside/%s-%s-P%d", beside.name, gap.name, procs), func() {
					runtime.GOMAXPROCS(procs)
					t := startThreads(1, gap.kind, gap.length, C.ADDS)
					var done atomic.Bool
					time.AfterFunc(400*time.Millisecond, func() { done.Store(true) })
					beside.run(&done)
					print("callbacks/s", t.end())
				}})
			}
		}
	}
	return list
}

func workBeside(done *atomic.Bool) {
	var all group
	var work atomic.Int64
	begin := time.Now()
	for range 2 {
		all.Go(func() {
			for x := uint32(1); !done.Load(); work.Add(1) {
				for range 10_000 {
					x = x*1664525 + 1013904223
				}
				sink.Store(x)
			}
		})
	}
	all.Wait()
	print("work/s", float64(work.Load())/time.Since(begin).Seconds())
}

func sleepBeside(done *atomic.Bool) {
	const length = 200 * time.Microsecond
	var late []time.Duration
	for !done.Load() {
		begin := time.Now()
		time.Sleep(length)
		late = append(late, time.Since(begin)-length)
	}
	printDurations("late", late)
}

func serveBeside(done *atomic.Bool) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, "hello") }))
	defer server.Close()
	var all group
	var requests atomic.Int64
	begin := time.Now()
	for range 4 {
		all.Go(func() {
			for !done.Load() {
				response, err := server.Client().Get(server.URL)
				if err != nil {
					log.Fatal(err)
				}
				if _, err := io.Copy(io.Discard, response.Body); err != nil {
					log.Fatal(err)
				}
				response.Body.Close()
				requests.Add(1)
			}
		})
	}
	all.Wait()
	print("requests/s", float64(requests.Load())/time.Since(begin).Seconds())
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
