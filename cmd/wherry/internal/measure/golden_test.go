package measure

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the golden files anew")

// golden compares with a file of testdata.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, got, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s: got\n%s\nwant\n%s\nif the change is meant, run go test -update", path, got, want)
	}
}

// rounds returns pairs around a mean and a ratio.
func rounds(n int, ns, ratio float64) []pair {
	pairs := make([]pair, n)
	for i := range pairs {
		wobble := 1 + 0.001*float64(i*3%7)
		pairs[i][cgo] = measurement{ns: math.Round(ns * wobble), bytes: 480, allocs: 12, hasMemory: true}
		pairs[i][wherry] = measurement{ns: math.Round(ns / ratio), bytes: 480, allocs: 12, hasMemory: true}
	}
	return pairs
}

// sampleResult has something of everything that a report shows.
func sampleResult() *Result {
	fewerAllocations := rounds(10, 12300, 1.18)
	for i := range fewerAllocations {
		fewerAllocations[i][wherry].allocs = 0
		fewerAllocations[i][wherry].bytes = 0
	}
	functions := []Function{
		{"zlibVersion", "fast", "safe, no loop"},
		{"crc32", "fast, reentrant", "safe, loops"},
		{"adler32", "fast, reentrant", "safe, loops"},
	}
	kept := []Function{{"gzread", "", "may block: reaches read"}, {"inflate", "", "calls a pointer"},
		{"gzopen", "", "may block: reaches read"}}
	for _, name := range strings.Fields("sum_a sum_b sum_c sum_d sum_e sum_f sum_g sum_h") {
		functions = append(functions, Function{name, "fast", "safe, no loop"})
		kept = append(kept, Function{"x" + name, "", "reason of " + name})
	}
	return &Result{
		Go: "go1.26.8", CPU: "Imaginary CPU", GOOS: "linux", GOARCH: "amd64",
		Packages: []Package{{
			Package:     "example.com/zlib",
			Accelerated: sortedFunctions(functions),
			Kept:        sortedFunctions(kept),
			Benchmarks: []Benchmark{
				summarize("Checksum/size=1_000", fewerAllocations, firstLook),
				summarize("Inflate", rounds(10, 1.9e6, 0.93), firstLook),
				summarize("Version|<&>", rounds(10, 1000, 1), firstLook),
				summarize("Open", rounds(3, 250000, 1.4), firstLook),
				summarize("Close", rounds(3, 25000, 1.4), firstLook),
			},
			Procs:        8,
			NotCompared:  []NotCompared{{"Backup", "in both builds: skipped: no disk"}},
			IgnoredUnits: []string{"MB/s"},
		}, {
			Package:     "example.com/cmd/thumbs",
			Accelerated: []Function{},
			Kept:        []Function{},
			Benchmarks: []Benchmark{summarize(ProcessWall, rounds(2, 1.8e9, 1.1), firstLook),
				summarize(ProcessUser, rounds(2, 1.2e9, 16), firstLook)},
			Warnings: []string{"the two builds print different output"},
		}, {
			Package:     "example.com/broken",
			Accelerated: []Function{},
			Kept:        []Function{},
			Benchmarks:  []Benchmark{},
			Error:       "the tests fail without wherry too (exit status 1)\n\t--- FAIL: TestSum\n\tFAIL",
		}},
	}
}

func written(t *testing.T, write func(io.Writer) error) []byte {
	t.Helper()
	var buf bytes.Buffer
	if err := write(&buf); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}

func TestText(t *testing.T) {
	golden(t, "report.txt", written(t, sampleResult().WriteText))
}

// The format of the JSON is a promise: a change of this golden file that is
// more than an addition breaks its readers.
func TestJSON(t *testing.T) {
	text := written(t, sampleResult().WriteJSON)
	if n := bytes.Count(text, []byte("\n")); n != 1 || text[len(text)-1] != '\n' {
		t.Errorf("got %d lines, want one", n)
	}
	var indented bytes.Buffer
	if err := json.Indent(&indented, text, "", "  "); err != nil {
		t.Fatal(err)
	}
	golden(t, "report.json", indented.Bytes())
}

// Every report can be made again from the JSON.
func TestJSONHoldsEverything(t *testing.T) {
	var read Result
	if err := json.Unmarshal(written(t, sampleResult().WriteJSON), &read); err != nil {
		t.Fatal(err)
	}
	for name, pair := range map[string][2]func(io.Writer) error{
		"text": {sampleResult().WriteText, read.WriteText},
		"JSON": {sampleResult().WriteJSON, read.WriteJSON},
	} {
		if want, got := written(t, pair[0]), written(t, pair[1]); !bytes.Equal(got, want) {
			t.Errorf("%s: got after a trip through JSON\n%s\nwant\n%s", name, got, want)
		}
	}
	if err := json.Unmarshal([]byte(`"x"`), new(Interval)); err == nil {
		t.Error(`no error for the interval "x"`)
	}
}

// Of many fast functions the report for a terminal shows some, and JSON has all.
func TestManyFunctions(t *testing.T) {
	p := Package{Package: "example.com/gui", Kept: []Function{{Function: "wait", Why: "waits"}}}
	for i := range 3000 {
		p.Accelerated = append(p.Accelerated, Function{Function: fmt.Sprintf("f%04d", i), Mode: "fast"})
	}
	r := &Result{Packages: []Package{p}}
	text := string(written(t, r.WriteText))
	want := "  fast (3000 of 3001 C functions):\n    f0000, f0001, f0002, "
	if n := strings.Count(text, "\n"); n > 15 || !strings.Contains(text, want) || !strings.Contains(text,
		", f0009, and 2990 more in the JSON report\n") {
		t.Errorf("got %d lines, want %q and seven more functions:\n%s", n, want, text)
	}
	if !bytes.Contains(written(t, r.WriteJSON), []byte(`{"function":"f2999","mode":"fast","why":""}`)) {
		t.Error("the JSON has not all functions")
	}
}
