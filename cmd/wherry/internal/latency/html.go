package latency

import (
	"fmt"
	"io"

	"github.com/wherrygo/wherry/cmd/wherry/internal/bench"
	"github.com/wherrygo/wherry/cmd/wherry/internal/bench/page"
)

// WriteHTML writes one page that needs nothing else.
func (r *Report) WriteHTML(w io.Writer) error {
	overview := page.Plot{Label: page.Time,
		Heads: []page.Cell{{Text: "cgo", Kind: page.Cgo}, {Text: "wherry", Kind: page.Wherry}, {Text: "ratio"}}}
	table := page.Table{Folded: "All figures"}
	table.Columns, _ = r.columns()
	var figures []page.Plot
	for begin, i := 0, 1; i <= len(r.Rows); i++ {
		if i < len(r.Rows) && r.Rows[i].Bench == r.Rows[begin].Bench {
			continue
		}
		work := r.Rows[begin:i]
		first := work[0]
		part := page.Part{Head: first.Bench + ": " + first.What}
		figure := page.Plot{Title: first.Bench, What: first.What, Label: page.Time}
		for _, row := range work {
			part.Rows = append(part.Rows, page.TableRow{Cells: r.cells(row)})
			if row.Procs == first.Procs && row.Samples != nil { // a stored run may be without
				figure.Rows = append(figure.Rows, page.Row{Name: r.series(row), Dots: page.Dots(row.Samples, kinds[row.Variant])})
			}
		}
		table.Parts = append(table.Parts, part)
		overview.Rows = append(overview.Rows, overviewRow(work))
		if len(figure.Rows) > 0 {
			figures = append(figures, figure)
		}
		begin = i
	}
	return page.Write(w, &page.Page{Title: "wherry bench", Machine: r.machine(), Warnings: r.warnings(), Sections: []page.Section{
		{Title: "Time of one operation", Hint: fmt.Sprintf("The median with GOMAXPROCS %d, on one logarithmic axis: cgo, wherry, others "+
			"(small: further variants). The last column is cgo's time divided by wherry's.", r.Rows[0].Procs),
			Plots: []page.Plot{overview}, Caption: "All measured times", Figures: figures},
		{Title: "Table", Hint: r.legend(), Table: table},
	}})
}

// overviewRow compares the first way through cgo with the first of wherry's, where there
// are both, with the fewest processors.
func overviewRow(work []*Row) page.Row {
	row := page.Row{Name: work[0].Bench, What: work[0].What, Cells: make([]page.Cell, 3)}
	first := map[page.Kind]*Row{}
	for _, w := range work {
		if w.Procs == work[0].Procs {
			kind := kinds[w.Variant]
			row.Dots = append(row.Dots, page.Dot{At: w.NS, Kind: kind, Small: first[kind] != nil})
			if first[kind] == nil {
				first[kind] = w
			}
		}
	}
	cgo, wherry := first[page.Cgo], first[page.Wherry]
	if cgo != nil {
		row.Cells[0] = page.Cell{Text: bench.FormatTime(cgo.NS), Kind: page.Cgo}
	}
	switch {
	case wherry != nil:
		row.Cells[1] = page.Cell{Text: bench.FormatTime(wherry.NS), Kind: page.Wherry}
	case cgo == nil: // work that both leave alone
		row.Cells[1].Text = bench.FormatTime(work[0].NS)
	}
	if cgo != nil && wherry != nil {
		row.Cells[2].Text = times(wherry.Ratio)
		row.Line = page.Line{From: cgo.NS, To: wherry.NS, Kind: page.Wherry}
	}
	return row
}

func (r *Report) series(row *Row) string {
	if r.severalGo() {
		return row.Variant + " " + row.Go
	}
	return row.Variant
}

// kinds decide colours; others are neutral.
var kinds = map[string]page.Kind{
	"cgo": page.Cgo, "cgo-declared": page.Cgo,
	"fast": page.Wherry, "reentrant": page.Wherry, "lent": page.Wherry,
	"wherry": page.Wherry, "bind": page.Wherry,
}

// WritePicture writes an SVG image of rows' times.
func WritePicture(w io.Writer, rows []*Row) error {
	var bars []page.Row
	for _, row := range rows {
		bars = append(bars, page.Row{Name: row.Bench + " " + row.Variant, Dots: []page.Dot{{At: row.NS, Kind: kinds[row.Variant]}},
			Cells: []page.Cell{{Text: bench.FormatTime(row.NS)}}})
	}
	return page.WritePicture(w, bars)
}
