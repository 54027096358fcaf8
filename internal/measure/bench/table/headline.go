package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
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

// A compared is a benchmark in what wherry compare -json writes.
type compared struct {
	Name  string    `json:"name"`
	Ratio float64   `json:"ratio"`
	CI    []float64 `json:"ci"` // of the ratio, 95 %
}

// headline makes the table of README.md's numbers from what wherry compare -json wrote
// in a run.
func headline(run string) (string, error) {
	text := "| work | faster | 95 % interval |\n| --- | ---: | --- |\n"
	for _, row := range headlines {
		m, err := find(filepath.Join(run, row.file+".json"), row.benchmark)
		if err != nil {
			return "", err
		}
		interval := fmt.Sprintf("%#.3g to %#.3g", m.CI[0], m.CI[1])
		if m.CI[0] <= 1 && m.CI[1] >= 1 {
			interval = "no significant difference (" + interval + ")"
		}
		text += fmt.Sprintf("| %s | %#.3g | %s |\n", row.work, m.Ratio, interval)
	}
	return text, nil
}

func find(file, benchmark string) (compared, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return compared{}, err
	}
	var all struct {
		Packages []struct {
			Benchmarks []compared `json:"benchmarks"`
		} `json:"packages"`
	}
	if err := json.Unmarshal(text, &all); err != nil {
		return compared{}, fmt.Errorf("%s: %w", file, err)
	}
	for _, p := range all.Packages {
		for _, m := range p.Benchmarks {
			if m.Name == benchmark && m.Ratio > 0 && len(m.CI) == 2 {
				return m, nil
			}
		}
	}
	return compared{}, fmt.Errorf("%s has no ratio with an interval for %s", file, benchmark)
}
