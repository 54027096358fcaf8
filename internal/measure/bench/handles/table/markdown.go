package main

import (
	"fmt"
	"slices"
	"strings"

	"golang.org/x/perf/benchmath"
)

// rivals are the tables beside package handle, "wherry".
var rivals = []string{"cgo", "go-pointer", "cl600875"}

const seconds, perSecond, bytes, cpu = "sec/op", "handles/s", "B/handle", "cpu-sec/op"

// works are the lines of the first table. %p stands for GOMAXPROCS.
var works = []struct{ work, benchmark, unit string }{
	{"New, Value, Delete of a pointer", "Cycle", seconds},
	{"the article's benchmark, not concurrent (boxes an int)", "Article/work=non-concurrent", seconds},
	{"the article's benchmark, concurrent", "Article/work=concurrent", seconds},
	{"its handles per second", "Article/work=concurrent", perSecond},
	{"Value", "Value", seconds},
	{"the cycle on %p goroutines, for each", "Parallel/workers=%p", seconds},
	{"the cycle on %q goroutines, for each processor", "Parallel/workers=%q", seconds},
	{"New here, Value and Delete on another goroutine", "HandOver", seconds},
	{"Delete, New, Value of random ones of a million", "Million", seconds},
	{"heap for each of a million", "Million", bytes},
}

// costs are the lines of the second table: a benchmark as a multiple of
// another of the same table.
var costs = []struct{ work, benchmark, base, unit string }{
	{"%p goroutines", "Parallel/workers=%p", "Parallel/workers=1", seconds},
	{"the same in processor time", "Parallel/workers=%p", "Parallel/workers=1", cpu},
	{"%q goroutines", "Parallel/workers=%q", "Parallel/workers=1", seconds},
	{"the same in processor time", "Parallel/workers=%q", "Parallel/workers=1", cpu},
	{"created here, deleted on another goroutine", "HandOver", "Cycle", seconds},
}

// markdown writes both tables. Every line must be in the run.
func markdown(r run) (string, error) {
	var b strings.Builder
	expand := strings.NewReplacer("%p", fmt.Sprint(r.procs), "%q", fmt.Sprint(16*r.procs)).Replace
	rounds := len(r.samples[key{"Cycle", "wherry", seconds}])
	fmt.Fprintf(&b, "%s, %s/%s, %s, GOMAXPROCS %d, %d rounds\n\n", r.system["go"], r.system["goos"], r.system["goarch"],
		r.system["cpu"], r.procs, rounds)

	b.WriteString("| work | wherry |")
	for _, rival := range rivals {
		fmt.Fprintf(&b, " %s | ratio |", rival)
	}
	b.WriteString("\n| --- | ---: |" + strings.Repeat(" ---: | ---: |", len(rivals)) + "\n")
	for _, w := range works {
		own := r.samples[key{expand(w.benchmark), "wherry", w.unit}]
		fmt.Fprintf(&b, "| %s | %s |", expand(w.work), format(own, w.unit))
		for _, rival := range rivals {
			theirs := r.samples[key{expand(w.benchmark), rival, w.unit}]
			better, worse := own, theirs
			if w.unit == perSecond {
				better, worse = theirs, own
			}
			ratio, err := ratios(worse, better)
			if err != nil {
				return "", fmt.Errorf("%s of %s: %v", w.benchmark, rival, err)
			}
			fmt.Fprintf(&b, " %s | %s |", format(theirs, w.unit), ratio)
		}
		b.WriteString("\n")
	}

	b.WriteString("\n| cost of a cycle, as a multiple of one on one goroutine | wherry |")
	for _, rival := range rivals {
		fmt.Fprintf(&b, " %s |", rival)
	}
	b.WriteString("\n| --- |" + strings.Repeat(" ---: |", 1+len(rivals)) + "\n")
	for _, c := range costs {
		fmt.Fprintf(&b, "| %s |", expand(c.work))
		for _, table := range append([]string{"wherry"}, rivals...) {
			ratio, err := ratios(r.samples[key{expand(c.benchmark), table, c.unit}], r.samples[key{c.base, table, c.unit}])
			if err != nil {
				return "", fmt.Errorf("%s of %s: %v", c.benchmark, table, err)
			}
			fmt.Fprintf(&b, " %s |", ratio)
		}
		b.WriteString("\n")
	}
	return b.String(), nil
}

// ratios is the median of a/b, taken in each round, with its 95 % interval.
func ratios(a, b []float64) (string, error) {
	if len(a) == 0 || len(a) != len(b) {
		return "", fmt.Errorf("%d and %d values: want one of each for every round", len(a), len(b))
	}
	quotients := make([]float64, len(a))
	for i := range a {
		quotients[i] = a[i] / b[i]
	}
	s := summary(quotients)
	if len(a) < 6 { // too few for an interval of 95 %
		return fmt.Sprintf("%.3g", s.Center), nil
	}
	return fmt.Sprintf("%.3g (%.3g to %.3g)", s.Center, s.Lo, s.Hi), nil
}

// format returns the median and the best round.
func format(values []float64, unit string) string {
	if len(values) == 0 {
		return "none"
	}
	v := summary(values).Center
	switch unit {
	case seconds:
		return fmt.Sprintf("%s (%s) ns", digits(v*1e9), digits(slices.Min(values)*1e9))
	case perSecond:
		return fmt.Sprintf("%.3g (%.3g) million", v/1e6, slices.Max(values)/1e6)
	}
	return fmt.Sprintf("%.3g B", v)
}

// digits returns three of them, and no exponent.
func digits(v float64) string {
	if v >= 1000 {
		return fmt.Sprintf("%.0f", v)
	}
	return fmt.Sprintf("%.3g", v)
}

// summary leaves its argument as it is; benchmath would sort it.
func summary(values []float64) benchmath.Summary {
	sample := benchmath.NewSample(append([]float64(nil), values...), &benchmath.DefaultThresholds)
	return benchmath.AssumeNothing.Summary(sample, 0.95)
}
