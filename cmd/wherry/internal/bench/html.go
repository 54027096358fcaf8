package bench

import (
	"io"

	"github.com/wherrygo/wherry/cmd/wherry/internal/bench/page"
)

// WriteHTML writes the report as one page without anything outside of it.
func (r *Result) WriteHTML(w io.Writer) error {
	model := &page.Page{
		Title:   "wherry compare",
		Machine: r.machine(),
		Tally:   r.tally(),
		Columns: columns,
	}
	for i := range r.Packages {
		model.Packages = append(model.Packages, r.Packages[i].section())
	}
	return page.Write(w, model)
}

func (p *Package) section() page.Package {
	section := page.Package{
		Name:        p.Package,
		Error:       p.Error,
		Notes:       p.notes(),
		Accelerated: pageGroups(byMode(p.Accelerated)),
		Kept:        pageGroups(byReason(p.Kept)),
	}
	for i := range p.Benchmarks {
		b := &p.Benchmarks[i]
		section.Rows = append(section.Rows, b.pageRow())
		if change := b.change(); change != "" {
			section.Changes = append(section.Changes, page.Entry{Name: b.label(), Text: change})
		}
	}
	for _, n := range p.NotCompared {
		section.NotCompared = append(section.NotCompared, page.Entry{Name: n.Name, Text: n.Reason})
	}
	return section
}

var outcomes = map[Verdict]page.Outcome{Faster: page.Faster, Slower: page.Slower, NoDifference: page.Neither}

func (b *Benchmark) pageRow() page.Row {
	unit := timeUnitOf(max(b.CgoNS, b.WherryNS))
	return page.Row{
		Cells:   b.row(),
		Outcome: outcomes[b.Verdict],
		Ratio:   b.Ratio,
		Lo:      b.CI.Lo,
		Hi:      b.CI.Hi,
		Cgo:     scaled(b.Samples.Cgo, unit),
		Wherry:  scaled(b.Samples.Wherry, unit),
		Unit:    unit.name,
	}
}

func scaled(ns []float64, unit timeUnit) []float64 {
	values := make([]float64, len(ns))
	for i, v := range ns {
		values[i] = v / unit.ns
	}
	return values
}

func pageGroups(groups []group) []page.Group {
	var converted []page.Group
	for _, g := range groups {
		converted = append(converted, page.Group{Label: g.label, Functions: g.functions})
	}
	return converted
}
