package main

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const lines = `{"bench":"call/add","variant":"cgo","procs":1,"ns":30,"lo":29,"hi":31,"min":28,"ratio_to_cgo":1,"ratio_lo":1,"ratio_hi":1,"scaling":1,"rounds":20,"go":"go1.26.8","goos":"linux","goarch":"amd64","cpu":"X"}
{"bench":"call/add","variant":"fast","procs":1,"ns":2.5,"lo":2.4,"hi":2.6,"min":2.3,"ratio_to_cgo":12,"ratio_lo":11,"ratio_hi":13,"scaling":1,"rounds":20,"go":"go1.26.8","goos":"linux","goarch":"amd64","cpu":"X"}
{"bench":"call/add","variant":"purego","procs":1,"ns":300,"lo":null,"hi":null,"min":290,"ratio_to_cgo":0.1,"ratio_lo":null,"ratio_hi":null,"scaling":1,"rounds":20,"go":"go1.26.8","goos":"linux","goarch":"amd64","cpu":"X"}
`

func output(t *testing.T, file, form string) string {
	t.Helper()
	var text strings.Builder
	if err := write(&text, file, form); err != nil {
		t.Fatal(err)
	}
	return text.String()
}

func TestForms(t *testing.T) {
	file := filepath.Join(t.TempDir(), "run.json")
	if err := os.WriteFile(file, []byte(lines), 0o666); err != nil {
		t.Fatal(err)
	}
	for form, want := range map[string]string{
		"text":    "  purego    300 ns      too few rounds  0.100\n",
		"short":   "| C.add of two ints | through cgo | 30.0 ns | 1.00 |\n| C.add of two ints | with wherry build | 2.50 ns | 12.0 |\n",
		"picture": ">with wherry build</text>",
	} {
		if got := output(t, file, form); !strings.Contains(got, want) {
			t.Errorf("%s: no %s in\n%s", form, want, got)
		}
	}
	if err := write(io.Discard, file, "wide"); err == nil || !strings.Contains(err.Error(), "want text") {
		t.Errorf("an unknown form: %v", err)
	}
}

// Stored runs of both commands can be shown, with the names of what was measured.
func TestStoredRuns(t *testing.T) {
	for file, part := range map[string]string{
		"h3.json":        "  CellToParent         39.3 ns  9.48 ns  4.210  4.059 to 4.315  faster\n",
		"crossings.json": "\ncall/add\n",
	} {
		if text := output(t, "../../../../../internal/measure/bench/runs/2026-11-22/"+file, "text"); !strings.Contains(text, part) {
			t.Errorf("%s: no %s in\n%s", file, part, text)
		}
	}
}

func TestBadLines(t *testing.T) {
	for text, want := range map[string]string{"": "no line", "{\"packages\":null}\n": ":1: not a line", lines + "x\n": ":4: not a line"} {
		file := filepath.Join(t.TempDir(), "run.json")
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		if err := write(io.Discard, file, "text"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want %q", text, err, want)
		}
	}
}
