package main

// #include "calls.h"
import "C"

import (
	"runtime"
	"time"
)

// Calls that compute for a while each, on every P.
func computeCases() []testCase {
	var list []testCase
	for _, length := range []time.Duration{200 * time.Nanosecond, 2 * time.Microsecond, 20 * time.Microsecond, 200 * time.Microsecond} {
		list = append(list, testCase{"compute/" + name(length), func() {
			runtime.GOMAXPROCS(2)
			n := rounds(length)
			var all workers
			const together = 10 // calls, between which nothing is counted
			calls := all.start(2, func(x uint32) uint32 {
				for range together {
					x = uint32(C.compute(C.uint(x), n))
				}
				return x
			})
			print("calls/s", together*all.rate(calls, 500*time.Millisecond))
		}})
	}
	return list
}
