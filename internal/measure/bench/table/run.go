package main

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/perf/benchfmt"
	"golang.org/x/perf/benchmath"
)

// A run is the values of each benchmark, "Cycle/table=wherry", in each unit, in order of
// the rounds.
type run struct {
	system  map[string]string // goos, goarch, cpu, go
	procs   int               // GOMAXPROCS
	keys    []key             // in order of appearance, in the units that were printed
	samples map[key][]float64
	err     error // what a table missed
}

type key struct{ name, unit string }

// read reads a raw run: what Go's benchmarks print, after some lines with what is to be
// known about it ("go: go1.26.8"), or lines of folder inflight.
func read(raw string) (*run, error) {
	r := &run{system: map[string]string{}, procs: 1, samples: map[key][]float64{}}
	lines := benchfmt.NewReader(strings.NewReader(inFlight.ReplaceAllString(raw, "Benchmark$3/$1 1 $5 $4")), "raw")
	for lines.Scan() {
		line, ok := lines.Result().(*benchfmt.Result)
		if malformed, is := lines.Result().(*benchfmt.SyntaxError); is {
			return nil, malformed
		} else if !ok {
			continue
		}
		for _, c := range line.Config {
			r.system[c.Key] = string(c.Value)
		}
		name := string(line.Name.Full())
		if at := strings.LastIndexByte(name, '-'); at >= 0 {
			if n, err := strconv.Atoi(name[at+1:]); err == nil {
				name, r.procs = name[:at], n
			}
		}
		for _, v := range line.Values {
			if v.OrigUnit != "" { // benchfmt makes seconds of ns, and keeps what was printed
				k := key{name, v.Unit}
				r.samples[k] = append(r.samples[k], v.Value)
				v.Value, v.Unit = v.OrigValue, v.OrigUnit
			}
			k := key{name, v.Unit}
			if r.samples[k] == nil {
				r.keys = append(r.keys, k)
			}
			r.samples[k] = append(r.samples[k], v.Value)
		}
	}
	return r, lines.Err()
}

// inFlight is a line of folder inflight: inflight way=cgo round=1 case=stop/15us GC-p50-us=212
var inFlight = regexp.MustCompile(`(?m)^inflight (way=\w+) round=(\d+) case=(\S+) (\S+)=(\S+)$`)

// get returns what the run must have.
func (r *run) get(name, unit string) []float64 {
	values := r.samples[key{name, unit}]
	if len(values) == 0 {
		if r.err == nil {
			r.err = fmt.Errorf("the run has no %s in %s", name, unit)
		}
		return []float64{0}
	}
	return values
}

// head says where and how often it was measured.
func (r *run) head(rounds []float64, more string) string {
	s := r.system
	return fmt.Sprintf("%s, %s/%s, %s, %s%d rounds\n\n", s["go"], s["goos"], s["goarch"], s["cpu"], more, len(rounds))
}

// quotients divides what was measured in the same rounds.
func (r *run) quotients(a, b []float64) []float64 {
	if len(a) != len(b) {
		if r.err == nil {
			r.err = fmt.Errorf("%d and %d values: want one of each for every round", len(a), len(b))
		}
		return []float64{0}
	}
	q := make([]float64, len(a))
	for i := range a {
		q[i] = a[i] / b[i]
	}
	return q
}

// ratio is the median of a/b, taken in each round, with its 95 % interval.
func (r *run) ratio(a, b []float64) string {
	s := summary(r.quotients(a, b))
	if len(a) < 6 { // too few for an interval of 95 %
		return fmt.Sprintf("%.3g", s.Center)
	}
	return fmt.Sprintf("%.3g (%.3g to %.3g)", s.Center, s.Lo, s.Hi)
}

// summary leaves its argument as it is; benchmath would sort it.
func summary(values []float64) benchmath.Summary {
	return benchmath.AssumeNothing.Summary(benchmath.NewSample(slices.Clone(values), &benchmath.DefaultThresholds), 0.95)
}

func median(values []float64) float64 { return summary(values).Center }

// digits returns three of them, and no exponent.
func digits(v float64) string {
	if v >= 1000 {
		return fmt.Sprintf("%.0f", v)
	}
	return fmt.Sprintf("%.3g", v)
}

// format returns the median and the best round.
func format(values []float64, unit string) string {
	v, best := median(values), slices.Min(values)
	switch {
	case unit == "handles/s":
		return fmt.Sprintf("%.3g (%.3g) million", v/1e6, slices.Max(values)/1e6)
	case unit != "sec/op":
		return digits(v) + " B"
	case v > 1e-3:
		return fmt.Sprintf("%.0f (%.0f) ms", v*1e3, best*1e3)
	}
	return fmt.Sprintf("%s (%s) ns", digits(v*1e9), digits(best*1e9))
}

// markdown is a table, with numbers in all columns but the first.
type markdown struct{ strings.Builder }

func (m *markdown) head(cells ...string) {
	m.row(cells...)
	m.WriteString("| --- |" + strings.Repeat(" ---: |", len(cells)-1) + "\n")
}

func (m *markdown) row(cells ...string) {
	m.WriteByte('|')
	for _, cell := range cells {
		if cell != "" {
			m.WriteString(" " + cell)
		}
		m.WriteString(" |")
	}
	m.WriteByte('\n')
}
