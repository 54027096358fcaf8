package inflight

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"testing"
	"time"
)

// Threads that C created call Go.

// How many callbacks threads make that do nothing else.
func BenchmarkThreads(b *testing.B) {
	for _, procs := range []int{1, 2, 4} {
		for _, n := range []int{1, 2} {
			for kind, suffix := range []string{adds: "", allocates: "-allocating", tasks: "-issue60961"} {
				benchmark(b, fmt.Sprintf("%d-P%d%s", n, procs, suffix), func(b *testing.B) {
					runtime.GOMAXPROCS(procs)
					t := startThreads(n, gapNone, 0, 0, kind)
					time.Sleep(time.Second)
					b.ReportMetric(t.end(), "callbacks/s")
				})
			}
		}
	}
}

// How long a thread lives that makes so many callbacks.
func BenchmarkThreadLife(b *testing.B) {
	for _, callbacks := range []int{1, 10, 200, 1000} {
		benchmark(b, fmt.Sprintf("%d", callbacks), func(b *testing.B) {
			const threads = 3000
			runtime.GOMAXPROCS(2)
			begin := time.Now()
			for range threads {
				liveThread(callbacks)
			}
			b.ReportMetric(threads/time.Since(begin).Seconds(), "lives/s")
		})
	}
}

// How long it takes to stop the world, and to collect, beside a thread that calls Go.
func BenchmarkThreadStop(b *testing.B) {
	for _, procs := range []int{2, 4} {
		for _, gap := range []time.Duration{0, time.Microsecond} {
			benchmark(b, fmt.Sprintf("%s-P%d", name(gap), procs), func(b *testing.B) {
				runtime.GOMAXPROCS(procs)
				t := startThreads(1, gapComputes, gap, rounds(gap), adds)
				time.Sleep(50 * time.Millisecond)
				measureStops(b, 400, time.Minute)
				b.ReportMetric(t.end(), "callbacks/s")
			})
		}
	}
}

// What goroutines do beside threads that call Go now and then: two that compute, one
// that sleeps, or a server with four clients.
func BenchmarkBeside(b *testing.B) {
	for _, procs := range []int{1, 2, 4} {
		for _, gap := range []struct {
			name   string
			kind   int
			length time.Duration
		}{
			{"always", gapNone, 0},
			{"computes-20us", gapComputes, 20 * time.Microsecond},
			{"computes-300us", gapComputes, 300 * time.Microsecond},
			{"sleeps-20us", gapSleeps, 20 * time.Microsecond},
			{"sleeps-300us", gapSleeps, 300 * time.Microsecond},
			{"sleeps-10ms", gapSleeps, 10 * time.Millisecond},
			{"raw-futex-300us", gapRaw, 300 * time.Microsecond},
		} {
			for _, beside := range []struct {
				name string
				run  func(*testing.B, time.Duration)
			}{{"work", workBeside}, {"sleeper", sleepBeside}, {"http", serveBeside}} {
				benchmark(b, fmt.Sprintf("%s-%s-P%d", beside.name, gap.name, procs), func(b *testing.B) {
					runtime.GOMAXPROCS(procs)
					t := startThreads(1, gap.kind, gap.length, rounds(gap.length), adds)
					beside.run(b, 400*time.Millisecond)
					b.ReportMetric(t.end(), "callbacks/s")
				})
			}
		}
	}
}

func workBeside(b *testing.B, length time.Duration) {
	var all workers
	work := all.start(2, computeInGo)
	b.ReportMetric(all.rate(work, length), "work/s")
}

func sleepBeside(b *testing.B, length time.Duration) {
	const sleep = 200 * time.Microsecond
	var late []time.Duration
	for end := time.Now().Add(length); time.Now().Before(end); {
		begin := time.Now()
		time.Sleep(sleep)
		late = append(late, time.Since(begin)-sleep)
	}
	reportDurations(b, "late", late)
}

func serveBeside(b *testing.B, length time.Duration) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, "hello") }))
	defer server.Close()
	var all workers
	requests := all.start(4, func(x uint32) uint32 {
		response, err := server.Client().Get(server.URL)
		if err != nil {
			panic(err)
		}
		if _, err := io.Copy(io.Discard, response.Body); err != nil {
			panic(err)
		}
		response.Body.Close()
		return x
	})
	b.ReportMetric(all.rate(requests, length), "requests/s")
}
