package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"golang.org/x/perf/benchfmt"
	"golang.org/x/perf/benchmath"
)

// rows are the lines of the table: a work, how we do it, and rivals.
var rows = []struct {
	work, benchmark, unit, own string
	rivals                     []string
}{
	{"add of two ints, typed stub", "Add", "sec/op", "stub", []string{"cgo", "purego", "frame64k"}},
	{"add of two ints, Bind", "Add", "sec/op", "bind", []string{"cgo", "purego", "frame64k"}},
	{"six ints, typed stub", "Six", "sec/op", "stub", []string{"cgo", "purego"}},
	{"six ints, Bind", "Six", "sec/op", "bind", []string{"cgo", "purego"}},
	{"eight doubles, typed stub", "Eight", "sec/op", "stub", []string{"cgo", "purego"}},
	{"eight doubles, Bind", "Eight", "sec/op", "bind", []string{"cgo", "purego"}},
	{"a string, typed stub", "Text", "sec/op", "stub", []string{"cgo", "purego"}},
	{"a string, Bind", "Text", "sec/op", "bind", []string{"cgo", "purego"}},
	{"qsort of a million ints, Go comparison", "Qsort", "sec/op", "wherry", []string{"cgo", "purego", "none"}},
	{"callback.New and Release", "NewAndRelease", "sec/op", "wherry", nil},
	{"memory of a goroutine after a call by stub", "Goroutines", "B/goroutine", "stub", []string{"cgo", "frame64k"}},
	{"memory of a goroutine after a call by Bind", "Goroutines", "B/goroutine", "bind", []string{"cgo", "frame64k"}},
}

type key struct{ benchmark, way, unit string }

// tables reads the output of the benchmarks, a round after another, and writes
// markdown. Every line must be in the run.
func tables(r io.Reader) (string, error) {
	samples, system := map[key][]float64{}, map[string]string{}
	for reader := benchfmt.NewReader(r, "raw"); reader.Scan(); {
		line, ok := reader.Result().(*benchfmt.Result)
		if !ok {
			continue
		}
		for _, c := range line.Config {
			system[c.Key] = string(c.Value)
		}
		name, way, ok := strings.Cut(string(line.Name.Full()), "/way=")
		if !ok {
			return "", fmt.Errorf("benchmark %s names no way", name)
		}
		way, _, _ = strings.Cut(way, "-")
		for _, v := range line.Values {
			k := key{name, way, v.Unit}
			samples[k] = append(samples[k], v.Value)
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s, %s/%s, %s, %d rounds\n\n", system["go"], system["goos"], system["goarch"], system["cpu"],
		len(samples[key{"Add", "stub", "sec/op"}]))
	if err := shapes(&b, samples); err != nil {
		return "", err
	}
	all := []string{"cgo", "purego", "frame64k", "none"}
	b.WriteString("\n| work | wherry |")
	for _, rival := range all {
		fmt.Fprintf(&b, " %s | ratio |", rival)
	}
	b.WriteString("\n| --- | ---: |" + strings.Repeat(" ---: | ---: |", len(all)) + "\n")
	for _, row := range rows {
		own := samples[key{row.benchmark, row.own, row.unit}]
		if len(own) == 0 {
			return "", fmt.Errorf("the run has no %s/way=%s in %s", row.benchmark, row.own, row.unit)
		}
		fmt.Fprintf(&b, "| %s | %s |", row.work, format(own, row.unit))
		for _, rival := range all {
			if !slices.Contains(row.rivals, rival) {
				b.WriteString(" | |")
				continue
			}
			theirs := samples[key{row.benchmark, rival, row.unit}]
			if len(theirs) != len(own) {
				return "", fmt.Errorf("%s: %d values of %s and %d of %s: want one of each for every round", row.benchmark, len(own),
					row.own, len(theirs), rival)
			}
			fmt.Fprintf(&b, " %s | %s |", format(theirs, row.unit), ratio(theirs, own))
		}
		b.WriteString("\n")
	}
	return b.String(), nil
}

// shapes writes the table of calls beside the shortest way that there is.
func shapes(b *strings.Builder, samples map[key][]float64) error {
	b.WriteString("| arguments and result | cgo | wherry build | times faster | shortest way | wherry build | typed stub | Bind |\n| --- | " +
		"---: | ---: | ---: | ---: | ---: | ---: | ---: |\n")
	for _, shape := range [][2]string{{"none", "Nothing"}, {"two ints, int", "Add"}, {"two doubles, double", "Double"},
		{"six longs, long", "Six"}, {"eight doubles, double", "Eight"},
		{"two structs of two longs, such a struct", "Pair"}, {"int, int and errno", "Errno"}, {"`void *` to Go memory, int", "Pointer"}} {
		of := func(way string) []float64 { return samples[key{shape[1], way, "sec/op"}] }
		cgo, built, floor := of("cgo"), of("wherry"), of("floor")
		if len(cgo) == 0 || len(built) != len(cgo) || len(floor) != len(cgo) {
			return fmt.Errorf("%s: %d values of cgo, %d of wherry, %d of floor: want one of each for every round", shape[1],
				len(cgo), len(built), len(floor))
		}
		fmt.Fprintf(b, "| %s | %s | %s | %s | %s |", shape[0], format(cgo, "sec/op"), format(built, "sec/op"), ratio(cgo, built),
			format(floor, "sec/op"))
		for _, way := range []string{"wherry", "stub", "bind"} {
			if own := of(way); len(own) == len(floor) {
				fmt.Fprintf(b, " %s", ratio(own, floor))
			}
			b.WriteString(" |")
		}
		b.WriteString("\n")
	}
	return nil
}

// ratio is the median of a/b, taken in each round, with its 95 % interval.
func ratio(a, b []float64) string {
	quotients := make([]float64, len(a))
	for i := range a {
		quotients[i] = a[i] / b[i]
	}
	s := summary(quotients)
	if len(a) < 6 { // too few for an interval of 95 %
		return fmt.Sprintf("%.3g", s.Center)
	}
	return fmt.Sprintf("%.3g (%.3g to %.3g)", s.Center, s.Lo, s.Hi)
}

// format returns the median and the best round.
func format(values []float64, unit string) string {
	v, best := summary(values).Center, slices.Min(values)
	if unit != "sec/op" {
		return fmt.Sprintf("%.0f B", v)
	}
	if v > 1e-3 {
		return fmt.Sprintf("%.0f (%.0f) ms", v*1e3, best*1e3)
	}
	return fmt.Sprintf("%.3g (%.3g) ns", v*1e9, best*1e9)
}

func summary(values []float64) benchmath.Summary {
	sample := benchmath.NewSample(slices.Clone(values), &benchmath.DefaultThresholds)
	return benchmath.AssumeNothing.Summary(sample, 0.95)
}
