package main

// #include "calls.h"
import "C"

import (
	"runtime"
	"sync/atomic"
	"time"
)

// Calls that compute for a while each, on every P.
func computeCases() []testCase {
	var list []testCase
	for _, length := range []time.Duration{200 * time.Nanosecond, 2 * time.Microsecond, 20 * time.Microsecond, 200 * time.Microsecond} {
		list = append(list, testCase{"compute/" + name(length), func() {
			runtime.GOMAXPROCS(2)
			n := rounds(length)
			var done atomic.Bool
			var calls atomic.Int64
			var workers group
			begin := time.Now()
			for range 2 {
				workers.Go(func() {
					x, i := C.uint(1), int64(0)
					for ; !done.Load(); i++ {
						x = C.compute(x, n)
					}
					calls.Add(i)
				})
			}
			time.Sleep(500 * time.Millisecond)
			done.Store(true)
			workers.Wait()
			print("calls/s", float64(calls.Load())/time.Since(begin).Seconds())
		}})
	}
	return list
}
