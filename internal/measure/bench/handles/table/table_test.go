package main

import (
	"fmt"
	"strings"
	"testing"
)

// raw makes a run in which the rivals take 2, 3 and 4 times as long, whatever
// a round's noise.
func raw(rounds int) string {
	var b strings.Builder
	b.WriteString("go: go1.99\ngoos: linux\ngoarch: amd64\ncpu: Test\n")
	for round := range rounds {
		noise := 1 + float64(round*7%5)/10
		for i, table := range append([]string{"wherry"}, rivals...) {
			line := func(name string, ns float64, more string) {
				fmt.Fprintf(&b, "Benchmark%s/table=%s-2 100 %g ns/op%s\n", name, table, ns*noise*float64(i+1), more)
			}
			for _, name := range []string{"Cycle", "Value", "Article/work=non-concurrent"} {
				line(name, 10, "")
			}
			line("Parallel/workers=1", 10, " 11 cpu-ns/op")
			line("Parallel/workers=2", 11, " 22 cpu-ns/op")
			line("Parallel/workers=32", 12, " 33 cpu-ns/op")
			line("HandOver", 20, "")
			line("Article/work=concurrent", 10, fmt.Sprintf(" %g handles/s", 1e8/noise/float64(i+1)))
			line("Million", 100, fmt.Sprintf(" %d B/handle", 32*(i+1)))
		}
	}
	return b.String()
}

func TestMarkdown(t *testing.T) {
	r, err := read(strings.NewReader(raw(10)))
	if err != nil {
		t.Fatal(err)
	}
	text, err := markdown(r)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"go1.99, linux/amd64, Test, GOMAXPROCS 2, 10 rounds\n",
		"| New, Value, Delete of a pointer | 12 (10) ns | 24 (20) ns | 2 (2 to 2) | 36 (30) ns | 3 (3 to 3) | 48 (40) ns | 4 (4 to 4) |\n",
		"| its handles per second | 83.3 (100) million | 41.7 (50) million | 2 (2 to 2) |",
		"| heap for each of a million | 32 B | 64 B | 2 (2 to 2) | 96 B | 3 (3 to 3) | 128 B | 4 (4 to 4) |\n",
		"| 2 goroutines | 1.1 (1.1 to 1.1) | 1.1 (1.1 to 1.1) |",
		"| 32 goroutines | 1.2 (1.2 to 1.2) |",
		"| the same in processor time | 2 (2 to 2) |",
		"| the same in processor time | 3 (3 to 3) |",
		"| created here, deleted on another goroutine | 2 (2 to 2) |",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}

// A line without values, or with some missing, would be a wrong table.
func TestIncompleteRun(t *testing.T) {
	whole := raw(3)
	for _, part := range []string{"BenchmarkMillion/table=cgo", "BenchmarkParallel/workers=32/table=wherry"} {
		r, err := read(strings.NewReader(strings.Replace(whole, part, "BenchmarkOther/table=x", 1)))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := markdown(r); err == nil || !strings.Contains(err.Error(), "2 and 3 values") &&
			!strings.Contains(err.Error(), "3 and 2 values") {
			t.Errorf("without one %s: error %v", part, err)
		}
	}
	if _, err := read(strings.NewReader("BenchmarkStray-2 1 1 ns/op\n")); err == nil {
		t.Error("a benchmark of no table was accepted")
	}
}
