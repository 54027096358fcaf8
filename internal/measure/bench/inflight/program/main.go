// Program runs one case of package inflight and prints what it measured, as
// name=value. It is built twice, by the go command and by wherry.
//
//	program -list        the names of the cases
//	program stop/15us
package main

// #include "calls.h"
import "C"

import (
	"flag"
	"fmt"
	"log"
	"math"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

type testCase struct {
	name string
	run  func()
}

var cases = slices.Concat(stopCases(), crossingCases(), computeCases(), lateCases(), endCases(), eintrCases(),
	sleeperCases(), threadCases())

func main() {
	log.SetFlags(0)
	log.SetPrefix("program: ")
	list := flag.Bool("list", false, "print the names of the cases")
	flag.Parse()
	if *list {
		for _, c := range cases {
			fmt.Println(c.name)
		}
		return
	}
	for _, c := range cases {
		if c.name == flag.Arg(0) {
			c.run()
			return
		}
	}
	log.Printf("no case %q", flag.Arg(0))
	os.Exit(2)
}

// print prints a measurement. The name ends in its unit.
func print(name string, value float64) { fmt.Printf("%s=%.6g\n", name, value) }

// printDurations prints durations that were measured one by one.
func printDurations(name string, durations []time.Duration) {
	if len(durations) == 0 {
		log.Fatalf("%s: nothing measured", name)
	}
	slices.Sort(durations)
	at := func(q float64) float64 {
		return float64(durations[max(0, int(math.Ceil(q*float64(len(durations))))-1)].Nanoseconds()) / 1e3
	}
	print(name+"-p50-us", at(0.5))
	print(name+"-p99-us", at(0.99))
}

// perMicrosecond finds how many rounds C.compute does in a microsecond, in the
// best case.
func perMicrosecond() float64 {
	const rounds = 100_000
	best := time.Duration(math.MaxInt64)
	for range 50 {
		begin := time.Now()
		C.compute(1, rounds)
		best = min(best, time.Since(begin))
	}
	return rounds / (float64(best.Nanoseconds()) / 1e3)
}

// rounds is how many rounds C.compute does in so long.
func rounds(d time.Duration) C.uint {
	return C.uint(perMicrosecond() * float64(d.Nanoseconds()) / 1e3)
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

// compute is some work in Go.
func compute(x uint32) uint32 {
	for range 10_000 {
		x = x*1664525 + 1013904223
	}
	return x
}

// name is a duration's in the name of a case.
func name(d time.Duration) string { return strings.ReplaceAll(d.String(), "µ", "u") }
