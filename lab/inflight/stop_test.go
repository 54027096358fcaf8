package inflight

import (
	"math"
	"runtime"
	"runtime/metrics"
	"testing"
	"time"
)

// How long it takes to stop the world while C computes on every P.
func BenchmarkStop(b *testing.B) {
	for _, length := range []time.Duration{15 * time.Microsecond, 100 * time.Microsecond, 10 * time.Millisecond, 100 * time.Millisecond} {
		benchmark(b, name(length), func(b *testing.B) {
			n := rounds(length)
			stop(b, func(x uint32) uint32 { return compute(x, n) })
		})
	}
	// What stopping takes beside goroutines that call no C: nothing can be quicker.
	benchmark(b, "in-go", func(b *testing.B) { stop(b, computeInGo) })
}

// stop stops the world beside two goroutines that do this on the only two P's.
func stop(b *testing.B, compute func(uint32) uint32) {
	runtime.GOMAXPROCS(2)
	var workers workers
	calls := workers.start(2, compute)
	time.Sleep(50 * time.Millisecond)
	begin, before := time.Now(), calls.Load()
	measureStops(b, 300, 3*time.Second)
	b.ReportMetric(float64(calls.Load()-before)/time.Since(begin).Seconds(), "calls/s")
	workers.end()
}

// measureStops stops the world in two ways, so often, or for so long each.
func measureStops(b *testing.B, limit int, most time.Duration) {
	for _, kind := range []struct {
		name, metric string
		stop         func()
	}{
		{"ReadMemStats", "other", func() {
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
		}},
		{"GC", "gc", runtime.GC},
	} {
		var took []time.Duration
		histogram := "/sched/pauses/stopping/" + kind.metric + ":seconds"
		was := read(b, histogram)
		for end := time.Now().Add(most); len(took) < limit && time.Now().Before(end); {
			time.Sleep(time.Millisecond)
			begin := time.Now()
			kind.stop()
			took = append(took, time.Since(begin))
		}
		is := read(b, histogram)
		reportDurations(b, kind.name, took)
		b.ReportMetric(1e6*quantile(was, is, 0.5), "stopping-"+kind.metric+"-p50-us")
		b.ReportMetric(1e6*quantile(was, is, 0.99), "stopping-"+kind.metric+"-p99-us")
	}
}

func read(b *testing.B, name string) *metrics.Float64Histogram {
	sample := []metrics.Sample{{Name: name}}
	metrics.Read(sample)
	if sample[0].Value.Kind() != metrics.KindFloat64Histogram {
		b.Fatalf("package runtime/metrics has no %s", name)
	}
	return sample[0].Value.Float64Histogram()
}

// quantile returns the upper bound of the bucket that has the quantile, of what
// was counted between two readings.
func quantile(before, after *metrics.Float64Histogram, q float64) float64 {
	total := uint64(0)
	for i := range after.Counts {
		total += after.Counts[i] - before.Counts[i]
	}
	wanted := max(1, uint64(math.Ceil(q*float64(total))))
	sum := uint64(0)
	for i := range after.Counts {
		if sum += after.Counts[i] - before.Counts[i]; sum >= wanted {
			return after.Buckets[i+1]
		}
	}
	return math.NaN()
}
