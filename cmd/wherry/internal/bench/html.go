package bench

import (
	"io"

	"github.com/wherrygo/wherry/cmd/wherry/internal/bench/page"
)

// WriteHTML writes the report as one page without anything outside of it.
func (r *Result) WriteHTML(w io.Writer) error {
	ratios := page.Section{Title: "Ratio of the times, cgo / wherry",
		Hint: "Right of the line at 1, the accelerated build is faster. The bar is the 95 % confidence interval; " +
			"dashed, there were too few rounds for one."}
	model := &page.Page{Title: "wherry compare", Machine: r.machine(), Tally: r.tally(), Sections: []page.Section{{}}}
	for i := range r.Packages {
		p := &r.Packages[i]
		plot := page.Plot{Title: p.Package, Ratios: true, Label: page.Ratio}
		for i := range p.Benchmarks {
			b := &p.Benchmarks[i]
			plot.Rows = append(plot.Rows, page.Row{Name: b.label(), Dots: []page.Dot{{At: b.Ratio, Kind: kinds[b.Verdict]}},
				Line:  page.Line{From: b.CI.Lo, To: b.CI.Hi, Kind: kinds[b.Verdict]},
				Cells: []page.Cell{{Text: FormatRatio(b.Ratio), Kind: kinds[b.Verdict]}}})
		}
		if len(plot.Rows) > 0 {
			ratios.Plots = append(ratios.Plots, plot)
		}
		model.Sections = append(model.Sections, p.section())
	}
	model.Sections[0] = ratios
	return page.Write(w, model)
}

var kinds = map[Verdict]page.Kind{Faster: page.Faster, Slower: page.Slower}

func (p *Package) section() page.Section {
	section := page.Section{Title: p.Package, Error: p.Error, Caption: "All measured values",
		Groups: []page.Groups{{Title: "Accelerated C functions", Each: byMode(p.Accelerated)},
			{Title: "C functions kept on cgo", Each: byReason(p.Kept)}}}
	var rows []page.TableRow
	var changes, missing, notes []page.Entry
	for i := range p.Benchmarks {
		b := &p.Benchmarks[i]
		rows = append(rows, page.TableRow{Kind: kinds[b.Verdict], Cells: b.row()})
		section.Figures = append(section.Figures, page.Plot{Title: b.label(), Label: page.Time, Rows: []page.Row{
			{Name: "cgo", Dots: page.Dots(b.Samples.Cgo, page.Cgo)}, {Name: "wherry", Dots: page.Dots(b.Samples.Wherry, page.Wherry)}}})
		if change := b.change(); change != "" {
			changes = append(changes, page.Entry{Name: b.label(), Text: change})
		}
	}
	if len(rows) > 0 {
		section.Table = page.Table{Columns: columns, Parts: []page.Part{{Rows: rows}}}
	}
	for _, n := range p.NotCompared {
		missing = append(missing, page.Entry{Name: n.Name, Text: n.Reason})
	}
	for _, note := range p.notes() {
		notes = append(notes, page.Entry{Text: note})
	}
	section.Lists = []page.List{{Title: "Allocations", Entries: changes}, {Title: "Not compared", Entries: missing},
		{Title: "Warnings", Entries: notes}}
	return section
}
