package scenarios

import (
	"runtime"
	"runtime/debug"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// A Scenario is one way to do some work. Its name, after that of its benchmark and in small
// letters, is part of what `wherry bench` prints; ways of the same work can be compared.
type Scenario struct {
	Name string
	Run  func(n int) bool // does it n times and reports whether the result is right; on several goroutines at once

	Total func() int // if not nil: the operations so far, of all goroutines together
	Least int        // operations of one measurement, where to start them costs far more than one of them
	Holds bool       // threads of C do the work, which hold one if there is one P more

	// SetUp, if not nil, makes what Run needs, which then stays. It takes so long, and its work so
	// much memory, that the command gives such scenarios a process of their own.
	SetUp func()
}

// Benchmark runs them as sub-benchmarks.
func Benchmark(b *testing.B, scenarios []Scenario) {
	for _, s := range scenarios {
		var each float64
		b.Run(s.Name, func(b *testing.B) {
			if s.SetUp != nil {
				if testing.Short() {
					b.Skip("sets up much")
				}
				percent := debug.SetGCPercent(-1) // what is set up is no garbage
				s.SetUp()
				debug.SetGCPercent(percent)
			}
			each = s.measure(b, each)
		})
	}
}

// short is half of what `wherry bench` gives a benchmark.
const short = time.Millisecond

// measure lets as many goroutines as there are P's do the work b.N times each, begun
// together. The time of an operation is what each of them sees: perfect scaling leaves it
// as it is with one. It is given what the smaller b.N before came to, and returns the least so far.
func (s *Scenario) measure(b *testing.B, before float64) (each float64) {
	procs, n := runtime.GOMAXPROCS(0), max(b.N, s.Least)
	if s.Holds {
		runtime.GOMAXPROCS(procs + 1)
		defer runtime.GOMAXPROCS(procs)
	}
	if b.N == 1 {
		// Package testing makes the first run with the GOMAXPROCS of the benchmark before: it warms up.
		each = float64(s.once(b, procs, n).Nanoseconds()) / float64(n)
		b.ResetTimer()
		b.ReportMetric(each, "ns/op")
		return each
	}
	for range 3 {
		elapsed := s.once(b, procs, n)
		each = float64(elapsed.Nanoseconds()) / float64(n)
		before = min(before, each)
		// Who is stopped for milliseconds by another process must not take a few operations for enough.
		if elapsed < short || s.Least > 1 || before*float64(n) > float64(short) {
			break
		}
	}
	b.ReportMetric(each, "ns/op")
	return before
}

func (s *Scenario) once(b *testing.B, procs, n int) time.Duration {
	total := 0
	if s.Total != nil {
		total = s.Total()
	}
	begin := func() { b.ResetTimer(); b.StartTimer() }
	elapsed, right := together(procs, begin, func() bool { return s.Run(n) })
	b.StopTimer()
	if !right {
		b.Fatalf("wrong result after %d operations", n)
	}
	if s.Total != nil && s.Total()-total != procs*n {
		b.Fatalf("%d operations had an effect, want %d", s.Total()-total, procs*n)
	}
	return elapsed
}

// together runs work on procs goroutines and times it from the first one's begin to the last
// one's end. They wait for each other by spinning: a goroutine that is woken later than
// another would find it already done. The first one calls begin before all work.
func together(procs int, begin func(), work func() bool) (elapsed time.Duration, right bool) {
	var ready, wrong atomic.Int32
	var begun atomic.Bool
	var done sync.WaitGroup
	begins, ends := make([]time.Time, procs), make([]time.Time, procs)
	one := func(i int) {
		ready.Add(1)
		wait(func() bool { return int(ready.Load()) == procs })
		if i == 0 {
			begin()
			begun.Store(true)
		}
		wait(begun.Load)
		begins[i] = time.Now()
		if !work() {
			wrong.Add(1)
		}
		ends[i] = time.Now()
	}
	for i := 1; i < procs; i++ {
		done.Add(1)
		go func() {
			defer done.Done()
			one(i)
		}()
	}
	one(0)
	done.Wait()
	return slices.MaxFunc(ends, time.Time.Compare).Sub(slices.MinFunc(begins, time.Time.Compare)), wrong.Load() == 0
}

// wait spins; after a while it lets others run, since there may be fewer processors than
// goroutines.
func wait(until func() bool) {
	for begun := time.Now(); !until(); {
		if time.Since(begun) > 5*time.Millisecond {
			runtime.Gosched()
		}
	}
}
