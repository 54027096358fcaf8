package main

import "slices"

// uses are the lines of the second table: a work, how we do it, and rivals.
var uses = []struct {
	work, benchmark, unit, own string
	rivals                     []string
}{
	{"add of two ints, Bind", "Add", "sec/op", "bind", []string{"cgo", "purego", "frame64k"}},
	{"six ints, Bind", "Six", "sec/op", "bind", []string{"cgo", "purego"}},
	{"eight doubles, Bind", "Eight", "sec/op", "bind", []string{"cgo", "purego"}},
	{"a string, Bind", "Text", "sec/op", "bind", []string{"cgo", "purego"}},
	{"qsort of a million ints, Go comparison", "Qsort", "sec/op", "wherry", []string{"cgo", "purego", "none"}},
	{"callback.New and Release", "NewAndRelease", "sec/op", "wherry", nil},
	{"memory of a goroutine after a call by Bind", "Goroutines", "B/goroutine", "bind", []string{"cgo", "frame64k"}},
}

// shapes are the lines of the first: calls beside the shortest way that there is.
var shapes = [][2]string{{"none", "Nothing"}, {"two ints, int", "Add"}, {"two doubles, double", "Double"},
	{"six longs, long", "Six"}, {"eight doubles, double", "Eight"},
	{"two structs of two longs, such a struct", "Pair"}, {"int, int and errno", "Errno"}, {"`void *` to Go memory, int", "Pointer"}}

func direct(r *run) (string, error) {
	var m markdown
	of := func(benchmark, way, unit string) []float64 { return r.get(benchmark+"/way="+way, unit) }
	m.WriteString(r.head(of("Add", "bind", "sec/op"), ""))
	m.head("arguments and result", "cgo", "wherry build", "times faster", "shortest way", "wherry build", "Bind")
	for _, shape := range shapes {
		cgo, built, floor := of(shape[1], "cgo", "sec/op"), of(shape[1], "wherry", "sec/op"), of(shape[1], "floor", "sec/op")
		cells := []string{shape[0], format(cgo, "sec/op"), format(built, "sec/op"), r.ratio(cgo, built), format(floor, "sec/op"),
			r.ratio(built, floor), r.ratio(of(shape[1], "bind", "sec/op"), floor)}
		m.row(cells...)
	}
	m.WriteByte('\n')
	all := []string{"cgo", "purego", "frame64k", "none"}
	cells := []string{"work", "wherry"}
	for _, rival := range all {
		cells = append(cells, rival, "ratio")
	}
	m.head(cells...)
	for _, use := range uses {
		own := of(use.benchmark, use.own, use.unit)
		cells := []string{use.work, format(own, use.unit)}
		for _, rival := range all {
			if !slices.Contains(use.rivals, rival) {
				cells = append(cells, "", "")
				continue
			}
			theirs := of(use.benchmark, rival, use.unit)
			cells = append(cells, format(theirs, use.unit), r.ratio(theirs, own))
		}
		m.row(cells...)
	}
	return m.String(), nil
}
