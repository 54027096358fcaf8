package bench

import (
	"fmt"
	"slices"
	"strings"
)

// A record collects what the rounds of one target report.
type record struct {
	count   int    // rounds
	pattern string // of -bench

	keys    []key // in the order of their first appearance
	series  map[key]*series
	started []string
	trouble [2]map[string]trouble // by variant, then name
	ignored []string              // units
	system  map[string]string
}

// A key names a benchmark under one GOMAXPROCS.
type key struct {
	name  string
	procs int
}

// A series holds a benchmark's measurements by variant and round; nil where
// there was none.
type series [2][]*measurement

func newRecord(count int, pattern string) *record {
	return &record{
		count:   count,
		pattern: pattern,
		series:  map[key]*series{},
		trouble: [2]map[string]trouble{{}, {}},
		system:  map[string]string{},
	}
}

// add takes the sheet of one process.
func (r *record) add(v variant, round int, s *sheet) {
	for _, result := range s.results {
		r.put(v, round, key{result.name, result.procs}, result.value)
		for _, unit := range result.ignored {
			if !slices.Contains(r.ignored, unit) {
				r.ignored = append(r.ignored, unit)
			}
		}
	}
	for _, name := range s.started {
		if !slices.Contains(r.started, name) {
			r.started = append(r.started, name)
		}
	}
	for name, t := range s.trouble {
		r.trouble[v][name] = t
	}
	for k, value := range s.system {
		r.system[k] = value
	}
}

// put takes one measurement.
func (r *record) put(v variant, round int, k key, m measurement) {
	if r.series[k] == nil {
		r.series[k] = &series{make([]*measurement, r.count), make([]*measurement, r.count)}
		r.keys = append(r.keys, k)
	}
	r.series[k][v][round] = &m
}

// finish writes into the package what the rounds showed, and gives an error
// when a benchmark gets into trouble only with wherry.
func (r *record) finish(p *Package) error {
	r.settleProcs(p)
	for _, k := range r.keys {
		r.finishSeries(p, k)
	}
	for _, name := range r.started {
		if !r.measured(name) && !r.excused(name) {
			p.NotCompared = append(p.NotCompared, NotCompared{name, r.reason(name, 0, 0)})
		}
	}
	p.IgnoredUnits = r.ignored
	if len(p.Benchmarks) == 0 && len(p.NotCompared) == 0 {
		p.Warnings = append(p.Warnings, fmt.Sprintf("no benchmark matches %q", r.pattern))
	}
	if names := r.onlyWithWherry(); len(names) > 0 {
		return fmt.Errorf("bench: %s: give no result only with wherry: %s; keep the C functions they call on cgo (wherry.policy), and please report it", p.Package, strings.Join(names, ", "))
	}
	return nil
}

func (r *record) finishSeries(p *Package, k key) {
	s := r.series[k]
	var pairs []pair
	tooShort := 0
	for round := range r.count {
		before, after := s[cgo][round], s[wherry][round]
		switch {
		case before == nil || after == nil:
		case before.ns <= 0 || after.ns <= 0:
			tooShort++ // no ratio can be had of it
		default:
			pairs = append(pairs, pair{*before, *after})
		}
	}
	name := r.display(p, k)
	switch {
	case len(pairs) > 0:
	case tooShort > 0:
		p.NotCompared = append(p.NotCompared, NotCompared{name, "takes no measurable time"})
		return
	default:
		p.NotCompared = append(p.NotCompared, NotCompared{name, r.reason(k.name, s.rounds(cgo), s.rounds(wherry))})
		return
	}
	b := summarize(name, pairs)
	if tooShort > 0 {
		b.Warnings = append(b.Warnings, fmt.Sprintf("took no measurable time in %d of %d rounds, which are left out", tooShort, r.count))
	}
	if lost := r.count - len(pairs) - tooShort; lost > 0 {
		b.Warnings = append(b.Warnings, fmt.Sprintf("%d of %d rounds are incomplete and left out: %s", lost, r.count, r.reason(k.name, s.rounds(cgo), s.rounds(wherry))))
	}
	p.Benchmarks = append(p.Benchmarks, b)
}

// rounds counts the rounds in which a variant gave a result.
func (s *series) rounds(v variant) int {
	n := 0
	for _, m := range s[v] {
		if m != nil {
			n++
		}
	}
	return n
}
