package main

// #include "calls.h"
import "C"

import (
	"runtime"
	"time"
)

// Things that end only if another goroutine, or a thread of C's, can go on while C
// waits. Where one does not, the driver ends the program.
func endCases() []testCase {
	both := func(first, second func()) func() {
		return func() {
			var all group
			all.Go(second)
			all.Go(first) // the runtime starts the last one first
			all.Wait()
		}
	}
	// across has two goroutines want a lock; the one that has it is in a callback.
	across := func(lockAndCallBack, lock func()) func() {
		return func() {
			has := make(chan bool)
			callback = func() {
				has <- true
				runtime.Gosched()
			}
			both(lockAndCallBack, func() {
				<-has
				lock()
			})()
		}
	}
	return []testCase{
		end("mutex-across-callback", across(func() { C.lock_and_call_back() }, func() { C.lock_only() })),
		end("spinlock-across-callback", across(func() { C.spin_and_call_back() }, func() { C.spin_only() })),
		end("condition", both(func() { C.wait_for_signal() }, func() { C.signal_it() })),
		end("spin-for-word", both(func() { C.spin_for_word() }, func() { C.say_word() })),
		end("thread-waits-for-go", func() {
			callback = func() { runtime.Gosched() }
			C.thread_calls_back()
		}),
	}
}

func end(name string, do func()) testCase {
	const times = 100
	return testCase{"end/" + name, func() {
		runtime.GOMAXPROCS(1)
		var all []time.Duration
		inTime := 0
		for range times {
			begin := time.Now()
			do()
			took := time.Since(begin)
			if all = append(all, took); took <= time.Second {
				inTime++
			}
		}
		print("in-a-second-of-100", float64(inTime))
		printDurations("end", all)
	}}
}
