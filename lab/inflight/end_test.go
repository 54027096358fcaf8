package inflight

import (
	"runtime"
	"testing"
	"time"
)

// Things that end only if another goroutine, or a thread of C's, can go on while C
// waits. Where one does not, the benchmark never ends.
func BenchmarkEnd(b *testing.B) {
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
	for _, c := range []struct {
		name string
		do   func()
	}{
		{"mutex-across-callback", across(lockAndCallBack, lockOnly)},
		{"spinlock-across-callback", across(spinAndCallBack, spinOnly)},
		{"condition", both(waitForSignal, signalIt)},
		{"spin-for-word", both(spinForWord, sayWord)},
		{"thread-waits-for-go", func() {
			callback = func() { runtime.Gosched() }
			threadCallsBack()
		}},
	} {
		benchmark(b, c.name, func(b *testing.B) {
			const times = 100
			runtime.GOMAXPROCS(1)
			var all []time.Duration
			inTime := 0
			for range times {
				begin := time.Now()
				c.do()
				took := time.Since(begin)
				if all = append(all, took); took <= time.Second {
					inTime++
				}
			}
			b.ReportMetric(float64(inTime), "in-a-second-of-100")
			reportDurations(b, "end", all)
		})
	}
}
