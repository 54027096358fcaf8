package latency

import (
	"cmp"
	"slices"
	"strings"

	"github.com/wherrygo/wherry/cmd/wherry/internal/bench"
)

// A Bar is a measurement in words, as README.md and the picture show it to those who do
// not know the names.
type Bar struct {
	*Row
	Work, Way string
	Each      float64 // ns of what Work says

	colour string
}

// chosen are the works for newcomers, each in some ways; parts is how many of what work
// says are in one operation.
var chosen = []struct {
	bench, work, ways string
	parts             float64
}{
	{"call/add", "C.add of two ints", "go cgo fast bind", 1},
	{"callback/1", "a call with one callback", "cgo reentrant", 1},
	{"callback/100", "a callback, 100 in one call", "cgo reentrant", 100},
	{"handle/cycle", "a handle: New, Value, Delete", "cgo wherry", 1},
	{"landmark/mutex", "sync.Mutex: Lock and Unlock", "go", 1},
}

// ways says how a variant does its work, and its bar's colour; others keep their name,
// and are grey.
var ways = map[string][2]string{
	"go": {"in Go", grey}, "go-inline": {"in Go, inlined", grey}, "go-func-value": {"in Go, func value", grey},
	"cgo": {"through cgo", orange}, "cgo-declared": {"through cgo, noescape", orange},
	"fast": {"with wherry build", blue}, "reentrant": {"with wherry build", blue}, "lent": {"with wherry build", blue},
	"bind": {"with direct.Bind", blue}, "wherry": {"with package handle", blue},
}

// Bars returns the works for newcomers or all, with the fewest processors.
func (r *Report) Bars(all bool) (bars []Bar) {
	for _, row := range r.Rows {
		b := Bar{Row: row, Work: cmp.Or(row.What, row.Bench), Way: row.Variant, Each: row.NS, colour: grey}
		shown := all
		for _, c := range chosen {
			if c.bench == row.Bench {
				b.Work, b.Each = c.work, row.NS/c.parts
				shown = all || slices.Contains(strings.Fields(c.ways), row.Variant)
			}
		}
		if !shown || row.Procs != r.Rows[0].Procs || row.Variant == "stub" { // typed stubs are in kept runs
			continue
		}
		if way, known := ways[row.Variant]; known {
			b.Way, b.colour = way[0], way[1]
		}
		if strings.HasPrefix(row.Bench, "handle/") && row.Variant == "cgo" {
			b.Way = "with runtime/cgo"
		}
		if r.severalGo() {
			b.Way += ", " + row.Go
		}
		bars = append(bars, b)
	}
	return bars
}

// result is what stands behind a bar.
func (b *Bar) result() string {
	text := bench.FormatTime(b.Each)
	if b.colour == blue {
		text += ", " + times(b.Ratio) + " times as fast"
	}
	return text
}
