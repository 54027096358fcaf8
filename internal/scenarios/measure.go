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
	Lends bool       // threads of C do the work, which lend if there is one P more

	// SetUp, if not nil, makes what Run needs, which then stays. It takes so long, and its work so
	// much memory, that the command gives such scenarios a process of their own.
	SetUp func()
}

// Benchmark runs them as sub-benchmarks.
func Benchmark(b *testing.B, scenarios []Scenario) {
	for _, s := range scenarios {
		b.Run(s.Name, func(b *testing.B) {
			if s.SetUp != nil {
				if testing.Short() {
					b.Skip("sets up much")
				}
				percent := debug.SetGCPercent(-1) // what is set up is no garbage
				s.SetUp()
				debug.SetGCPercent(percent)
			}
			s.measure(b)
		})
	}
}

// measure lets as many goroutines as there are P's do the work b.N times each, begun
// together. The time of an operation is what each of them sees: perfect scaling leaves it
// as it is with one.
func (s *Scenario) measure(b *testing.B) {
	procs, n, before := runtime.GOMAXPROCS(0), max(b.N, s.Least), 0
	if s.Lends {
		runtime.GOMAXPROCS(procs + 1)
		defer runtime.GOMAXPROCS(procs)
	}
	if s.Least > 1 && b.N == 1 { // which may be all: others grow warm with b.N
		s.Run(s.Least)
	}
	if s.Total != nil {
		before = s.Total()
	}
	elapsed, right := together(procs, b.ResetTimer, func() bool { return s.Run(n) })
	b.StopTimer()
	if !right {
		b.Fatalf("wrong result after %d operations", n)
	}
	if s.Total != nil && s.Total()-before != procs*n {
		b.Fatalf("%d operations had an effect, want %d", s.Total()-before, procs*n)
	}
	b.ReportMetric(float64(elapsed.Nanoseconds())/float64(n), "ns/op")
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

// wait spins, but not for ever: there may be fewer processors than goroutines.
func wait(until func() bool) {
	for deadline := time.Now().Add(5 * time.Millisecond); !until() && time.Now().Before(deadline); {
	}
}
