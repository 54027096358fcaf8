package measure

import (
	"maps"
	"slices"
	"testing"
)

func TestReadSheet(t *testing.T) {
	s := readSheet([]byte(`goos: linux
goarch: amd64
pkg: example.com/p
cpu: Imaginary CPU @ 2 GHz
BenchmarkPlain
    p_test.go:3: a log line
BenchmarkPlain-2      	     100	        26.41 ns/op	      66 B/op	       3 allocs/op
BenchmarkSkip
    p_test.go:4: no database
--- SKIP: BenchmarkSkip
BenchmarkFatal
    p_test.go:5: one
    p_test.go:5: two
    p_test.go:5: three
    p_test.go:5: bad thing
--- FAIL: BenchmarkFatal
BenchmarkLate
    p_test.go:6: late
--- FAIL: BenchmarkLate-2
BenchmarkSubs
BenchmarkSubs/a/x=1
BenchmarkSubs/a/x=1-2         	     100	         1.100 ns/op
    p_test.go:8: a log line of another one
BenchmarkSubs/bad
--- FAIL: BenchmarkSubs/bad
BenchmarkSubs/rows-2
BenchmarkSubs/rows-2-2        	     100	         1.800 ns/op	5555.56 MB/s	         3.000 widgets/op
--- FAIL: BenchmarkSubs
BenchmarkNoTime
BenchmarkNoTime-2               	     100	         7.000 p99-ns
BenchmarkPrint
Benchmarking... cpu: noise BenchmarkPrint-2              	     100	       227.9 ns/op
BenchmarkGlued
Benchmark results follow
noiseBenchmarkLost
noise--- FAIL: BenchmarkLost-2
cpu: a line of the benchmark itself
FAIL
`))
	wantSystem := map[string]string{"goos": "linux", "goarch": "amd64", "pkg": "example.com/p", "cpu": "Imaginary CPU @ 2 GHz"}
	if !maps.Equal(s.system, wantSystem) {
		t.Errorf("got system %q, want %q", s.system, wantSystem)
	}
	want := []result{
		{"Plain", 2, measurement{26.41, 66, 3, true}, nil},
		{"Subs/a/x=1", 2, measurement{ns: 1.1}, nil},
		{"Subs/rows-2", 2, measurement{ns: 1.8}, []string{"MB/s", "widgets/op"}},
		{"Print", 2, measurement{ns: 227.9}, nil},
	}
	equal := func(a, b result) bool {
		return a.name == b.name && a.procs == b.procs && a.value == b.value && slices.Equal(a.ignored, b.ignored)
	}
	if !slices.EqualFunc(s.results, want, equal) {
		t.Errorf("got results\n%+v, want\n%+v", s.results, want)
	}
	wantTrouble := map[string]trouble{
		"Skip":     {false, "skipped: p_test.go:4: no database"},
		"Fatal":    {true, "failed: p_test.go:5: two; p_test.go:5: three; p_test.go:5: bad thing"},
		"Late":     {true, "failed: p_test.go:6: late"},
		"Subs/bad": {true, "failed"},
		"NoTime":   {false, "reports no ns/op"},
		"Lost":     {true, "failed"},
	}
	if !maps.Equal(s.trouble, wantTrouble) {
		t.Errorf("got trouble\n%+v, want\n%+v", s.trouble, wantTrouble)
	}
	for _, name := range []string{"Glued", "Lost", "Subs"} {
		if !slices.Contains(s.started, name) {
			t.Errorf("%s is not among the started: %q", name, s.started)
		}
	}
}

// With GOMAXPROCS=2 the sub-benchmark Rows-2 gives Rows-2-2, and Rows gives
// Rows-2.
func TestNamesThatLookLikeProcs(t *testing.T) {
	s := readSheet([]byte(`BenchmarkRows-2
BenchmarkRows-2-2 100 1 ns/op
BenchmarkRows
BenchmarkRows-2 100 2 ns/op
BenchmarkParent-4
BenchmarkParent-4/sub
BenchmarkParent-4/sub-2 100 3 ns/op
    p_test.go:9: says the parent
--- FAIL: BenchmarkParent-4
`))
	for i, want := range []string{"Rows-2", "Rows", "Parent-4/sub"} {
		if got := s.results[i]; got.name != want || got.procs != 2 {
			t.Errorf("got %+v, want %s with 2 procs", got, want)
		}
	}
	if want := (trouble{true, "failed: p_test.go:9: says the parent"}); s.trouble["Parent-4"] != want {
		t.Errorf("got trouble %+v, want Parent-4 with %+v", s.trouble, want)
	}
}

// A line longer than any buffer must not hide what comes after it.
func TestReadSheetLongLine(t *testing.T) {
	long := make([]byte, 1<<20)
	for i := range long {
		long[i] = 'x'
	}
	s := readSheet(append(long, "\nBenchmarkA\nBenchmarkA 1 5 ns/op\n"...))
	if len(s.results) != 1 || s.results[0].value.ns != 5 {
		t.Errorf("got %+v, want A with 5 ns/op", s.results)
	}
}
