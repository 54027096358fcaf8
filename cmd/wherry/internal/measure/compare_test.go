package measure

import (
	"bytes"
	"context"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// compare runs Compare on one target and expects no error.
func compare(t *testing.T, target Target, options Options) (*Result, Package) {
	t.Helper()
	result, err := Compare(t.Context(), []Target{target}, options)
	if err != nil {
		t.Fatal(err)
	}
	return result, result.Packages[0]
}

// alternate is a coin that tells which variant a test will see first.
func alternate() func() bool {
	first := false
	return func() bool { first = !first; return first }
}

// wantError expects parts of an error, and of the package's own error.
func wantError(t *testing.T, result *Result, err error, parts ...string) {
	t.Helper()
	if err == nil {
		t.Fatalf("no error, want one with %q", parts)
	}
	for _, part := range parts {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("got error %q\nwithout %q", err, part)
		}
	}
	if !strings.HasPrefix(err.Error(), "measure: ") {
		t.Errorf("got error %q, want the prefix bench:", err)
	}
	if result == nil || len(result.Packages) == 0 {
		t.Fatal("the result does not hold the broken package")
	}
	own := result.Packages[0].Error
	if own == "" || !strings.Contains(err.Error(), own) {
		t.Errorf("got package error %q, want the end of %q", own, err)
	}
}

func TestKnownRatioDespiteDrift(t *testing.T) {
	target := fake(t, "twice")
	result, p := compare(t, target, Options{Tests: true})
	if result.CPU != "Imaginary CPU" || result.GOOS != "linux" || !strings.Contains(result.Go, "go1.") {
		t.Errorf("got machine %+v", result)
	}
	if len(p.Benchmarks) != 1 || p.Procs != 8 {
		t.Fatalf("got %+v, want one benchmark with 8 procs", p)
	}
	b := p.Benchmarks[0]
	if b.Name != "Sum/rows=10" || b.Ratio != 2 || b.CI != (Interval{2, 2}) || b.Verdict != Faster {
		t.Errorf("got %+v, want Sum/rows=10 with a ratio of exactly 2", b)
	}
	if len(b.Samples.Cgo) != DefaultCount || len(b.Warnings) != 0 {
		t.Errorf("got %d rounds and warnings %q, want %d and none", len(b.Samples.Cgo), b.Warnings, DefaultCount)
	}
}

func TestRoundsInterleave(t *testing.T) {
	target := fake(t, "twice")
	compare(t, target, Options{Tests: true, Count: 4, coin: alternate()})
	want := []string{
		"plain test", "wherry test",
		"plain bench", "wherry bench",
		"wherry bench", "plain bench",
		"plain bench", "wherry bench",
		"wherry bench", "plain bench",
	}
	if got := calls(t, target); !slices.Equal(got, want) {
		t.Errorf("got calls\n%q, want\n%q", got, want)
	}
}

// What the first rounds leave open is measured again, alone, and the report says so.
func TestMoreRounds(t *testing.T) {
	target := fake(t, "open")
	var log bytes.Buffer
	result, p := compare(t, target, Options{Log: &log})
	rounds := map[string]int{}
	for _, b := range p.Benchmarks {
		rounds[b.Name] = b.Rounds
		if b.Rounds != len(b.Samples.Cgo) || b.Rounds != len(b.Samples.NS) || len(b.Warnings) != 0 {
			t.Errorf("%s: %d rounds, %d and %d samples, warnings %q", b.Name, b.Rounds, len(b.Samples.Cgo), len(b.Samples.NS), b.Warnings)
		}
	}
	if want := map[string]int{"Clear": 10, "Same": 10, "Wide/a+b": 40, "Late": 20}; !maps.Equal(rounds, want) {
		t.Errorf("got rounds %v, want %v", rounds, want)
	}
	for name, want := range map[string]Verdict{"Clear": Faster, "Same": NoDifference, "Wide/a+b": NoDifference, "Late": Faster} {
		for _, b := range p.Benchmarks {
			if b.Name == name && b.Verdict != want {
				t.Errorf("%s: got %s (%v), want %s", name, b.Verdict, b.CI, want)
			}
		}
	}
	if got := calls(t, target); len(got) != 80 {
		t.Errorf("got %d processes, want 80", len(got))
	}
	const want = "example.com/open: measuring 10 x 2 runs\nexample.com/open: 10 more rounds where these leave it open: 2\nexample.com/open: " +
		"20 more rounds where these leave it open: 1\n"
	if log.String() != want {
		t.Errorf("got log\n%s, want\n%s", log.String(), want)
	}
	text := string(written(t, result.WriteText))
	if !strings.Contains(text, "no difference shown (40 rounds)") || !strings.Contains(text, "faster (20 rounds)") ||
		strings.Contains(text, "(10 rounds)") {
		t.Errorf("the report does not say how many rounds there were:\n%s", text)
	}
	// Who asks for a number of rounds gets that.
	target = fake(t, "open")
	if _, p := compare(t, target, Options{Count: 12}); p.Benchmarks[2].Rounds != 12 {
		t.Errorf("asked for 12 rounds, got %d", p.Benchmarks[2].Rounds)
	}
}

