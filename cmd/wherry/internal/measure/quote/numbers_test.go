package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestNumbers(t *testing.T) {
	run := t.TempDir()
	files := map[string][]string{}
	for _, row := range headlines {
		files[row.file] = append(files[row.file], `{"name":"`+row.benchmark+`","ratio":1.2345,"ci":[1.1,1.3]}`)
	}
	write := func(file, text string) {
		if err := os.WriteFile(filepath.Join(run, file+".json"), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for file, benchmarks := range files {
		write(file, `{"packages":[{"benchmarks":[]},{"benchmarks":[`+strings.Join(benchmarks, ",")+`]}]}`)
	}
	table := func(run string) (string, error) {
		var text strings.Builder
		err := numbers(&text, run)
		return text.String(), err
	}
	text, err := table(run)
	if err != nil || strings.Count(text, "| 1.23 | 1.10 to 1.30 |\n") != len(headlines) {
		t.Errorf("got %v\n%s", err, text)
	}
	write("h3", `{"packages":[{"benchmarks":[{"name":"CellToParent","ratio":0.99,"ci":[0.9,1.1]},`+
		`{"name":"LatLngToCell","ratio":0.5,"ci":[0.4,0.6]}]}]}`)
	text, err = table(run)
	if err != nil || !strings.Contains(text, "CellToParent | 0.990 | no significant difference (0.900 to 1.10) |") ||
		!strings.Contains(text, "LatLngToCell | 0.500 | 0.400 to 0.600 |") {
		t.Errorf("got %v\n%s", err, text)
	}
	for _, broken := range []string{`{"packages":[{"benchmarks":[{"name":"CellToParent","ratio":2}]}]}`, `{}`, ``} {
		write("h3", broken)
		if _, err := table(run); err == nil || !strings.Contains(err.Error(), "h3.json") {
			t.Errorf("%s: got %v", broken, err)
		}
	}
}
