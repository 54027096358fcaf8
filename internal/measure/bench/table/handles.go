package main

import (
	"fmt"
	"strings"
)

// rivals are the tables beside package handle, "wherry".
var rivals = []string{"cgo", "go-pointer", "cl600875"}

// works are the lines of the first table. %p stands for GOMAXPROCS, %q for 16 times that.
var works = []struct{ work, benchmark, unit string }{
	{"New, Value, Delete of a pointer", "Cycle", "sec/op"},
	{"the article's benchmark, not concurrent (boxes an int)", "Article/work=non-concurrent", "sec/op"},
	{"the article's benchmark, concurrent", "Article/work=concurrent", "sec/op"},
	{"its handles per second", "Article/work=concurrent", "handles/s"},
	{"Value", "Value", "sec/op"},
	{"the cycle on %p goroutines, for each", "Parallel/workers=%p", "sec/op"},
	{"the cycle on %q goroutines, for each processor", "Parallel/workers=%q", "sec/op"},
	{"New here, Value and Delete on another goroutine", "HandOver", "sec/op"},
	{"Delete, New, Value of random ones of a million", "Million", "sec/op"},
	{"heap for each of a million", "Million", "B/handle"},
}

// costs are the lines of the second table: a benchmark as a multiple of
// another of the same table.
var costs = []struct{ work, benchmark, base, unit string }{
	{"%p goroutines", "Parallel/workers=%p", "Parallel/workers=1", "sec/op"},
	{"the same in processor time", "Parallel/workers=%p", "Parallel/workers=1", "cpu-sec/op"},
	{"%q goroutines", "Parallel/workers=%q", "Parallel/workers=1", "sec/op"},
	{"the same in processor time", "Parallel/workers=%q", "Parallel/workers=1", "cpu-sec/op"},
	{"created here, deleted on another goroutine", "HandOver", "Cycle", "sec/op"},
}

func handles(r *run) (string, error) {
	var m markdown
	expand := strings.NewReplacer("%p", fmt.Sprint(r.procs), "%q", fmt.Sprint(16*r.procs)).Replace
	of := func(benchmark, table, unit string) []float64 { return r.get(expand(benchmark)+"/table="+table, unit) }
	m.WriteString(r.head(of("Cycle", "wherry", "sec/op"), fmt.Sprintf("GOMAXPROCS %d, ", r.procs)))
	cells := []string{"work", "wherry"}
	for _, rival := range rivals {
		cells = append(cells, rival, "ratio")
	}
	m.head(cells...)
	for _, w := range works {
		own := of(w.benchmark, "wherry", w.unit)
		cells := []string{expand(w.work), format(own, w.unit)}
		for _, rival := range rivals {
			theirs := of(w.benchmark, rival, w.unit)
			ratio := r.ratio(theirs, own)
			if w.unit == "handles/s" {
				ratio = r.ratio(own, theirs)
			}
			cells = append(cells, format(theirs, w.unit), ratio)
		}
		m.row(cells...)
	}
	m.WriteByte('\n')
	m.head(append([]string{"cost of a cycle, as a multiple of one on one goroutine", "wherry"}, rivals...)...)
	for _, c := range costs {
		cells := []string{expand(c.work)}
		for _, table := range append([]string{"wherry"}, rivals...) {
			cells = append(cells, r.ratio(of(c.benchmark, table, c.unit), of(c.base, table, c.unit)))
		}
		m.row(cells...)
	}
	return m.String(), nil
}
