package measure

import (
	"fmt"
	"slices"

	"golang.org/x/perf/benchmath"
)

// confidence of every interval.
const confidence = 0.95

// What a verdict takes is more: what the ratios show may not be so probable by chance. So
// of 100 benchmarks that do not differ hardly one is called faster or slower, although
// each that the first rounds leave open is looked at once or twice again.
const (
	firstLook = 0.002
	laterLook = 0.0005
)

// An interval of a benchmark with a verdict may be so wide, hi/lo, and one without.
const (
	wideWith    = 1.2
	wideWithout = 1.1
)

// open reports whether a benchmark should have more rounds.
func (b *Benchmark) open() bool {
	width := b.CI.Hi / b.CI.Lo
	switch b.Verdict {
	case Faster, Slower:
		return width > wideWith
	case Unclear:
		return true
	}
	return !b.CI.Finite() || width > wideWithout
}

// A pair is what one round measured of one benchmark.
type pair [2]measurement // by variant

// summarize says what the pairs of one benchmark show; look is how probable a
// verdict may be by chance. The ratio is taken
// inside each round, where both processes ran one after the other: what
// changes from round to round, such as the clock of the CPU, cancels out.
func summarize(name string, pairs []pair, look float64) Benchmark {
	b := Benchmark{Name: name, Variant: wherry.String(), Rounds: len(pairs)}
	ratios := make([]float64, len(pairs))
	for i, p := range pairs {
		ratios[i] = p[cgo].ns / p[wherry].ns
		b.Samples.Cgo = append(b.Samples.Cgo, p[cgo].ns)
		b.Samples.NS = append(b.Samples.NS, p[wherry].ns)
	}
	b.CgoNS = median(b.Samples.Cgo)
	b.NS, b.NSCI = interval(b.Samples.NS)
	b.Min = slices.Min(b.Samples.NS)
	b.Ratio, b.CI = interval(ratios)
	b.Verdict = verdict(b.CI, ratios, look)
	if b.CI.Finite() && len(pairs) < DefaultCount {
		b.Warnings = append(b.Warnings, fmt.Sprintf("a verdict needs %d rounds; there are %d: raise -count", DefaultCount, len(pairs)))
	}
	if !b.CI.Finite() {
		b.Warnings = append(b.Warnings, fmt.Sprintf("an interval needs %d rounds; there are %d: raise -count", fewestForInterval, len(pairs)))
	}
	b.CgoAllocs, b.Allocs = changed(pairs, func(m measurement) float64 { return m.allocs })
	b.CgoBytes, b.Bytes = changed(pairs, func(m measurement) float64 { return m.bytes })
	return b
}

// verdict never contradicts the interval that stands beside it: with 1 inside there is no
// difference, and without there is one, which may need more rounds to be certain.
func verdict(ci Interval, ratios []float64, look float64) Verdict {
	switch {
	case ci.Lo <= 1 && ci.Hi >= 1:
		return NoDifference
	case signedRank(ratios) > look:
		return Unclear
	case ci.Lo > 1:
		return Faster
	}
	return Slower
}

// sampleOf leaves its argument as it is; benchmath would sort it.
func sampleOf(values []float64) *benchmath.Sample {
	return benchmath.NewSample(append([]float64(nil), values...), &benchmath.DefaultThresholds)
}

func median(values []float64) float64 {
	center, _ := interval(values)
	return center
}

// changed returns the medians of a quantity when benchmath's test shows that the
// variants differ in it, and otherwise nil. Even numbers of allocations vary:
// the runtime's own are counted too. Numbers that do not vary need four rounds to show
// anything, others as much as a verdict does.
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
	alpha := firstLook
	if constant(values[cgo]) && constant(values[wherry]) {
		alpha = test.Alpha
	}
	if test.P >= alpha || b == a {
		return nil, nil
	}
	return &b, &a
}

func constant(values []float64) bool { return slices.Min(values) == slices.Max(values) }
