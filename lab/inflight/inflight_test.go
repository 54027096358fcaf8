package inflight

import (
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// benchmark runs a case, which reports what it measured: the names of its metrics end in
// the unit. With -short it is only named.
func benchmark(b *testing.B, name string, run func(b *testing.B)) {
	b.Run(name, func(b *testing.B) {
		if testing.Short() {
			b.Skip("takes seconds")
		}
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
		run(b)
	})
}

// What a call costs: the best of 15 samples of about 10 ms, since what others have the
// machine do only adds.
func BenchmarkCrossing(b *testing.B) {
	for _, c := range crossings() {
		benchmark(b, c.name, func(b *testing.B) {
			sample := func(n int) time.Duration {
				before, begin := callbacks, time.Now()
				right := c.calls(n)
				took := time.Since(begin)
				if !right || c.each != 0 && callbacks-before != n*c.each {
					b.Fatalf("%d callbacks came of %d calls, want %d of each; right results: %v", callbacks-before, n, c.each, right)
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
			b.ReportMetric(best, "call-ns")
		})
	}
}

var calledBack bool

// The first callback of a process, and so one in each.
func BenchmarkFirst(b *testing.B) {
	benchmark(b, "callback", func(b *testing.B) {
		if calledBack {
			b.Fatal("this process has called back: want -count 1 and -benchtime 1x")
		}
		calledBack = true
		for _, c := range crossings() {
			if c.name == "callback" {
				begin := time.Now()
				c.calls(1)
				b.ReportMetric(float64(time.Since(begin).Nanoseconds()), "call-ns")
			}
		}
	})
}

// Calls that compute for a while each, on every P.
func BenchmarkCompute(b *testing.B) {
	for _, length := range []time.Duration{200 * time.Nanosecond, 2 * time.Microsecond, 20 * time.Microsecond, 200 * time.Microsecond} {
		benchmark(b, name(length), func(b *testing.B) {
			runtime.GOMAXPROCS(2)
			n := rounds(length)
			var all workers
			calls := all.start(2, func(x uint32) uint32 { return ten(x, n) })
			b.ReportMetric(10*all.rate(calls, 500*time.Millisecond), "calls/s")
		})
	}
}

// Goroutines whose C sleeps, beside two that compute in Go.
func BenchmarkSleepers(b *testing.B) {
	for _, goroutines := range []int{4, 100} {
		for _, length := range []time.Duration{time.Millisecond, 20 * time.Millisecond} {
			benchmark(b, fmt.Sprintf("%dx%v", goroutines, length), func(b *testing.B) {
				runtime.GOMAXPROCS(2)
				var all workers
				begin := time.Now()
				sleeps := all.start(goroutines, func(x uint32) uint32 { sleep(length); return x })
				work := all.start(2, computeInGo)
				time.Sleep(time.Second)
				all.end()
				s := time.Since(begin).Seconds()
				b.ReportMetric(float64(sleeps.Load())/s, "sleeps/s")
				b.ReportMetric(float64(work.Load())/s, "work/s")
			})
		}
	}
}

// reportDurations reports those that were measured one by one.
func reportDurations(b *testing.B, name string, durations []time.Duration) {
	if len(durations) == 0 {
		b.Fatalf("%s: nothing measured", name)
	}
	slices.Sort(durations)
	at := func(q float64) float64 {
		return float64(durations[max(0, int(math.Ceil(q*float64(len(durations))))-1)].Nanoseconds()) / 1e3
	}
	b.ReportMetric(at(0.5), name+"-p50-us")
	b.ReportMetric(at(0.99), name+"-p99-us")
}

// perMicrosecond finds how many rounds compute does in a microsecond, in the
// best case.
func perMicrosecond() float64 {
	const rounds = 100_000
	best := time.Duration(math.MaxInt64)
	for range 50 {
		begin := time.Now()
		compute(1, rounds)
		best = min(best, time.Since(begin))
	}
	return rounds / (float64(best.Nanoseconds()) / 1e3)
}

// rounds is how many rounds compute does in so long.
func rounds(d time.Duration) uint32 {
	return uint32(perMicrosecond() * float64(d.Nanoseconds()) / 1e3)
}

// A group is a sync.WaitGroup with the method Go, which those before Go 1.25 lack.
type group struct{ sync.WaitGroup }

func (g *group) Go(f func()) {
	g.Add(1)
	go func() {
		defer g.Done()
		f()
	}()
}

// workers do something again and again, until the end.
type workers struct {
	group
	done atomic.Bool
	sink atomic.Uint32
}

// start starts goroutines that do it, each with a number of its own to compute with, and
// counts how often.
func (w *workers) start(goroutines int, do func(x uint32) uint32) (times *atomic.Int64) {
	times = new(atomic.Int64)
	for i := range goroutines {
		w.Go(func() {
			x := uint32(i)
			for ; !w.done.Load(); times.Add(1) {
				x = do(x)
			}
			w.sink.Store(x)
		})
	}
	return times
}

func (w *workers) end() {
	w.done.Store(true)
	w.Wait()
}

// rate lets them work so long, and returns how often they did it in a second.
func (w *workers) rate(times *atomic.Int64, length time.Duration) float64 {
	begin := time.Now()
	time.Sleep(length)
	w.end()
	return float64(times.Load()) / time.Since(begin).Seconds()
}

// computeInGo is some work in Go.
func computeInGo(x uint32) uint32 {
	for range 10_000 {
		x = x*1664525 + 1013904223
	}
	return x
}

// name is a duration's in the name of a case.
func name(d time.Duration) string { return strings.ReplaceAll(d.String(), "µ", "u") }