func TestChecksComeBeforeMeasuring(t *testing.T) {
	bad, good := fake(t, "fails-if-marked"), fake(t, "fails-if-marked")
	bad.Package, good.Package = "bad", "good"
	if err := os.WriteFile(filepath.Join(bad.Dir, "marked"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	var log bytes.Buffer
	result, err := Compare(t.Context(), []Target{good, bad, good}, Options{Tests: true, Count: 1, Log: &log})
	if err == nil || !strings.HasPrefix(err.Error(), "measure: bad: the tests fail") {
		t.Errorf("got error %v, want one about bad", err)
	}
	want := `good: testing without wherry
good: testing with wherry
bad: testing without wherry
good: testing without wherry
good: testing with wherry
good: measuring 1 x 2 runs
good: measuring 1 x 2 runs
`
	if log.String() != want {
		t.Errorf("got log\n%s, want\n%s", log.String(), want)
	}
	// One bad package does not spoil the others.
	if len(result.Packages) != 3 || result.Packages[1].Error == "" || len(result.Packages[2].Benchmarks) != 1 {
		t.Errorf("got %+v, want all three packages, the second with an error", result.Packages)
	}
}

func TestFailingTests(t *testing.T) {
	for name, part := range map[string]string{
		"fails-both":   "the tests fail without wherry too (exit status 1)",
		"fails-wherry": "the tests pass without wherry and fail with it (exit status 1)",
	} {
		t.Run(name, func(t *testing.T) {
			target := fake(t, name)
			result, err := Compare(t.Context(), []Target{target}, Options{Tests: true, Count: 1})
			wantError(t, result, err, part, "\n\t...\n\tnoise\n", "\n\t    sum_test.go:7: got 3, want 4")
			if n := len(err.Error()); n > 2*shownOutput {
				t.Errorf("the error has %d bytes, want at most the output's tail", n)
			}
			if slices.Contains(calls(t, target), "plain bench") {
				t.Error("it was measured nevertheless")
			}
		})
	}
}

func TestRunSelectsTests(t *testing.T) {
	target := fake(t, "runs")
	compare(t, target, Options{Tests: true, Run: "TestSum$", Count: 1})
}

func TestTestsOnlyIfAsked(t *testing.T) {
	target := fake(t, "fails-both")
	compare(t, target, Options{Count: 1})
}

func TestCrashWhileMeasuring(t *testing.T) {
	target := fake(t, "crash")
	result, err := Compare(t.Context(), []Target{target}, Options{Count: 3})
	wantError(t, result, err, "the benchmarks end with exit status 2 in round 2 with wherry",
		"\n\tSIGSEGV: segmentation violation\n\tPC=0x1 m=0 sigcode=1\n\t\n\tgoroutine 7 gp=0x1 [syscall]:\n\tmain.culprit()\n\t...")
	if strings.Contains(err.Error(), "innocent") {
		t.Errorf("the error shows other goroutines:\n%v", err)
	}
}

func TestMissingBenchmarks(t *testing.T) {
	target := fake(t, "missing")
	result, err := Compare(t.Context(), []Target{target}, Options{Count: 3, coin: alternate()})
	wantError(t, result, err, "give no result only with wherry: Gone, Sub/bad, Whole;")
	p := result.Packages[0]
	var names []string
	for _, b := range p.Benchmarks {
		names = append(names, b.Name)
	}
	if want := []string{"Fine", "Sub/good", "Whole/part", "Partly"}; !slices.Equal(names, want) {
		t.Errorf("got benchmarks %q, want %q", names, want)
	}
	partly := p.Benchmarks[3].Warnings
	if want := "1 of 3 rounds are incomplete and left out: without wherry: ran in 2 rounds; with wherry: ran"; !slices.Contains(partly, want) {
		t.Errorf("got warnings %q, want %q", partly, want)
	}
	want := []NotCompared{
		{"Gone", "without wherry: ran; with wherry: gave no result"},
		{"Sub/bad", "without wherry: ran; with wherry: failed: sub_test.go:9: note; sub_test.go:10: wrong sum"},
		{"Sometimes", "without wherry: gave no result; with wherry: ran in 2 rounds"},
		{"Whole", "without wherry: gave no result; with wherry: failed"},
		{"Skipped", "without wherry: gave no result; with wherry: skipped: x_test.go:3: no database"},
	}
	if !slices.Equal(p.NotCompared, want) {
		t.Errorf("got\n%q, want\n%q", p.NotCompared, want)
	}
}

func TestNoBenchmark(t *testing.T) {
	target := fake(t, "empty")
	result, p := compare(t, target, Options{Bench: "Nothing"})
	if text := written(t, result.WriteJSON); bytes.Contains(text, []byte("null")) {
		t.Errorf("got %s, want empty lists and no null", text)
	}
	if want := []string{`no benchmark matches "Nothing"`}; !slices.Equal(p.Warnings, want) {
		t.Errorf("got warnings %q, want %q", p.Warnings, want)
	}
	if got := calls(t, target); len(got) != 2 {
		t.Errorf("got calls %q, want only one round", got)
	}
}

func TestNoTarget(t *testing.T) {
	result, err := Compare(t.Context(), nil, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := string(written(t, result.WriteJSON)), `{"go":"","cpu":"","packages":[]}`+"\n"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestTimeOfZero(t *testing.T) {
	target := fake(t, "zero")
	_, p := compare(t, target, Options{Count: 3})
	want := []NotCompared{{"Never", "took no measurable time in 3 of 3 rounds"}, {"Once", "took no measurable time in 1 of 3 rounds"}}
	if !slices.Equal(p.NotCompared, want) || len(p.Benchmarks) != 0 {
		t.Errorf("got %q and %+v, want %q", p.NotCompared, p.Benchmarks, want)
	}
}

func TestSeveralProcs(t *testing.T) {
	target := fake(t, "procs")
	_, p := compare(t, target, Options{Count: 1, CPU: "1,4"})
	var names []string
	for _, b := range p.Benchmarks {
		names = append(names, b.Name)
	}
	if want := []string{"Sum", "Sum-4", "Rows-2", "Rows-2-4"}; !slices.Equal(names, want) || p.Procs != 0 {
		t.Errorf("got %q with procs %d, want %q with 0", names, p.Procs, want)
	}
}

func TestOptions(t *testing.T) {
	for _, c := range []struct {
		options Options
		want    string
	}{
		{Options{Count: -1}, "the count of rounds is -1; give at least 1"},
		{Options{Bench: "Sum/("}, `-bench "Sum/(": error parsing regexp`},
	} {
		if _, err := Compare(t.Context(), nil, c.options); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("got error %v, want %q", err, c.want)
		}
	}
	c := comparison{Options: Options{Benchtime: "5x", CPU: "1,2"}}
	for _, arg := range []string{"-test.bench=B/x", "-test.benchtime=5x", "-test.cpu=1,2", "-test.benchmem"} {
		if args := c.arguments("B/x"); !slices.Contains(args, arg) {
			t.Errorf("got arguments %q without %s", args, arg)
		}
	}
}

func TestCancelledBeforeStart(t *testing.T) {
	target := fake(t, "twice")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	result, err := Compare(ctx, []Target{target}, Options{Tests: true})
	if err == nil || !strings.Contains(err.Error(), "measure: interrupted: context canceled") || len(result.Packages) != 0 {
		t.Errorf("got %+v and error %v", result, err)
	}
}

// What an interrupted comparison has measured is not lost: the complete rounds are shown.
func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	processes := 0
	result, err := Compare(ctx, []Target{fake(t, "twice")}, Options{Count: 10, Raw: writer(func() {
		if processes++; processes == 5 { // the first of the third round
			cancel()
		}
	})})
	if !errors.Is(err, context.Canceled) || len(result.Packages) != 1 {
		t.Fatalf("got %+v and error %v", result, err)
	}
	p := result.Packages[0]
	if !slices.Equal(p.Warnings, []string{"interrupted after 2 rounds"}) || len(p.Benchmarks) != 1 || p.Benchmarks[0].Rounds != 2 ||
		p.Benchmarks[0].Ratio != 2 {
		t.Errorf("got %+v, want two rounds", p)
	}
}

// A writer calls a func in the place of writing.
type writer func()

func (w writer) Write(p []byte) (int, error) { w(); return len(p), nil }

func TestNotGoExecutable(t *testing.T) {
	target := fake(t, "twice")
	target.Plain = "compare_test.go"
	result, err := Compare(t.Context(), []Target{target}, Options{})
	wantError(t, result, err, "the executable is not one of Go")
}

func TestRawLinesAreInTheBenchmarkFormat(t *testing.T) {
	var raw, log bytes.Buffer
	target := fake(t, "twice")
	compare(t, target, Options{Count: 2, Tests: true, Raw: &raw, Log: &log, Progress: &log})
	text := raw.String()
	for _, want := range []string{
		"variant: cgo\nround: 1\npkg: example.com/twice\ngoos: linux\n",
		"cpu: Imaginary CPU\nBenchmarkSum/rows=10-8 \t 100\t 1000 ns/op\t 16 B/op\t 1 allocs/op\n",
		"variant: wherry\nround: 2\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("got\n%s\nwithout\n%s", text, want)
		}
	}
	if n := strings.Count(text, "ns/op"); n != 4 {
		t.Errorf("got %d results, want 4", n)
	}
	want := "example.com/twice: testing without wherry\nexample.com/twice: testing with wherry\nexample.com/twice: measuring 2 x 2 runs\n"
	if log.String() != want {
		t.Errorf("got log\n%s, want\n%s", log.String(), want)
	}
}
