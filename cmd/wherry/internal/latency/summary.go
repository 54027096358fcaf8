package latency

import (
	"maps"
	"runtime"
	"slices"

	"golang.org/x/perf/benchmath"
)

const confidence = 0.95

// summarize makes the rows, sorted by work, Go version, processors and variant
// as they were announced.
func (r *Report) summarize(noise Noise) {
	var benches []string
	var procs []int
	for k := range r.samples {
		procs = append(procs, k.procs)
	}
	slices.Sort(procs)
	procs = slices.Compact(procs)
	for _, l := range r.listed {
		if !slices.Contains(benches, l.Bench) {
			benches = append(benches, l.Bench)
		}
	}
	for _, bench := range benches {
		for _, n := range procs {
			for _, l := range r.listed {
				if l.Bench == bench {
					r.add(l, n, procs[0])
				}
			}
		}
	}
	noise.spread(r.Rows)
	for _, row := range r.Rows {
		row.Noisy = noise.Why()
	}
}

func (r *Report) add(l listing, procs, fewest int) {
	k := key{l.program, l.Alone, l.Bench, l.Variant, procs}
	values := inOrder(r.samples[k])
	if len(values) == 0 {
		return
	}
	row := &Row{Bench: l.Bench, Variant: l.Variant, Procs: procs, Min: slices.Min(values), Rounds: len(values),
		Go: l.program.Go, GOOS: runtime.GOOS, GOARCH: runtime.GOARCH, CPU: r.CPU, What: l.What, Samples: values}
	time := summary(values)
	row.NS, row.Lo, row.Hi = time.Center, finite(time.Lo), finite(time.Hi)

	cgo := r.samples[key{l.program, l.Alone, l.Bench, "cgo", procs}]
	if cgo == nil {
		cgo = r.samples[key{l.program, l.Alone, "call/add", "cgo", procs}]
	}
	// Within each round, where both ran milliseconds apart.
	ratio := summary(quotients(cgo, r.samples[k]))
	row.Ratio, row.RatioLo, row.RatioHi = ratio.Center, finite(ratio.Lo), finite(ratio.Hi)

	alone := r.samples[key{l.program, l.Alone, l.Bench, l.Variant, fewest}]
	row.Scaling = summary(quotients(alone, r.samples[k])).Center * float64(procs) / float64(fewest)
	r.Rows = append(r.Rows, row)
}

func summary(values []float64) benchmath.Summary {
	sample := benchmath.NewSample(slices.Clone(values), &benchmath.DefaultThresholds)
	return benchmath.AssumeNothing.Summary(sample, confidence)
}

func inOrder(byRound map[int]float64) (values []float64) {
	for _, round := range slices.Sorted(maps.Keys(byRound)) {
		values = append(values, byRound[round])
	}
	return values
}

// quotients divides round by round.
func quotients(a, b map[int]float64) (values []float64) {
	for _, round := range slices.Sorted(maps.Keys(b)) {
		if x, ok := a[round]; ok {
			values = append(values, x/b[round])
		}
	}
	return values
}
