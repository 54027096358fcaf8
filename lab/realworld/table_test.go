package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// inRun has the results go to a folder of the test's own.
func inRun(t *testing.T) {
	t.Helper()
	old := *dir
	*dir = t.TempDir()
	t.Cleanup(func() { *dir = old })
}

func save(t *testing.T, name string, r *result) {
	t.Helper()
	if err := (suite{name: name}).store(r); err != nil {
		t.Fatal(err)
	}
}

// The tables have the largest gain first, losses last, and what is missing.
func TestTables(t *testing.T) {
	inRun(t)
	save(t, "sqlite3", &result{Module: "github.com/mattn/go-sqlite3", Tests: Tests{Passed: 1}, Version: "v1", Work: "rows", Ratio: 0.9,
		CI: [2]float64{0.8, 0.95}, Fast: 3, Cgo: 1, Allocs: [2]float64{7, 6}, Share: 0.3})
	save(t, "h3", &result{Module: "github.com/uber/h3-go/v4", Version: "v4", Work: "cells", Ratio: 1.25, CI: [2]float64{1.2, 1.3},
		Allocs: [2]float64{2, 2}, Share: 0.5,
		Tests: Tests{Passed: 5, Date: "2026-11-02", Unsteady: 1, Differences: []string{"p TestA: plain cgo: pass, wherry: fail"}}})
	save(t, "duktape", &result{Tests: Tests{Passed: 2}, Module: "gopkg.in/olebedev/go-duktape.v3", Version: "v3", Work: "script", Ratio: 1.01,
		CI: [2]float64{0.99, 1.03}, Profile: Profile{0.96, []function{{"duk_run", 0.7}, {"runtime.mallocgc", 0.12}}}})
	var table bytes.Buffer
	if err := writeTable(&table, "short"); err != nil {
		t.Fatal(err)
	}
	want := []string{
		"| uber/h3-go | cells | 1.25 | 1.20 to 1.30 | 0 of 0 | 2 |",
		"| mattn/go-sqlite3 | rows | 0.900 | 0.800 to 0.950 | 3 of 4 | 7, 6 |",
		"",
		"Slower: 1 of 3. No significant difference: olebedev/go-duktape.v3 (0.990 to 1.03).",
	}
	if lines := strings.Split(strings.TrimSpace(table.String()), "\n"); len(lines) != 6 ||
		strings.Join(lines[2:], "\n") != strings.Join(want, "\n") {
		t.Errorf("short: got\n%s\nwant\n%s", table.String(), strings.Join(want, "\n"))
	}
	table.Reset()
	if err := writeTable(&table, "whole"); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"| uber/h3-go | cells | 1.25 | 1.20 to 1.30 | 50 % | 0 of 0 | 2 |",
		"3 packages; 1 of their tests end otherwise than through plain cgo. 1 jobs are slower (interval wholly below 0.97), 1 have an interval " +
			"wholly above 1.10. Of the 2 where crossings are a tenth of the time or more the geometric mean is 1.06.\n",
		"| github.com/uber/h3-go/v4 v4 | 5, 0, 0 | **1 end otherwise**: p TestA: plain cgo: pass, wherry: fail; 1 left out that differ between " +
			"two plain runs | 2026-11-02 | 0 of 0 |",
		"| olebedev/go-duktape.v3 | 1.01 | 0.960 | `duk_run` 70 %, `runtime.mallocgc` 12 % |\n\n",
		"Not yet measured, or their tests not yet run: crawshaw.io/sqlite, ",
	} {
		if !strings.Contains(table.String(), want) {
			t.Errorf("whole: got\n%s\nwithout\n%s", table.String(), want)
		}
	}
	if err := writeTable(&table, "wide"); err == nil || !strings.Contains(err.Error(), "want whole or short") {
		t.Errorf("an unknown table: got %v", err)
	}
}

// What has only one of its two parts stands in that part's table, and is named.
func TestHalves(t *testing.T) {
	inRun(t)
	save(t, "h3", &result{Module: "github.com/uber/h3-go/v4", Version: "v4", Work: "cells", Ratio: 1.25, CI: [2]float64{1.2, 1.3}})
	save(t, "zmq4", &result{Module: "github.com/pebbe/zmq4", Version: "v1", Work: "messages", Tests: Tests{Passed: 7}})
	var table bytes.Buffer
	if err := writeTable(&table, "whole"); err != nil {
		t.Fatal(err)
	}
	head, rest, _ := strings.Cut(table.String(), "| module | tests")
	suites, missing, _ := strings.Cut(rest, "Not yet measured")
	for _, c := range []struct{ where, module string }{{head, "uber/h3-go"}, {suites, "github.com/pebbe/zmq4 v1"},
		{missing, "github.com/uber/h3-go/v4"}, {missing, "github.com/pebbe/zmq4"}} {
		if !strings.Contains(c.where, c.module) {
			t.Errorf("%s does not stand in its part of\n%s", c.module, table.String())
		}
	}
	if strings.Contains(head, "zmq4") || strings.Contains(suites, "h3-go") {
		t.Errorf("a half stands in the other table:\n%s", table.String())
	}
}

// Without results there is no table, and a result that cannot be read is an error.
func TestNoTable(t *testing.T) {
	inRun(t)
	if err := writeTable(new(bytes.Buffer), "short"); err == nil || !strings.Contains(err.Error(), "has no result") {
		t.Errorf("no results: got %v", err)
	}
	if err := os.WriteFile(suite{name: "h3"}.file(".json"), []byte(`{"Ratio":`), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := writeTable(new(bytes.Buffer), "short"); err == nil || !strings.Contains(err.Error(), "realworld-h3.json") {
		t.Errorf("half a result: got %v", err)
	}
}

// What stands beside times is the median of the lines that wherry compare -raw keeps.
func TestMedians(t *testing.T) {
	raw := `variant: cgo
BenchmarkJob-2   	1	5 ns/op	3 B/op	7 allocs/op

variant: wherry
BenchmarkJob-2   	1	5 ns/op	3 B/op	6 allocs/op

variant: wherry
BenchmarkJob-2   	1	5 ns/op	3 B/op	4 allocs/op
variant: cgo
BenchmarkJob-2   	1	5 ns/op	3 B/op	8 allocs/op
BenchmarkJob-2   	1	5 ns/op	3 B/op	9 allocs/op
`
	if got, want := medians([]byte(raw), "allocs/op"), [2]float64{8, 5}; got != want {
		t.Errorf("got %v, want %v", got, want)
	}
}

// Each suite has a job whose go.mod pins its module, and no two have one name.
func TestSuites(t *testing.T) {
	names := map[string]bool{}
	for _, s := range suites {
		text, err := os.ReadFile(filepath.Join("jobs", s.name, "go.mod"))
		if err != nil || !strings.Contains(string(text), s.module+" v") {
			t.Errorf("%s: its go.mod does not require %s: %v", s.name, s.module, err)
		}
		if names[s.name] || s.work == "" {
			t.Errorf("%s: a second one, or without work", s.name)
		}
		names[s.name] = true
	}
	if len(suites) < 20 {
		t.Errorf("got %d suites, want at least 20", len(suites))
	}
}
