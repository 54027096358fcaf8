package probe

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"
)

// Main is the whole of a program with scenarios. With -list it announces them,
// otherwise it measures those that -run names.
func Main(scenarios []Scenario) {
	var r run
	list := flag.Bool("list", false, "print the scenarios, one JSON object a line")
	names := flag.String("run", "", "names of scenarios, bench/variant, separated by commas")
	flag.IntVar(&r.procs, "procs", 1, "GOMAXPROCS, and goroutines that work at once")
	flag.IntVar(&r.first, "first", 0, "number of the first round")
	flag.IntVar(&r.rounds, "rounds", 1, "rounds")
	flag.DurationVar(&r.sample, "sample", 5*time.Millisecond, "length of one measurement")
	flag.Parse()
	runtime.GOMAXPROCS(r.procs)
	out := json.NewEncoder(os.Stdout)
	var err error
	if *list {
		err = announce(out, scenarios)
	} else {
		err = r.measure(out, scenarios, strings.Split(*names, ","))
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func announce(out *json.Encoder, scenarios []Scenario) error {
	for _, s := range scenarios {
		if err := out.Encode(Listing{s.Bench, s.Variant, s.What, s.Alone}); err != nil {
			return err
		}
	}
	return nil
}

// A run is what one process measures.
type run struct {
	procs         int // goroutines that work at once
	first, rounds int
	sample        time.Duration // of one measurement
}

func (r run) measure(out *json.Encoder, scenarios []Scenario, names []string) error {
	var chosen []*Scenario
	for i := range scenarios {
		if s := &scenarios[i]; slices.Contains(names, s.Name()) {
			chosen = append(chosen, s)
		}
	}
	if len(chosen) != len(names) {
		return fmt.Errorf("probe: %d of the %d scenarios %q exist; -list prints them", len(chosen), len(names), names)
	}
	counts := make([]int, len(chosen))
	for i, s := range chosen {
		if s.Setup != nil {
			s.Setup()
		}
		var err error
		if counts[i], err = s.calibrate(r.procs, r.sample); err != nil {
			return out.Encode(Sample{Bench: s.Bench, Variant: s.Variant, Procs: r.procs, Round: r.first, Error: err.Error()})
		}
	}
	var samples []Sample
	for round := r.first; round < r.first+r.rounds; round++ {
		// Every second round runs backwards, so that a machine that slowly
		// gets faster or slower favours nobody.
		for k := range chosen {
			i := k
			if round%2 == 1 {
				i = len(chosen) - 1 - k
			}
			s := chosen[i]
			if s.Setup != nil {
				runtime.GC() // what a variant left is not the next one's work
			}
			elapsed, _, err := s.measure(r.procs, counts[i])
			result := Sample{Bench: s.Bench, Variant: s.Variant, Procs: r.procs, Round: round, NS: perOperation(elapsed, counts[i])}
			if err != nil {
				result.Error = err.Error()
			}
			samples = append(samples, result)
		}
	}
	for _, s := range samples { // after all: nothing is printed while something is measured
		if err := out.Encode(s); err != nil {
			return err
		}
	}
	return nil
}
