package latency

import (
	"io"

	"github.com/wherrygo/wherry/cmd/wherry/internal/bench"
	"github.com/wherrygo/wherry/cmd/wherry/internal/bench/page"
)

// WriteHTML writes one page that needs nothing else.
func (r *Report) WriteHTML(w io.Writer) error {
	model := &page.Latency{Title: "wherry bench", Machine: r.machine(), Legend: r.legend(), Warnings: r.warnings()}
	model.Columns, _ = r.columns()
	var last *page.Work
	for i, row := range r.Rows {
		if i == 0 || row.Bench != r.Rows[i-1].Bench {
			model.Works = append(model.Works, page.Work{Name: row.Bench, What: row.What})
			last = &model.Works[len(model.Works)-1]
		}
		last.Rows = append(last.Rows, r.cells(row))
		last.Points = append(last.Points, r.point(row))
	}
	return page.WriteLatency(w, model)
}

func (r *Report) point(row *Row) page.Point {
	name := row.Variant
	if r.severalGo() {
		name += " " + row.Go
	}
	return page.Point{
		Series: name, Kind: kinds[row.Variant], Procs: row.Procs, Text: bench.FormatTime(row.NS),
		Times: times(row.Ratio), NS: row.NS, Scaling: row.Scaling, Samples: row.Samples,
	}
}

// kinds decide colours; others are neutral.
var kinds = map[string]page.Kind{
	"cgo": page.Cgo, "cgo-declared": page.Cgo,
	"fast": page.Wherry, "reentrant": page.Wherry, "lent": page.Wherry,
	"wherry": page.Wherry, "bind": page.Wherry, "stub": page.Wherry,
}

// WritePicture writes an SVG image of rows' times.
func WritePicture(w io.Writer, rows []*Row) error {
	var bars []page.Point
	for _, row := range rows {
		name := row.Bench + " " + row.Variant
		bars = append(bars, page.Point{Series: name, Kind: kinds[row.Variant], NS: row.NS, Text: bench.FormatTime(row.NS)})
	}
	return page.WritePicture(w, bars)
}
