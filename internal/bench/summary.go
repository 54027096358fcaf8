package bench

import (
	"fmt"

	"golang.org/x/perf/benchmath"
)

// confidence of every interval.
const confidence = 0.95

// A pair is what one round measured of one benchmark.
type pair [2]measurement // by variant

// summarize says what the pairs of one benchmark show. The ratio is taken
// inside each round, where both processes ran one after the other: what
// changes from round to round, such as the clock of the CPU, cancels out.
func summarize(name string, pairs []pair) Benchmark {
	b := Benchmark{Name: name}
	ratios := make([]float64, len(pairs))
	for i, p := range pairs {
		ratios[i] = p[cgo].ns / p[wherry].ns
		b.Samples.Cgo = append(b.Samples.Cgo, p[cgo].ns)
		b.Samples.Wherry = append(b.Samples.Wherry, p[wherry].ns)
	}
	b.CgoNS = median(b.Samples.Cgo)
	b.WherryNS = median(b.Samples.Wherry)

	ratio := benchmath.AssumeNothing.Summary(sampleOf(ratios), confidence)
	b.Ratio = ratio.Center
	b.CI = Interval{ratio.Lo, ratio.Hi}
	b.Verdict = b.CI.verdict()
	for _, warning := range ratio.Warnings {
		b.Warnings = append(b.Warnings, fmt.Sprintf("%v; there are %d: raise -count", warning, len(pairs)))
	}
	b.CgoAllocs, b.WherryAllocs = changed(pairs, func(m measurement) float64 { return m.allocs })
	b.CgoBytes, b.WherryBytes = changed(pairs, func(m measurement) float64 { return m.bytes })
	return b
}

// sampleOf leaves its argument as it is; benchmath would sort it.
func sampleOf(values []float64) *benchmath.Sample {
	return benchmath.NewSample(append([]float64(nil), values...), &benchmath.DefaultThresholds)
}

func median(values []float64) float64 {
	return benchmath.AssumeNothing.Summary(sampleOf(values), confidence).Center
}

// changed gives the medians of a quantity when benchmath's test shows that the
// variants differ in it, and otherwise nil. Even numbers of allocations vary:
// the runtime's own are counted too. Below four rounds nothing is shown.
func changed(pairs []pair, of func(measurement) float64) (before, after *float64) {
	var values [2][]float64
	for _, p := range pairs {
		for _, v := range variants {
			if !p[v].hasMemory {
				return nil, nil
			}
			values[v] = append(values[v], of(p[v]))
		}
	}
	test := benchmath.AssumeNothing.Compare(sampleOf(values[cgo]), sampleOf(values[wherry]))
	b, a := median(values[cgo]), median(values[wherry])
	if test.P >= test.Alpha || b == a {
		return nil, nil
	}
	return &b, &a
}
