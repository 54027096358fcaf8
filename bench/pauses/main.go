// Pauses is a server under load whose handlers call C for 1, 10 or 100
// microseconds, and prints how long the collector stopped the world meanwhile
// (runtime/metrics, /sched/pauses). A fast call becomes a cgo call then. One line
// for each mode and duration, and round:
//
//	pauses mode=fast us=10 round=1 gcs=431 requests/s=48211 stop-p50-us=… …
//
// stop is the time until all goroutines stood still, total until they ran again.
package main

/*
static unsigned work(unsigned x, unsigned rounds) {
	for (unsigned i = 0; i < rounds; i++) x = x * 1664525u + 1013904223u;
	return x ^ x >> 16;
}
static unsigned work_cgo(unsigned x, unsigned rounds) { return work(x, rounds); }
static unsigned work_fast(unsigned x, unsigned rounds) { return work(x, rounds); }
*/
import "C"

import (
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"math"
	"runtime"
	"runtime/metrics"
	"sync"
	"sync/atomic"
	"time"
)

//wherry:cgo work_cgo

type mode struct {
	name string
	work func(x, rounds uint32) uint32
}

var modes = []mode{
	{"cgo", func(x, rounds uint32) uint32 { return uint32(C.work_cgo(C.uint(x), C.uint(rounds))) }},
	{"fast", func(x, rounds uint32) uint32 { return uint32(C.work_fast(C.uint(x), C.uint(rounds))) }},
}

func main() {
	log.SetFlags(0)
	round := flag.Int("round", 1, "number of the round; every second one goes backwards")
	length := flag.Duration("time", 2*time.Second, "length of a measurement")
	flag.Parse()
	keep := liveHeap()
	perMicrosecond := calibrate()
	var order []func()
	for _, us := range []int{1, 10, 100} {
		for _, m := range modes {
			order = append(order, func() { measure(m, us, perMicrosecond, *round, *length) })
		}
	}
	for i := range order {
		if *round%2 == 0 {
			i = len(order) - 1 - i
		}
		order[i]()
	}
	runtime.KeepAlive(keep)
}

// liveHeap is some 4 MB that the collector has to follow.
func liveHeap() map[int]*[64]*int {
	heap := map[int]*[64]*int{}
	for i := range 4000 {
		block := new([64]*int)
		for j := range block[:32] {
			block[j] = new(int)
		}
		heap[i] = block
	}
	return heap
}

// calibrate finds how many rounds of work take a microsecond, in the best case.
func calibrate() float64 {
	const rounds = 100_000
	best := time.Duration(math.MaxInt64)
	for range 50 {
		begin := time.Now()
		modes[0].work(1, rounds)
		best = min(best, time.Since(begin))
	}
	return rounds / (float64(best.Nanoseconds()) / 1000)
}

// request is what a handler answers.
type request struct {
	ID    uint32
	Names []string
	Sum   uint32
}

// measure lets handlers answer requests, two for each processor.
func measure(m mode, us int, perMicrosecond float64, round int, length time.Duration) {
	rounds := uint32(float64(us) * perMicrosecond)
	runtime.GC()
	before := read()
	var served atomic.Int64
	var handlers sync.WaitGroup
	end := time.Now().Add(length)
	handlers.Add(1)
	go func() { // collections often, for many pauses
		defer handlers.Done()
		for time.Now().Before(end) {
			runtime.GC()
			time.Sleep(time.Millisecond)
		}
	}()
	for range 2 * runtime.GOMAXPROCS(0) {
		handlers.Add(1)
		go func() {
			defer handlers.Done()
			for id := uint32(0); time.Now().Before(end); id++ {
				r := request{ID: id, Names: []string{"one", "two", "three"}, Sum: m.work(id, rounds)}
				text, err := json.Marshal(r)
				var back request
				if err == nil {
					err = json.Unmarshal(text, &back)
				}
				if err != nil || id%1024 == 0 && back.Sum != modes[0].work(id, rounds) {
					log.Fatalf("pauses: %s: wrong answer %s, %v", m.name, text, err)
				}
				served.Add(1)
			}
		}()
	}
	handlers.Wait()
	after := read()
	fmt.Printf("pauses mode=%s us=%d round=%d gcs=%d requests/s=%.0f", m.name, us, round, after.gcs-before.gcs, float64(served.Load())/length.Seconds())
	for i, name := range []string{"stop", "total"} {
		for _, q := range []float64{0.5, 0.99, 1} {
			label := map[float64]string{0.5: "p50", 0.99: "p99", 1: "max"}[q]
			fmt.Printf(" %s-%s-us=%.1f", name, label, 1e6*quantile(before.pauses[i], after.pauses[i], q))
		}
	}
	fmt.Println()
}

type reading struct {
	gcs    uint64
	pauses [2]*metrics.Float64Histogram
}

func read() reading {
	samples := []metrics.Sample{
		{Name: "/gc/cycles/total:gc-cycles"}, {Name: "/sched/pauses/stopping/gc:seconds"}, {Name: "/sched/pauses/total/gc:seconds"},
	}
	metrics.Read(samples)
	return reading{samples[0].Value.Uint64(), [2]*metrics.Float64Histogram{samples[1].Value.Float64Histogram(), samples[2].Value.Float64Histogram()}}
}

// quantile gives the upper bound of the bucket that has the quantile, of what
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
