package measure

import (
	"cmp"
	"slices"
	"strings"
)

// what says in a few words what each piece of work is.
var what = map[string]string{
	"call/empty": "no argument", "call/add": "two ints", "call/six": "six ints", "call/double": "a double",
	"call/string": "a string's bytes and length", "call/microsecond": "about 1 us of work",
	"memory/malloc": "C.malloc and C.free of 64 bytes", "memory/cstring": "C.CString and C.free",
	"callback/1": "a call with a callback", "callback/100": "a call with 100 callbacks",
	"callback/thread": "a callback from a C thread", "handoff": "to a goroutine and back, free or locked to its thread",
	"handle/cycle": "New, Value, Delete", "handle/value": "Value", "handle/million": "New, Value, Delete beside a million live ones",
	"landmark/atomic": "atomic add", "landmark/mutex": "mutex lock and unlock", "landmark/channel": "channel hand-off",
	"landmark/json": "json.Unmarshal of one digit", "landmark/memory": "read of main memory",
}

// A Bar is a measurement in words, as README.md and the picture show it to those who do
// not know the names.
type Bar struct {
	row
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
	"fast": {"with wherry build", blue}, "reentrant": {"with wherry build", blue}, "held": {"with wherry build", blue},
	"bind": {"with direct.Bind", blue}, "wherry": {"with package handle", blue},
}

// Bars returns the works for newcomers or all, with the fewest processors.
func (r *Result) Bars(all bool) (bars []Bar) {
	rows := r.rows()
	for _, row := range rows {
		b := Bar{row: row, Work: cmp.Or(row.What, row.Name), Way: row.Variant, Each: row.NS, colour: grey}
		shown := all
		for _, c := range chosen {
			if c.bench == row.Name {
				b.Work, b.Each = c.work, row.NS/c.parts
				shown = all || slices.Contains(strings.Fields(c.ways), row.Variant)
			}
		}
		if !shown || row.Procs != rows[0].Procs {
			continue
		}
		if way, known := ways[row.Variant]; known {
			b.Way, b.colour = way[0], way[1]
		}
		if strings.HasPrefix(row.Name, "handle/") && row.Variant == "cgo" {
			b.Way = "with runtime/cgo"
		}
		if len(r.Packages) > 1 {
			b.Way += ", " + row.Go
		}
		bars = append(bars, b)
	}
	return bars
}

// result is what stands behind a bar.
func (b *Bar) result() string {
	text := FormatTime(b.Each)
	if b.colour == blue {
		text += ", " + Digits(b.Ratio) + " times as fast"
	}
	return text
}
