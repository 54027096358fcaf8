package probe

import (
	"fmt"
	"math"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// measure lets procs goroutines do n operations each, begun together. It gives
// the time that all took, and that of the one that was fastest.
func (s *Scenario) measure(procs, n int) (all, fastest time.Duration, err error) {
	before := 0
	if s.Total != nil {
		before = s.Total()
	}
	var wrong atomic.Int32
	all, fastest = together(procs, func() {
		if !s.Run(n) {
			wrong.Add(1)
		}
	})
	if wrong.Load() > 0 {
		return 0, 0, fmt.Errorf("%s: wrong result after %d operations", s.Name(), n)
	}
	if s.Total != nil {
		if got, want := s.Total()-before, procs*n; got != want {
			return 0, 0, fmt.Errorf("%s: %d operations had an effect, want %d", s.Name(), got, want)
		}
	}
	return all, fastest, nil
}

// together runs work on procs goroutines and times it from the first one's
// begin to the last one's end, and the one that was done in the shortest time.
// One alone needs no other goroutine.
func together(procs int, work func()) (all, fastest time.Duration) {
	if procs == 1 {
		begin := time.Now()
		work()
		all = time.Since(begin)
		return all, all
	}
	// They wait for each other by spinning: a goroutine that is woken later
	// than another would find it already done.
	var ready atomic.Int32
	var done sync.WaitGroup
	begins, ends := make([]time.Time, procs), make([]time.Time, procs)
	for i := range procs {
		done.Add(1)
		go func() {
			defer done.Done()
			ready.Add(1)
			for deadline := time.Now().Add(startTogether); int(ready.Load()) < procs && time.Now().Before(deadline); {
			}
			begins[i] = time.Now()
			work()
			ends[i] = time.Now()
		}()
	}
	done.Wait()
	fastest = ends[0].Sub(begins[0])
	for i := range procs {
		fastest = min(fastest, ends[i].Sub(begins[i]))
	}
	return slices.MaxFunc(ends, time.Time.Compare).Sub(slices.MinFunc(begins, time.Time.Compare)), fastest
}

// startTogether bounds the spinning where there are fewer processors than
// goroutines.
const startTogether = 20 * time.Millisecond

// calibrate finds how many operations take about d. It only believes times
// that are not much shorter, and takes the best of three: one interruption is
// long against few operations. So is the time from one goroutine's begin to
// another's on a busy machine: the fastest one counts.
func (s *Scenario) calibrate(procs int, d time.Duration) (int, error) {
	for n := max(1, s.Least); ; {
		best := time.Duration(math.MaxInt64)
		for range 3 {
			_, elapsed, err := s.measure(procs, n)
			if err != nil {
				return 0, err
			}
			if best = min(best, elapsed); best < d/3 {
				break
			}
		}
		if best >= d/3 || n >= 1<<30 {
			return max(1, s.Least, int(float64(n)*float64(d)/float64(max(1, best)))), nil
		}
		n *= 2
	}
}
