package main

import (
	"fmt"
	"strings"
	"testing"
)

func run(leaveOut string) string {
	var b strings.Builder
	b.WriteString("go: go1.26.8\ngoos: linux\n")
	for round := range 6 {
		for _, name := range []string{"Nothing", "Double", "Pair", "Errno", "Pointer"} {
			for i, way := range []string{"wherry", "cgo", "floor", "stub", "bind"} {
				fmt.Fprintf(&b, "Benchmark%s/way=%s-2 %d %d ns/op\n", name, way, round+1, 10*(i+1))
			}
		}
		for _, name := range []string{"Add", "Six", "Eight"} {
			for i, way := range []string{"wherry", "floor"} {
				fmt.Fprintf(&b, "Benchmark%s/way=%s-2 %d %d ns/op\n", name, way, round+1, 10*(i+1))
			}
		}
		for _, row := range rows {
			for i, way := range append([]string{row.own}, row.rivals...) {
				name := fmt.Sprintf("Benchmark%s/way=%s-2", row.benchmark, way)
				if strings.Contains(b.String(), fmt.Sprintf("%s %d ", name, round+1)) || way == leaveOut {
					continue
				}
				fmt.Fprintf(&b, "%s %d %d ns/op %d B/goroutine\n", name, round+1, 10*(i+1), 1000*(i+1))
			}
		}
	}
	return b.String()
}

func TestTables(t *testing.T) {
	text, err := tables(strings.NewReader(run("")))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"go1.26.8, linux/, , 6 rounds", "| six ints, typed stub | 10 (10) ns | 20 (20) ns | 2 (2 to 2) |",
		"| 2000 B | 2 (2 to 2) |", "| int, int and errno | 20 (20) ns | 10 (10) ns | 2 (2 to 2) | 30 (30) ns | 0.333 (0.333 to 0.333) | 1.33 " +
			"(1.33 to 1.33) | 1.67 (1.67 to 1.67) |"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if _, err := tables(strings.NewReader(run("purego"))); err == nil || !strings.Contains(err.Error(), "purego: want one of each") {
		t.Errorf("a run without purego: %v", err)
	}
}
