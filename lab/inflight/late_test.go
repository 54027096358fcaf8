package inflight

import (
	"runtime"
	"syscall"
	"testing"
	"time"
)

// How long a goroutine waits for the only P, which a goroutine has whose C waits.
func BenchmarkLate(b *testing.B) {
	const samples = 50
	for w := range ways {
		length := 20 * time.Millisecond
		if w == rawFutex || w == spin {
			length = 80 * time.Millisecond
		}
		benchmark(b, w.String(), func(b *testing.B) {
			runtime.GOMAXPROCS(1)
			late := make(chan time.Duration, 1)
			var all []time.Duration
			for range samples {
				err := wait(w, length, func() {
					begin := time.Now()
					go func() { late <- time.Since(begin) }()
				})
				switch err {
				case 0, syscall.ETIMEDOUT, syscall.EAGAIN, syscall.EINTR:
				default:
					b.Fatal(err)
				}
				all = append(all, <-late)
			}
			reportDurations(b, "late", all)
		})
	}
}

// How often a caller that does not expect it sees EINTR, of so many calls.
func BenchmarkEINTR(b *testing.B) {
	const calls = 200
	for w := range ways {
		if w == spin {
			continue
		}
		benchmark(b, w.String(), func(b *testing.B) {
			runtime.GOMAXPROCS(2)
			var collecting workers
			collecting.start(1, func(x uint32) uint32 { runtime.GC(); return x })
			defer collecting.end()
			interrupted := 0
			for range calls {
				switch err := wait(w, time.Millisecond, func() {}); err {
				case syscall.EINTR:
					interrupted++
				case 0, syscall.ETIMEDOUT, syscall.EAGAIN:
				default:
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(interrupted), "EINTR-of-200")
		})
	}
}
