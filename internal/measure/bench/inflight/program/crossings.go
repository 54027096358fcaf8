package main

// #include "calls.h"
import "C"

import (
	"log"
	"math"
	"slices"
	"syscall"
	"time"
)

var callbacks int

//export goCallback
func goCallback() { callback() }

// callback is what goCallback does; cases of their own replace it.
var callback = func() { callbacks++ }

//export goVisit
func goVisit(C.int) { callbacks++ }

//export goCompare
func goCompare(a, b *C.int) C.int { return *a - *b }

// What a call costs.
func crossingCases() []testCase {
	var values, sorted [1000]C.int
	for i := range values {
		values[i] = C.int(i * 7919 % 1000)
	}
	return []testCase{
		crossing("add", 0, func(n int) {
			x := C.int(0)
			for range n {
				x = C.add(x, 1)
			}
			if int(x) != n {
				log.Fatalf("add: got %d, want %d", x, n)
			}
		}),
		crossing("struct", 0, func(n int) {
			p := C.pair{3, 4}
			for range n {
				p = C.exchange(p)
			}
			if p.a+C.long(p.b) != 7 {
				log.Fatalf("exchange returns %v", p)
			}
		}),
		crossing("errno-0", 0, func(n int) {
			for range n {
				if _, err := C.fails(0); err != nil {
					log.Fatal(err)
				}
			}
		}),
		crossing("errno", 0, func(n int) {
			for range n {
				if _, err := C.fails(C.int(syscall.EAGAIN)); err != syscall.EAGAIN {
					log.Fatal(err)
				}
			}
		}),
		crossing("callback", 1, func(n int) {
			for range n {
				C.call_back(1)
			}
		}),
		crossing("callbacks-10", 10, func(n int) {
			for range n {
				C.call_back(10)
			}
		}),
		crossing("hidden-callback", 1, func(n int) {
			f := C.go_visitor()
			for range n {
				C.visit(f, 1)
			}
		}),
		crossing("hidden-callbacks-10", 10, func(n int) {
			f := C.go_visitor()
			for range n {
				C.visit(f, 10)
			}
		}),
		crossing("sort-1000", 0, func(n int) {
			for range n {
				sorted = values
				C.sort_ints(&sorted[0], C.int(len(sorted)))
			}
			if !slices.IsSorted(sorted[:]) || sorted[999] != 999 {
				log.Fatal("not sorted")
			}
		}),
		crossing("rare-callback", 0, func(n int) { // one call of 1,000
			for i := range n {
				if int(C.rarely(C.int(i))) != i {
					log.Fatal("wrong result")
				}
			}
		}),
	}
}

// crossing measures a call: the best of 15 samples of about 10 ms, since what others
// have the machine do only adds. A call calls back so many times, if not 0.
func crossing(name string, each int, calls func(n int)) testCase {
	return testCase{"crossing/" + name, func() {
		sample := func(n int) time.Duration {
			before, begin := callbacks, time.Now()
			calls(n)
			took := time.Since(begin)
			if each != 0 && callbacks-before != n*each {
				log.Fatalf("%d callbacks came of %d calls, want %d of each", callbacks-before, n, each)
			}
			return took
		}
		n := 1
		for sample(n) < 5*time.Millisecond {
			n *= 2
		}
		best := math.Inf(1)
		for range 15 {
			best = min(best, float64(sample(2*n).Nanoseconds())/float64(2*n))
		}
		print("call-ns", best)
	}}
}
