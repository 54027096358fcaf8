package main

// #include "calls.h"
import "C"

import (
	"fmt"
	"runtime"
	"sync/atomic"
	"time"
)

// Goroutines whose C sleeps, beside two that compute in Go.
func sleeperCases() []testCase {
	var list []testCase
	for _, goroutines := range []int{4, 100} {
		for _, length := range []time.Duration{time.Millisecond, 20 * time.Millisecond} {
			list = append(list, testCase{fmt.Sprintf("sleepers/%dx%v", goroutines, length), func() {
				runtime.GOMAXPROCS(2)
				var done atomic.Bool
				var sleeps, work atomic.Int64
				var all group
				begin := time.Now()
				for range goroutines {
					all.Go(func() {
						for !done.Load() {
							C.sleep_for(C.int(length.Microseconds()))
							sleeps.Add(1)
						}
					})
				}
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
				time.Sleep(time.Second)
				done.Store(true)
				all.Wait()
				s := time.Since(begin).Seconds()
				print("sleeps/s", float64(sleeps.Load())/s)
				print("work/s", float64(work.Load())/s)
			}})
		}
	}
	return list
}

var sink atomic.Uint32
