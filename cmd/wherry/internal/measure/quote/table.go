package main

import (
	"fmt"
	"io"
	"path"
	"slices"
	"strings"

	"github.com/wherrygo/wherry/cmd/wherry/internal/measure"
)

// shown are the variants in BENCHMARKS.md; of Go's own, those that are compared with calls.
var shown = strings.Fields("cgo fast reentrant held bind wherry purego frame-64k go-pointer cl600875 free locked")

// table writes a run in Markdown, a line for each benchmark: of wherry bench with columns for
// each number of processors.
func table(w io.Writer, kept *measure.Result) error {
	if kept.Packages[0].Go != "" {
		return benchTable(w, kept.Packages[0])
	}
	for _, p := range kept.Packages {
		for _, b := range p.Benchmarks {
			interval := "too few rounds"
			if b.CI.Finite() {
				interval = measure.FormatRatio(b.CI.Lo) + " to " + measure.FormatRatio(b.CI.Hi)
			}
			fmt.Fprintf(w, "| %s | %s | %s | %s | %s | %s | %s |\n", path.Base(p.Package), b.Name, measure.FormatTime(b.CgoNS),
				measure.FormatTime(b.NS), measure.FormatRatio(b.Ratio), interval, b.Verdict)
		}
	}
	return nil
}

func benchTable(w io.Writer, p measure.Package) error {
	type key struct{ name, variant string }
	var order []key
	var procs []int
	rows := map[key]map[int]measure.Benchmark{}
	for _, b := range p.Benchmarks {
		k := key{b.Name, b.Variant}
		inGo := b.Variant == "go" && (b.Name == "call/add" || strings.HasPrefix(b.Name, "landmark/"))
		if !inGo && !slices.Contains(shown, b.Variant) {
			continue
		}
		if rows[k] == nil {
			order, rows[k] = append(order, k), map[int]measure.Benchmark{}
		}
		rows[k][b.Procs] = b
		if !slices.Contains(procs, b.Procs) {
			procs = append(procs, b.Procs)
		}
	}
	head, line := "| work | way |", "| --- | --- |"
	for _, n := range procs {
		head, line = head+fmt.Sprintf(" on %d | x cgo |", n), line+" ---: | ---: |"
	}
	fmt.Fprintf(w, "%s scaling |\n%s ---: |\n", head, line)
	for _, k := range order {
		fmt.Fprintf(w, "| %s | %s |", k.name, k.variant)
		for _, n := range procs {
			fmt.Fprintf(w, " %s | %s |", measure.FormatTime(rows[k][n].NS), measure.Digits(rows[k][n].Ratio))
		}
		fmt.Fprintf(w, " %s |\n", measure.Digits(rows[k][procs[len(procs)-1]].Scaling))
	}
	return nil
}
