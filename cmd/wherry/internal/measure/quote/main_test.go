package main

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const kept = `{"go":"go1.26.8","goos":"linux","goarch":"amd64","cpu":"X","packages":[{"package":"p","go":"go1.26.8","benchmarks":[
{"name":"call/add","variant":"cgo","procs":1,"ns":30,"ns_ci":[29,31],"min_ns":28,"ratio":1,"ci":[1,1],"scaling":1,"rounds":20},
{"name":"call/add","variant":"fast","procs":1,"ns":2.5,"ns_ci":[2.4,2.6],"min_ns":2.3,"ratio":12,"ci":[11,13],"scaling":1,"rounds":20},
{"name":"call/add","variant":"purego","procs":1,"ns":300,"ns_ci":null,"min_ns":290,"ratio":0.1,"ci":null,"scaling":1,"rounds":20}]}]}`

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
	if err := os.WriteFile(file, []byte(kept), 0o666); err != nil {
		t.Fatal(err)
	}
	for form, want := range map[string]string{
		"text":    "  purego    300 ns      too few rounds  0.100\n",
		"where":   "go1.26.8, linux/amd64, X",
		"table":   "| call/add | fast | 2.50 ns | 12.0 | 1.00 |\n",
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
	for _, c := range []struct{ file, form, part string }{
		{"h3.json", "text", "  CellToParent         39.3 ns  9.48 ns  4.210  4.059 to 4.315  faster\n"},
		{"h3.json", "table", "| h3 | CellToParent | 39.3 ns | 9.48 ns | 4.210 | 4.059 to 4.315 | faster |\n"},
		{"crossings.json", "text", "\ncall/add\n"},
	} {
		if text := output(t, "../testdata/"+c.file, c.form); !strings.Contains(text, c.part) {
			t.Errorf("%s as %s: no %s in\n%s", c.file, c.form, c.part, text)
		}
	}
}

func TestBadRuns(t *testing.T) {
	for text, want := range map[string]string{"": "not the JSON", "{\"packages\":null}\n": "no packages", kept + "x\n": "not the JSON"} {
		file := filepath.Join(t.TempDir(), "run.json")
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		if err := write(io.Discard, file, "text"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want %q", text, err, want)
		}
	}
}
