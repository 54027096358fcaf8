package measure

import (
	"fmt"
	"slices"
	"strings"
)

// reason says what became of a benchmark that could not be compared in all of
// count rounds.
func (r *record) reason(name string, count, cgoRounds, wherryRounds int) string {
	before := r.fate(cgo, name, count, cgoRounds)
	after := r.fate(wherry, name, count, wherryRounds)
	if before == after {
		return "in both builds: " + before
	}
	return fmt.Sprintf("%s: %s; %s: %s", cgo.how(), before, wherry.how(), after)
}

func (r *record) fate(v variant, name string, count, rounds int) string {
	t, troubled := r.trouble[v][name]
	switch {
	case troubled:
		return t.text
	case rounds == count:
		return "ran"
	case rounds > 0:
		return fmt.Sprintf("ran in %d rounds", rounds)
	}
	return "gave no result"
}

// onlyWithWherry names the benchmarks that gave a result without wherry and
// none with it, or failed only with it.
func (r *record) onlyWithWherry() []string {
	var names []string
	blame := func(name string) {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	for _, k := range r.keys {
		s := r.series[k]
		for round := range s[cgo] {
			if _, both := s[wherry][round]; !both && round < r.rounds(k) {
				blame(k.name)
			}
		}
	}
	for _, name := range r.started {
		if r.trouble[wherry][name].failed && !r.trouble[cgo][name].failed {
			blame(name)
		}
	}
	return names
}

func (r *record) measured(name string) bool {
	return slices.ContainsFunc(r.keys, func(k key) bool { return k.name == name })
}

// excused reports whether nobody expects a result of a benchmark: it only has
// sub-benchmarks, or it started because some might have matched the pattern.
func (r *record) excused(name string) bool {
	if r.trouble[cgo][name].failed || r.trouble[wherry][name].failed {
		return false
	}
	inside := func(other string) bool { return strings.HasPrefix(other, name+"/") }
	return slices.ContainsFunc(r.started, inside) || !selects(r.asked, name)
}

// settleProcs takes GOMAXPROCS out of the names when it is the same
// everywhere.
func (r *record) settleProcs(p *Package) {
	for i, k := range r.keys {
		if i > 0 && k.procs != p.Procs {
			p.Procs = 0
			return
		}
		p.Procs = k.procs
	}
}

// display is the name of a benchmark in reports. As in Go's own output, a
// GOMAXPROCS of 1 is not shown.
func (r *record) display(p *Package, k key) string {
	if p.Procs != 0 || k.procs <= 1 {
		return k.name
	}
	return fmt.Sprintf("%s-%d", k.name, k.procs)
}
