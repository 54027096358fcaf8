package main

import (
	"math"
	"runtime/metrics"
	"testing"
)

// Quantiles are of what came between the readings.
func TestQuantile(t *testing.T) {
	buckets := []float64{0, 1, 2, 3, 4}
	before := &metrics.Float64Histogram{Counts: []uint64{100, 0, 0, 0}, Buckets: buckets}
	after := &metrics.Float64Histogram{Counts: []uint64{101, 97, 1, 1}, Buckets: buckets}
	for q, want := range map[float64]float64{0.5: 2, 0.98: 2, 0.985: 3, 0.99: 3, 1: 4} {
		if got := quantile(before, after, q); got != want {
			t.Errorf("%v: got %v, want %v", q, got, want)
		}
	}
	if got := quantile(before, before, 0.5); !math.IsNaN(got) {
		t.Errorf("of nothing: got %v", got)
	}
}

// All modes compute the same, and calibrated work takes about its time.
func TestWork(t *testing.T) {
	for _, m := range modes {
		if got, want := m.work(7, 1000), modes[0].work(7, 1000); got != want {
			t.Errorf("%s: got %d, want %d", m.name, got, want)
		}
	}
	if got := calibrate(); got < 50 || got > 5000 {
		t.Errorf("%v rounds of work take a microsecond", got)
	}
}
