package measure

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
)

const realSource = `package p

import (
	"fmt"
	"testing"
)

func TestFine(t *testing.T) {}

func BenchmarkFine(b *testing.B) {
	b.SetBytes(8)
	for range b.N {
	}
}

func BenchmarkSubs(b *testing.B) {
	b.Run("rows=10", func(b *testing.B) { b.ReportMetric(3, "rows/op") })
	b.Run("bad", func(b *testing.B) { b.Error("wrong") })
	b.Run("late", func(b *testing.B) {
		if b.N > 1 {
			b.Fatal("wrong later")
		}
	})
}

func BenchmarkSkip(b *testing.B) { b.Skip("no database") }

func BenchmarkNoise(b *testing.B) { fmt.Print("noise ") }

func BenchmarkNoTime(b *testing.B) { b.ReportMetric(0, "ns/op") }

func ExampleBenchmark() {
	fmt.Println("an example is listed too")
	// Output: an example is listed too
}
`

// The fakes print what we believe a test binary prints; here a real one does.
func TestRealTestBinary(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a test binary")
	}
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module example.com/p\n\ngo 1.24\n", "p_test.go": realSource} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	binary := filepath.Join(dir, "p.test.exe")
	build := exec.Command("go", "test", "-c", "-o", binary, ".")
	build.Dir = dir
	build.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}

	for pattern, want := range map[string]bool{"Subs/rows": true, "Fine$/x|TestFine": true, "TestFine": false, "ExampleBenchmark": false} {
		if has, err := HasBenchmarks(binary, dir, pattern); err != nil || has != want {
			t.Errorf("HasBenchmarks(%q): got %v and error %v, want %v", pattern, has, err, want)
		}
	}

	target := Target{Package: "example.com/p", Dir: dir, Plain: binary, Wherry: binary}
	_, p := compare(t, target, Options{Count: 2, Benchtime: "3x", Tests: true})
	var names []string
	for _, b := range p.Benchmarks {
		names = append(names, b.Name)
		if b.CgoAllocs != nil {
			t.Errorf("%s: allocations shown, want none, as they are the same", b.Name)
		}
	}
	if want := []string{"Fine", "Subs/rows=10", "Noise"}; !slices.Equal(names, want) {
		t.Errorf("got benchmarks %q, want %q", names, want)
	}
	want := []NotCompared{
		{"Subs/bad", "in both builds: failed: p_test.go:18: wrong"},
		{"Subs/late", "in both builds: failed: p_test.go:21: wrong later"},
		{"Skip", "in both builds: skipped: p_test.go:26: no database"},
		{"NoTime", "in both builds: reports no ns/op"},
	}
	if !slices.Equal(p.NotCompared, want) {
		t.Errorf("got\n%q, want\n%q", p.NotCompared, want)
	}
	if want := []string{"MB/s", "rows/op"}; !slices.Equal(p.IgnoredUnits, want) {
		t.Errorf("got ignored units %q, want %q", p.IgnoredUnits, want)
	}

	// What gets more rounds is selected by its whole name.
	for _, name := range []string{"Fine", "Subs/rows=10"} {
		s, _, err := benchmarks(t.Context(), binary, dir, "-test.bench="+exactly(name), "-test.benchtime=1x")
		if err != nil {
			t.Fatal(err)
		}
		if len(s.results) != 1 || s.results[0].name != name {
			t.Errorf("%s selects %+v, want %s alone", exactly(name), s.results, name)
		}
	}

	// A pattern for sub-benchmarks starts parents that have none: no gap.
	_, p = compare(t, target, Options{Count: 1, Benchtime: "1x", Bench: "Skip|Fine/rows"})
	if names := p.NotCompared; len(names) != 1 || names[0].Name != "Skip" {
		t.Errorf("got not compared %q, want only Skip", names)
	}
	_, p = compare(t, target, Options{Count: 1, Benchtime: "1x", Bench: "./rows"})
	if len(p.Benchmarks) != 1 || len(p.NotCompared) != 0 {
		t.Errorf("got %+v, want only Subs/rows=10", p)
	}
}
