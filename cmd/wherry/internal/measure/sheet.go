package measure

import (
	"slices"
	"strings"

	"golang.org/x/perf/benchfmt"
)

// A sheet is what one process of a test binary reported. Names are without
// "Benchmark" and without GOMAXPROCS.
type sheet struct {
	system  map[string]string
	started []string
	results []result
	trouble map[string]trouble
	kept    strings.Builder // the lines that matter, in the benchmark format

	notes []string // log lines since the last line of another kind
}

// A result is one benchmark's line.
type result struct {
	name    string
	procs   int // GOMAXPROCS
	value   measurement
	ignored []string // units that are not compared
}

// A measurement is what a benchmark says about one operation.
type measurement struct {
	ns            float64
	bytes, allocs float64
	hasMemory     bool // bytes and allocs are known
}

// A trouble is why a benchmark gave no result.
type trouble struct {
	failed bool // and not skipped, or without a time
	text   string
}

// last is the benchmark that started last.
func (s *sheet) last() string {
	if len(s.started) == 0 {
		return ""
	}
	return s.started[len(s.started)-1]
}

func (s *sheet) start(name string) {
	s.started = append(s.started, name)
	s.notes = nil
}

func (s *sheet) keep(line string) { s.kept.WriteString(line + "\n") }

// shownNotes is how many log lines explain a failure: the last ones, as the
// fatal one comes last.
const shownNotes = 3

func (s *sheet) note(name string, t trouble) {
	notes := s.notes[max(0, len(s.notes)-shownNotes):]
	if len(notes) > 0 {
		t.text += ": " + strings.Join(notes, "; ")
	}
	name, _ = s.split(strings.TrimSpace(name))
	if !slices.Contains(s.started, name) {
		// Its first line went into the middle of another one.
		s.started = append(s.started, name)
	}
	s.trouble[name] = t
	s.notes = nil
}

// failed reports whether a benchmark said that it failed.
func (s *sheet) failed() bool {
	for _, t := range s.trouble {
		if t.failed {
			return true
		}
	}
	return false
}

// forgiveParents takes failures off benchmarks that failed only because a
// sub-benchmark of theirs did.
func (s *sheet) forgiveParents() {
	for parent := range s.trouble {
		for child, t := range s.trouble {
			if t.failed && strings.HasPrefix(child, parent+"/") {
				delete(s.trouble, parent)
			}
		}
	}
}

// add takes the values of one result line.
func (s *sheet) add(name string, procs int, values []benchfmt.Value) {
	r := result{name: name, procs: procs}
	hasTime := false
	for _, v := range values {
		// benchfmt turns ns into seconds; the number as printed is exact.
		value, unit := v.Value, v.Unit
		if v.OrigUnit != "" {
			value, unit = v.OrigValue, v.OrigUnit
		}
		switch unit {
		case "ns/op":
			r.value.ns, hasTime = value, true
		case "B/op":
			r.value.bytes, r.value.hasMemory = value, true
		case "allocs/op":
			r.value.allocs, r.value.hasMemory = value, true
		default:
			r.ignored = append(r.ignored, unit)
		}
	}
	s.notes = nil
	if !hasTime {
		s.trouble[name] = trouble{text: "reports no ns/op"}
		return
	}
	s.results = append(s.results, r)
}
