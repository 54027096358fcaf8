package main

import (
	"fmt"
	"io"
	"slices"

	"github.com/wherrygo/wherry/cmd/wherry/internal/bench"
	"github.com/wherrygo/wherry/cmd/wherry/internal/latency"
)

// readme names what README.md shows, on one goroutine.
var readme = []string{
	"call/add/go", "call/add/cgo", "call/add/fast", "call/add/bind",
	"callback/1/cgo", "callback/1/reentrant",
	"handle/cycle/cgo", "handle/cycle/wherry",
	"landmark/mutex/go",
}

func shown(rows []*latency.Row) (found []*latency.Row) {
	for _, row := range rows {
		if row.Procs == rows[0].Procs && slices.Contains(readme, row.Bench+"/"+row.Variant) {
			found = append(found, row)
		}
	}
	return found
}

func head(w io.Writer, first *latency.Row) {
	fmt.Fprintf(w, "%s, %s/%s, %s, %d rounds.\n", first.Go, first.GOOS, first.GOARCH, first.CPU, first.Rounds)
	if first.Noisy != "" {
		fmt.Fprintf(w, "\nThe machine was noisy: %s.\n", first.Noisy)
	}
}

func short(w io.Writer, rows []*latency.Row) {
	head(w, rows[0])
	fmt.Fprint(w, "\n| work | variant | time | x cgo |\n| --- | --- | ---: | ---: |\n")
	for _, row := range rows {
		fmt.Fprintf(w, "| %s | %s | %s | %.2g |\n", row.Bench, row.Variant, bench.FormatTime(row.NS), row.Ratio)
	}
}

// whole has what several goroutines did too.
func whole(w io.Writer, rows []*latency.Row) {
	head(w, rows[0])
	fmt.Fprint(w, "\n| work | variant | procs | time | 95 % interval | best round | x cgo | 95 % interval | scaling |\n"+
		"| --- | --- | ---: | ---: | --- | ---: | ---: | --- | ---: |\n")
	for _, row := range rows {
		fmt.Fprintf(w, "| %s | %s | %d | %s | %s | %s | %.3g | %s | %.2f |\n", row.Bench, row.Variant, row.Procs,
			bench.FormatTime(row.NS), interval(row.Lo, row.Hi, bench.FormatTime), bench.FormatTime(row.Min),
			row.Ratio, interval(row.RatioLo, row.RatioHi, bench.FormatRatio), row.Scaling)
	}
}

func interval(lo, hi *float64, format func(float64) string) string {
	if lo == nil || hi == nil {
		return "too few rounds"
	}
	return format(*lo) + " to " + format(*hi)
}
