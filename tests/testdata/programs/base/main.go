// Package main runs the pieces of pieces.go: which, in what order and within each other is
// decided by a seed. What it prints depends on nothing else.
package main

import (
	"flag"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// A piece calls C in its own way and returns a sum of what it saw. The generator lists
// them in pieces.go.
type piece struct {
	name   string
	run    func(p *plan) uint64
	bubble bool // may run in a bubble of testing/synctest
}

// What remains of a plan that is cut down.
var without []string

// The test that the program is, since bubbles want one; nil in others.
var test *testing.T

func main() {
	testing.Init()
	seed := flag.Uint64("seed", 1, "decides what is done")
	tasks := flag.Int("tasks", 20, "how many pieces run from main")
	only := flag.String("only", "", "the tasks that run, by their numbers, 1,2,3; otherwise all")
	no := flag.String("without", "", "the pieces that do not run, by their names, a,b")
	depth := flag.Int("depth", 3, "how many pieces run within each other")
	flag.Parse()
	without = strings.Split(*no, ",")
	settings := newPlan(*seed, 0)
	if settings.n(3) == 0 {
		go collect()
	}
	if settings.n(4) == 0 {
		go compute()
	}
	run := func(t *testing.T) {
		test = t
		runTasks(*seed, *tasks, *depth, *only)
	}
	if settings.n(2) == 0 {
		run(nil)
		return
	}
	all := func(string, string) (bool, error) { return true, nil }
	testing.Main(all, []testing.InternalTest{{Name: "program", F: run}}, nil, nil)
}

// runTasks runs what the plan has for main.
func runTasks(seed uint64, tasks, depth int, only string) {
	for i := range tasks {
		if only != "" && !slices.Contains(strings.Split(only, ","), strconv.Itoa(i)) {
			continue
		}
		p := newPlan(seed<<16+uint64(i), depth)
		piece := pieces[p.n(len(pieces))]
		if slices.Contains(without, piece.name) {
			continue
		}
		way := topWays[p.n(len(topWays))]
		fmt.Fprintf(os.Stderr, "task %d: %s %s\n", i, piece.name, way.name) // where it was, if it dies
		fmt.Printf("task %d: %s %s %x\n", i, piece.name, way.name, way.run(p, piece))
	}
}

// collect never lets the collector rest.
func collect() {
	for {
		runtime.GC()
		time.Sleep(100 * time.Microsecond)
	}
}

// compute makes the scheduler preempt others for it.
func compute() {
	for n := uint64(1); ; n++ {
		if n%(1<<22) == 0 {
			time.Sleep(time.Millisecond)
		}
	}
}
