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
	list := flag.Bool("list", false, "print the scenarios, one JSON object a line")
	names := flag.String("run", "", "names of scenarios, bench/variant, separated by commas")
	procs := flag.Int("procs", 1, "GOMAXPROCS, and goroutines that work at once")
	first := flag.Int("first", 0, "number of the first round")
	rounds := flag.Int("rounds", 1, "rounds")
	sample := flag.Duration("sample", 5*time.Millisecond, "length of one measurement")
	flag.Parse()
	runtime.GOMAXPROCS(*procs)
	if err := run(scenarios, *list, strings.Split(*names, ","), *procs, *first, *rounds, *sample); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(scenarios []Scenario, list bool, names []string, procs, first, rounds int, sample time.Duration) error {
	out := json.NewEncoder(os.Stdout)
	if list {
		for _, s := range scenarios {
			if err := out.Encode(Listing{s.Bench, s.Variant, s.What, s.Alone}); err != nil {
				return err
			}
		}
		return nil
	}
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
		if counts[i], err = s.calibrate(procs, sample); err != nil {
			return out.Encode(Sample{Bench: s.Bench, Variant: s.Variant, Procs: procs, Round: first, Error: err.Error()})
		}
	}
	var samples []Sample
	for round := first; round < first+rounds; round++ {
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
			elapsed, _, err := s.measure(procs, counts[i])
			result := Sample{Bench: s.Bench, Variant: s.Variant, Procs: procs, Round: round, NS: perOperation(elapsed, counts[i])}
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
