package measure

import (
	"fmt"
	"io"
	"strings"
)

// shownReasons is how many reasons for staying on cgo are shown; the rest is
// counted.
const shownReasons = 6

// shownFunctions is how many functions of a mode are shown.
const shownFunctions = 10

// WriteText writes the report for a terminal.
func (r *Result) WriteText(w io.Writer) error {
	if len(r.Packages) > 0 && r.Packages[0].Go != "" {
		return r.writeRows(w)
	}
	var t text
	t.line(0, "%s", r.machine())
	for i := range r.Packages {
		t.pkg(&r.Packages[i])
	}
	if len(r.Packages) > 0 {
		t.line(0, "")
		t.line(0, "%s", r.tally())
	}
	_, err := io.WriteString(w, t.String())
	return err
}

// A text grows line by line.
type text struct{ strings.Builder }

func (t *text) line(indent int, format string, args ...any) {
	line := strings.Repeat("  ", indent) + fmt.Sprintf(format, args...)
	t.WriteString(strings.TrimRight(line, " ") + "\n")
}

func (t *text) pkg(p *Package) {
	t.line(0, "")
	t.line(0, "%s", p.Package)
	if p.Error != "" {
		t.line(1, "error: %s", strings.ReplaceAll(p.Error, "\n", "\n  "))
	}
	if len(p.Benchmarks) > 0 {
		rows := [][]string{columns}
		for i := range p.Benchmarks {
			rows = append(rows, p.Benchmarks[i].row())
		}
		for _, line := range Table(rows, numeric) {
			t.line(1, "%s", line)
		}
	}
	t.changes(p)
	t.missing(p)
	for _, note := range p.notes() {
		t.line(1, "warning: %s", note)
	}
	t.functions(p)
}

func (t *text) changes(p *Package) {
	var rows [][]string
	for i := range p.Benchmarks {
		if change := p.Benchmarks[i].change(); change != "" {
			rows = append(rows, []string{p.Benchmarks[i].label(), change})
		}
	}
	if len(rows) == 0 {
		return
	}
	t.line(1, "allocations:")
	for _, line := range Table(rows, nil) {
		t.line(2, "%s", line)
	}
}

func (t *text) missing(p *Package) {
	if len(p.NotCompared) == 0 {
		return
	}
	t.line(1, "not compared:")
	for _, n := range p.NotCompared {
		t.line(2, "%s: %s", n.Name, n.Reason)
	}
}

func (t *text) functions(p *Package) {
	for _, g := range groupBy(p.Accelerated, func(f Function) string { return f.Mode }) {
		t.line(1, "%s (%d of %d C functions):", g.label, len(g.names), len(p.Accelerated)+len(p.Kept))
		if len(g.names) > shownFunctions {
			t.line(2, "%s, and %d more in the JSON report", strings.Join(g.names[:shownFunctions], ", "), len(g.names)-shownFunctions)
			continue
		}
		t.line(2, "%s", strings.Join(g.names, ", "))
	}
	if len(p.Kept) == 0 {
		return
	}
	t.line(1, "kept on cgo (%d):", len(p.Kept))
	groups := groupBy(p.Kept, func(f Function) string { return f.Why })
	rest := 0
	for i, g := range groups {
		if i < shownReasons {
			t.line(2, "%d: %s", len(g.names), g.label)
		} else {
			rest += len(g.names)
		}
	}
	if rest > 0 {
		t.line(2, "%d: for %d other reasons, all in the JSON report", rest, len(groups)-shownReasons)
	}
}
