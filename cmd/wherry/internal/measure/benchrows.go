package measure

import (
	"cmp"
	"maps"
	"slices"
)

// ScenariosPath is the scenarios' import path.
const ScenariosPath = modulePath + "/internal/scenarios"

// summarize makes a package of each build, with its benchmarks sorted by work, processors and
// variant as they were listed.
func (b *benching) summarize(builds []Build, noise Noise) {
	b.result.Go = builds[0].Go
	for i, ways := range b.ways {
		p := Package{Package: ScenariosPath, Go: builds[i].Go, Accelerated: []Function{}, Kept: []Function{}, Benchmarks: []Benchmark{}}
		for _, w := range ways {
			ref := reference(ways, w.bench)
			for _, procs := range w.procs() {
				if row, ok := w.row(ref, procs); ok {
					p.Benchmarks = append(p.Benchmarks, row)
				}
			}
		}
		if builds[i].Wherry == "" {
			p.Warnings = append(p.Warnings, "built without wherry's fast path, so there is no fast and no reentrant variant; wherry doctor says why")
		}
		b.result.Packages = append(b.result.Packages, p)
	}
	rows := b.result.rows()
	noise.spread(rows)
	b.result.Noisy = noise.Why()
	for i := range b.result.Packages {
		p := &b.result.Packages[i]
		p.Benchmarks = nil
		for _, row := range rows {
			if row.Go == p.Go {
				p.Benchmarks = append(p.Benchmarks, *row.Benchmark)
			}
		}
	}
}

func (w *way) procs() []int {
	found := map[int]bool{}
	for k := range w.samples {
		found[k.procs] = true
	}
	return slices.Sorted(maps.Keys(found))
}

// row says what the rounds show, beside the reference in the same round.
func (w *way) row(ref *way, procs int) (Benchmark, bool) {
	var pairs []pair
	var scaling []float64
	rounds := 0
	for k := range w.samples {
		rounds = max(rounds, k.round+1)
	}
	fewest := w.procs()[0]
	for round := range rounds {
		value, ok := w.samples[sampleKey{procs, round}]
		if !ok {
			continue
		}
		if beside, ok := ref.samples[sampleKey{procs, round}]; ok {
			pairs = append(pairs, pair{beside, value})
		}
		if alone, ok := w.samples[sampleKey{fewest, round}]; ok {
			scaling = append(scaling, alone.ns/value.ns*float64(procs)/float64(fewest))
		}
	}
	if len(pairs) == 0 {
		return Benchmark{}, false
	}
	row := summarize(w.bench, pairs, firstLook)
	row.Variant, row.What, row.Procs = w.variant, what[w.bench], procs
	if len(scaling) > 0 {
		row.Scaling = median(scaling)
	}
	return row, true
}

// A row is a benchmark with what it has from its package.
type row struct {
	*Benchmark
	Go string
}

// rows returns all benchmarks, the same work of several Go versions side by side.
func (r *Result) rows() (rows []row) {
	place := map[string]int{}
	for i := range r.Packages {
		p := &r.Packages[i]
		for j := range p.Benchmarks {
			b := &p.Benchmarks[j]
			if _, seen := place[b.Name]; !seen {
				place[b.Name] = len(place)
			}
			rows = append(rows, row{b, cmp.Or(p.Go, r.Go)})
		}
	}
	slices.SortStableFunc(rows, func(a, b row) int {
		return cmp.Or(cmp.Compare(place[a.Name], place[b.Name]), cmp.Compare(a.Procs, b.Procs))
	})
	return rows
}
