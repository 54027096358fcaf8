package main

// #include "calls.h"
import "C"

import (
	"fmt"
	"runtime"
	"time"
)

// Goroutines whose C sleeps, beside two that compute in Go.
func sleeperCases() []testCase {
	var list []testCase
	for _, goroutines := range []int{4, 100} {
		for _, length := range []time.Duration{time.Millisecond, 20 * time.Millisecond} {
			list = append(list, testCase{fmt.Sprintf("sleepers/%dx%v", goroutines, length), func() {
				runtime.GOMAXPROCS(2)
				var all workers
				begin := time.Now()
				sleeps := all.start(goroutines, func(x uint32) uint32 { C.sleep_for(C.int(length.Microseconds())); return x })
				work := all.start(2, compute)
				time.Sleep(time.Second)
				all.end()
				s := time.Since(begin).Seconds()
				print("sleeps/s", float64(sleeps.Load())/s)
				print("work/s", float64(work.Load())/s)
			}})
		}
	}
	return list
}
