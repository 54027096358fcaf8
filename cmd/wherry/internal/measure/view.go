package measure

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// What the report for people says.

var columns = []string{"benchmark", "cgo", "wherry", "ratio", "95 % interval", "verdict"}

// numeric columns are aligned to the right.
var numeric = []bool{false, true, true, true, true, false}

// row returns a benchmark's line of the table.
func (b *Benchmark) row() []string {
	verdict := string(b.Verdict)
	if b.more {
		verdict += fmt.Sprintf(" (%d rounds)", b.Rounds)
	}
	return []string{
		b.label(), FormatTime(b.CgoNS), FormatTime(b.NS),
		FormatRatio(b.Ratio), formatInterval(b.CI), verdict,
	}
}

// label is the name for people.
func (b *Benchmark) label() string {
	switch b.Name {
	case ProcessWall:
		return "wall"
	case ProcessUser:
		return "user CPU"
	}
	return b.Name
}

// change describes what happened to a benchmark's allocations, or is empty.
func (b *Benchmark) change() string {
	var parts []string
	if b.CgoAllocs != nil && b.Allocs != nil {
		parts = append(parts, fmt.Sprintf("%s -> %s allocs/op", formatCount(*b.CgoAllocs), formatCount(*b.Allocs)))
	}
	if b.CgoBytes != nil && b.Bytes != nil {
		parts = append(parts, fmt.Sprintf("%s -> %s per op", formatBytes(*b.CgoBytes), formatBytes(*b.Bytes)))
	}
	return strings.Join(parts, ", ")
}

// notes returns the warnings of the package and of its benchmarks; one that
// several benchmarks share comes once.
func (p *Package) notes() []string {
	notes := slices.Clone(p.Warnings)
	var texts []string
	names := map[string][]string{}
	for i := range p.Benchmarks {
		for _, text := range p.Benchmarks[i].Warnings {
			if names[text] == nil {
				texts = append(texts, text)
			}
			names[text] = append(names[text], p.Benchmarks[i].label())
		}
	}
	for _, text := range texts {
		who := strings.Join(names[text], ", ")
		if n := len(names[text]); n == len(p.Benchmarks) && n > 1 {
			who = "all benchmarks"
		}
		notes = append(notes, who+": "+text)
	}
	if len(p.IgnoredUnits) > 0 {
		notes = append(notes, "not compared: the units "+strings.Join(p.IgnoredUnits, ", "))
	}
	return notes
}

// A group is functions that share a label.
type group struct {
	label string
	names []string
}

// groupBy groups functions that share a label, their mode or the reason to stay on cgo, the
// largest group first.
func groupBy(functions []Function, label func(Function) string) []group {
	var groups []group
	for _, f := range functions {
		i := slices.IndexFunc(groups, func(g group) bool { return g.label == label(f) })
		if i < 0 {
			i = len(groups)
			groups = append(groups, group{label: label(f)})
		}
		groups[i].names = append(groups[i].names, f.Function)
	}
	slices.SortStableFunc(groups, func(a, b group) int {
		return cmp.Or(len(b.names)-len(a.names), strings.Compare(a.label, b.label))
	})
	return groups
}

// sortedFunctions returns a sorted copy that is not nil.
func sortedFunctions(functions []Function) []Function {
	sorted := append([]Function{}, functions...)
	slices.SortStableFunc(sorted, func(a, b Function) int { return strings.Compare(a.Function, b.Function) })
	return sorted
}

// tally counts the verdicts in words.
func (r *Result) tally() string {
	counts := map[Verdict]int{}
	missing := 0
	for _, p := range r.Packages {
		for _, b := range p.Benchmarks {
			counts[b.Verdict]++
		}
		missing += len(p.NotCompared)
	}
	text := fmt.Sprintf("%d faster, %d slower, %d without a difference shown", counts[Faster], counts[Slower], counts[NoDifference])
	if n := counts[Unclear]; n > 0 {
		text += fmt.Sprintf(", %d unclear", n)
	}
	if missing > 0 {
		text += fmt.Sprintf(", %d not compared", missing)
	}
	return text
}

// machine says where this was measured.
func (r *Result) machine() string {
	versions := []string{cmp.Or(r.Go, "unknown Go")}
	for _, p := range r.Packages {
		if p.Go != "" && !slices.Contains(versions, p.Go) {
			versions = append(versions, p.Go)
		}
	}
	parts := []string{strings.Join(versions, " and ")}
	if r.GOOS != "" {
		parts = append(parts, r.GOOS+"/"+r.GOARCH)
	}
	if r.CPU != "" {
		parts = append(parts, r.CPU)
	}
	return strings.Join(parts, ", ")
}
