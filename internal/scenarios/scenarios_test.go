//go:build cgo

package scenarios

import (
	"runtime"
	"slices"
	"sync/atomic"
	"testing"
	"time"
)

func BenchmarkCall(b *testing.B)     { Benchmark(b, calls) }
func BenchmarkMemory(b *testing.B)   { Benchmark(b, memory) }
func BenchmarkCallback(b *testing.B) { Benchmark(b, callingBack) }
func BenchmarkHandoff(b *testing.B)  { Benchmark(b, handoffs) }
func BenchmarkHandle(b *testing.B)   { Benchmark(b, handles) }
func BenchmarkLandmark(b *testing.B) { Benchmark(b, landmarks) }

// Each scenario, built plainly, finds its own result right, for even and odd numbers of
// operations, and beside others.
func TestScenarios(t *testing.T) {
	seen := map[string]bool{}
	for _, s := range slices.Concat(calls, memory, callingBack, handoffs, handles, landmarks) {
		t.Run(s.Name, func(t *testing.T) {
			if s.SetUp != nil {
				if testing.Short() {
					t.Skip("takes a second to set up")
				}
				s.SetUp()
			}
			before := 0
			if s.Total != nil {
				before = s.Total()
			}
			right := make(chan bool)
			for _, n := range []int{1, 2, 999, 1000} {
				go func() { right <- s.Run(n) }()
			}
			for range 4 {
				if !<-right {
					t.Error("wrong result")
				}
			}
			if s.Total != nil && s.Total()-before != 2002 {
				t.Errorf("got %d operations, want 2002", s.Total()-before)
			}
		})
		if seen[s.Name] {
			t.Errorf("%s is there twice", s.Name)
		}
		seen[s.Name] = true
	}
}

// All goroutines work, begun together, for as long as the slowest, and one that is wrong is
// noticed.
func TestTogether(t *testing.T) {
	const nap = 20 * time.Millisecond
	var begun, all atomic.Int32
	elapsed, right := together(4, func() { begun.Add(1) }, func() bool {
		if begun.Load() != 1 {
			t.Error("work before the begin")
		}
		time.Sleep(nap)
		return all.Add(1) != 2
	})
	if elapsed < nap || all.Load() != 4 || right {
		t.Errorf("%d of 4 in %v, want %v; right: %v", all.Load(), elapsed, nap, right)
	}
}

// A pause of the process is not taken for the work: what took it runs again.
func TestPauseIsTriedAgain(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	calls, afterPause, each := 0, 0, 0.0
	s := Scenario{Run: func(int) bool {
		if calls++; calls == 2 {
			time.Sleep(3 * short)
		}
		return true
	}}
	testing.Benchmark(func(b *testing.B) {
		if each = s.measure(b, each); b.N > 1 && afterPause == 0 {
			afterPause = calls
			b.SkipNow()
		}
	})
	if afterPause < 3 {
		t.Errorf("after %d runs, of which the second was interrupted, there is a result", afterPause)
	}
}
