package main

import (
	"fmt"
	"io"
	"path/filepath"

	"github.com/wherrygo/wherry/cmd/wherry/internal/measure"
)

// headlines are the lines of the table: what was done, and where it was measured.
var headlines = []struct{ work, file, benchmark string }{
	{"`C.add` of two ints", "latency", "Add"},
	{"a call that passes `&x` of a local variable (1 allocation less)", "latency", "LocalPointer"},
	{"C.CString and C.free", "latency", "CString"},
	{"a callback, 100 in one call", "callbacks", "HundredCallbacks"},
	{"one call with one callback", "callbacks", "OneCallback"},
	{"qsort of a million numbers with a comparator in Go", "callbacks", "Qsort"},
	{"go-sqlite3: a row of a query that calls a Go function", "callbacks-sql", "Integers"},
	{"go-sqlite3: insert of 8 columns", "sqlite", "Insert"},
	{"go-sqlite3: point query", "sqlite", "PointQuery"},
	{"go-sqlite3: row scan of 8 columns", "sqlite", "Scan"},
	{"h3-go: CellToParent", "h3", "CellToParent"},
	{"h3-go: LatLngToCell", "h3", "LatLngToCell"},
	{"go-tree-sitter: walk over net/http/server.go, by cursor", "treesitter", "Cursor"},
	{"the same by nodes", "treesitter", "Nodes"},
}

// numbers writes the table of README.md's numbers from what wherry compare -json wrote in
// a run.
func numbers(w io.Writer, run string) error {
	text := "| work | faster | 95 % interval |\n| --- | ---: | --- |\n"
	for _, row := range headlines {
		b, err := find(filepath.Join(run, row.file+".json"), row.benchmark)
		if err != nil {
			return err
		}
		interval := fmt.Sprintf("%#.3g to %#.3g", b.CI.Lo, b.CI.Hi)
		if b.CI.Lo <= 1 && b.CI.Hi >= 1 {
			interval = "no significant difference (" + interval + ")"
		}
		text += fmt.Sprintf("| %s | %#.3g | %s |\n", row.work, b.Ratio, interval)
	}
	_, err := io.WriteString(w, text)
	return err
}

func find(file, benchmark string) (*measure.Benchmark, error) {
	kept, err := measure.ReadJSON(file)
	if err != nil {
		return nil, err
	}
	for _, p := range kept.Packages {
		for i := range p.Benchmarks {
			if b := &p.Benchmarks[i]; b.Name == benchmark && b.Ratio > 0 && b.CI.Finite() && b.CI.Hi > 0 {
				return b, nil
			}
		}
	}
	return nil, fmt.Errorf("%s has no ratio with an interval for %s", file, benchmark)
}
