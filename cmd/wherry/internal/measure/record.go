package measure

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// A record collects what the rounds of one target report.
type record struct {
	first   int    // rounds that all get
	count   int    // rounds so far
	pattern string // of -bench, then of what gets more rounds
	asked   string // of -bench

	keys    []key       // in the order of their first appearance
	settled map[key]int // after so many rounds
	series  map[key]series
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

// A series holds a benchmark's measurements by variant and round.
type series [2]map[int]measurement

func newRecord(count int, pattern string) *record {
	return &record{
		first:   count,
		count:   count,
		pattern: pattern,
		asked:   pattern,
		settled: map[key]int{},
		series:  map[key]series{},
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
	maps.Copy(r.trouble[v], s.trouble)
	maps.Copy(r.system, s.system)
}

// put takes one measurement. A settled benchmark may run once more, since it has
// another's name or a part of it.
func (r *record) put(v variant, round int, k key, m measurement) {
	if _, seen := r.series[k]; !seen {
		r.series[k] = series{{}, {}}
		r.keys = append(r.keys, k)
	}
	if round < r.rounds(k) {
		r.series[k][v][round] = m
	}
}

// rounds is how many a benchmark was to get.
func (r *record) rounds(k key) int {
	if n, settled := r.settled[k]; settled {
		return n
	}
	return r.count
}

// extend gives the benchmarks that the rounds so far leave open more rounds, count in
// all, and returns how many these are. From then on the pattern selects them alone.
func (r *record) extend(count int) (open int) {
	var patterns []string
	for _, k := range r.keys {
		if _, settled := r.settled[k]; settled {
			continue
		}
		if count <= r.count || !r.open(k) {
			r.settled[k] = r.count
			continue
		}
		patterns = append(patterns, exactly(k.name))
		open++
	}
	if open > 0 {
		r.count, r.pattern = count, strings.Join(patterns, "|")
	}
	return open
}

// open reports whether a benchmark should have more rounds.
func (r *record) open(k key) bool {
	pairs, _ := r.series[k].pairs(r.count)
	if len(pairs) == 0 {
		return false
	}
	b := summarize(k.name, pairs, r.look(k))
	return b.open()
}

// look is how probable a verdict on a benchmark may be by chance.
func (r *record) look(k key) float64 {
	if r.rounds(k) <= r.first {
		return firstLook
	}
	return laterLook
}

// interrupt is finish after so many complete rounds.
func (r *record) interrupt(p *Package, rounds int) error {
	if rounds == 0 {
		return nil
	}
	r.count = rounds
	p.Warnings = append(p.Warnings, fmt.Sprintf("interrupted after %d rounds", rounds))
	return r.finish(p)
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
			p.NotCompared = append(p.NotCompared, NotCompared{name, r.reason(name, r.first, 0, 0)})
		}
	}
	p.IgnoredUnits = r.ignored
	if len(p.Benchmarks) == 0 && len(p.NotCompared) == 0 {
		p.Warnings = append(p.Warnings, fmt.Sprintf("no benchmark matches %q", r.asked))
	}
	if names := r.onlyWithWherry(); len(names) > 0 {
		return fmt.Errorf("measure: %s: give no result only with wherry: %s; keep the C functions they call on cgo (wherry.policy), and please "+
			"report it", p.Package, strings.Join(names, ", "))
	}
	return nil
}

func (r *record) finishSeries(p *Package, k key) {
	s, count := r.series[k], r.rounds(k)
	pairs, tooShort := s.pairs(count)
	name := r.display(p, k)
	switch {
	case tooShort > 0: // a ratio of the other rounds would be one of the longer ones
		p.NotCompared = append(p.NotCompared, NotCompared{name, fmt.Sprintf("took no measurable time in %d of %d rounds", tooShort, count)})
		return
	case len(pairs) == 0:
		p.NotCompared = append(p.NotCompared, NotCompared{name, r.reason(k.name, count, len(s[cgo]), len(s[wherry]))})
		return
	}
	b := summarize(name, pairs, r.look(k))
	b.more = count > r.first
	if lost := count - len(pairs); lost > 0 {
		b.Warnings = append(b.Warnings, fmt.Sprintf("%d of %d rounds are incomplete and left out: %s", lost, count,
			r.reason(k.name, count, len(s[cgo]), len(s[wherry]))))
	}
	p.Benchmarks = append(p.Benchmarks, b)
}

// pairs are the rounds in which both variants gave a result, but for those that are too
// short.
func (s series) pairs(count int) (pairs []pair, tooShort int) {
	for round := range count {
		before, one := s[cgo][round]
		after, other := s[wherry][round]
		switch {
		case !one || !other:
		case before.ns <= 0 || after.ns <= 0:
			tooShort++
		default:
			pairs = append(pairs, pair{before, after})
		}
	}
	return pairs, tooShort
}
