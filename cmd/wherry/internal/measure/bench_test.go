package measure

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// fakeBenching has rounds whose times all double halfway, as on a machine that
// becomes busy: medians are useless, ratios within rounds are not.
func fakeBenching(noise Noise) *Result {
	var b benching
	b.ways = [][]*way{nil}
	for _, l := range []struct {
		bench, variant string
		ns             map[int]float64
	}{
		{"call/add", "cgo", map[int]float64{1: 30, 2: 30}}, {"call/add", "fast", map[int]float64{1: 3, 2: 6}},
		{"handoff", "locked", map[int]float64{1: 300}}, {"landmark/mutex", "go", map[int]float64{1: 10}},
	} {
		w := &way{l.bench, l.variant, "", map[sampleKey]measurement{}}
		b.ways[0] = append(b.ways[0], w)
		for procs, ns := range l.ns {
			for round := range 20 {
				if round == 9 {
					ns *= 2
				}
				w.samples[sampleKey{procs, round}] = measurement{ns: ns}
			}
		}
	}
	b.summarize([]Build{{Go: "go1.26.8"}}, noise)
	return &b.result
}

func (r *Result) find(bench, variant string, procs int) *Benchmark {
	for _, row := range r.rows() {
		if row.Name == bench && row.Variant == variant && row.Procs == procs {
			return row.Benchmark
		}
	}
	return nil
}

func TestRatiosAreWithinRounds(t *testing.T) {
	r := fakeBenching(Noise{})
	for _, test := range []struct {
		bench, variant string
		procs          int
		ratio, scaling float64
	}{
		{"call/add", "cgo", 1, 1, 1},
		{"call/add", "fast", 1, 10, 1},
		{"call/add", "cgo", 2, 1, 2},
		{"call/add", "fast", 2, 5, 1},
		{"handoff", "locked", 1, 0.1, 1}, // to call/add's cgo
		{"landmark/mutex", "go", 1, 3, 1},
	} {
		row := r.find(test.bench, test.variant, test.procs)
		if math.Abs(row.Ratio-test.ratio) > 1e-9 || math.Abs(row.Scaling-test.scaling) > 1e-9 {
			t.Errorf("%+v: got ratio %v, scaling %v", test, row.Ratio, row.Scaling)
		}
		if row.CI.Lo != row.Ratio || row.CI.Hi != row.Ratio || row.NSCI.Lo >= row.NSCI.Hi {
			t.Errorf("%s/%s: intervals %v of the ratio, %v of the time", test.bench, test.variant, row.CI, row.NSCI)
		}
	}
	if got, want := r.find("call/add", "cgo", 2).Min, 30.0; got != want {
		t.Errorf("min: got %v, want %v", got, want)
	}
}

func TestNoiseIsTold(t *testing.T) {
	r := fakeBenching(Noise{Others: 1.04}) // whose rounds also vary by a factor of 2
	if !strings.Contains(r.Noisy, "1.0 processors busy") || !strings.Contains(r.Noisy, "100 % longer") {
		t.Fatalf("got %q", r.Noisy)
	}
	var text bytes.Buffer
	if err := r.WriteText(&text); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(text.String(), "warning: the machine was noisy: ") {
		t.Error(text.String())
	}
	if why := (Noise{Others: 0.1, Spread: 0.1}).Why(); why != "" {
		t.Errorf("a quiet machine is called noisy: %s", why)
	}
}

func TestMachineTime(t *testing.T) {
	if busy, ok := machineTime("testdata/stat"); !ok || busy.Seconds() != 1+2+4+16+32+64 {
		t.Errorf("got %v, %v", busy, ok)
	}
	if _, ok := machineTime("testdata/missing"); ok {
		t.Error("a missing file has a time")
	}
}

func TestLate(t *testing.T) {
	if o := (BenchOptions{}); o.late(time.Hour) {
		t.Error("without a limit nothing is late")
	}
	o := BenchOptions{Until: time.Now().Add(time.Minute)}
	if o.late(time.Second) || !o.late(time.Hour) {
		t.Error("of a minute's rest an hour is too much, a second is not")
	}
}

// benched measures fakes of the scenarios: the plain build and that by wherry.
func benched(t *testing.T, o BenchOptions, wherry bool) (*Result, Target, error) {
	t.Helper()
	target := fake(t, "bench")
	t.Chdir(target.Dir) // where the fakes count
	build := Build{Go: "go1.26.8", Plain: target.Plain}
	if wherry {
		build.Wherry = target.Wherry
	}
	o.CPU = "1,2"
	r, err := Bench(t.Context(), []Build{build}, o)
	return r, target, err
}

// What calls C is measured in both builds, under the name of what wherry makes of it; what keeps
// much memory has a process of its own, and not in all rounds; whatever is in the same round
// has a ratio, and -only leaves what matches and its reference.
func TestBenchChooses(t *testing.T) {
	const add = "call/add/go call/add/cgo call/add/fast call/add/bind"
	for only, want := range map[string]string{
		"":        add + " callback/1/cgo callback/1/reentrant handle/cycle/cgo landmark/memory/go",
		"bind":    "call/add/cgo call/add/bind",
		"memory":  "call/add/cgo landmark/memory/go",
		"handle/": "handle/cycle/cgo",
	} {
		r, target, err := benched(t, BenchOptions{Count: 9, Only: regexp.MustCompile(only)}, true)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, row := range r.rows() {
			if name := row.Name + "/" + row.Variant; row.Procs == 1 {
				got = append(got, name)
			}
			rounds := 9
			if row.Name == "landmark/memory" {
				rounds = 7
			}
			if row.Rounds != rounds || len(row.Samples.NS) != rounds || row.Verdict == "" || row.Scaling != 2 && row.Procs == 2 {
				t.Errorf("-only %q: %+v", only, row.Benchmark)
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("-only %q: got %q, want %q", only, got, want)
		}
		if only == "" {
			if b := r.find("call/add", "bind", 1); math.Abs(b.Ratio-10) > 1e-9 {
				t.Errorf("bind: %+v", b)
			}
			if n := len(calls(t, target)); n != 1+9+9+7 {
				t.Errorf("%d processes, want one to list, 18 for the builds and 7 alone", n)
			}
		}
	}
	r, _, err := benched(t, BenchOptions{Count: 1}, false)
	if err != nil || r.find("call/add", "fast", 1) != nil || r.find("call/add", "bind", 1) == nil {
		t.Errorf("without wherry: %v, %+v", err, r)
	}
	var text bytes.Buffer
	if err := r.WriteText(&text); err != nil || !strings.Contains(text.String(), "warning: go1.26.8: built without") ||
		!strings.Contains(text.String(), "warning: fewer than 6 rounds") {
		t.Errorf("without wherry: %v\n%s", err, text.String())
	}
}

// Nothing to measure and a wrong result are errors.
func TestBenchFails(t *testing.T) {
	if _, _, err := benched(t, BenchOptions{Count: 1, Only: regexp.MustCompile("nothing")}, true); err == nil ||
		!strings.Contains(err.Error(), "no scenario matches") {
		t.Errorf("got %v", err)
	}
	target := fake(t, "bench-wrong")
	t.Chdir(target.Dir)
	if _, err := Bench(t.Context(), []Build{{Plain: target.Plain}}, BenchOptions{Count: 1, CPU: "1"}); err == nil ||
		!strings.Contains(err.Error(), "wrong result") {
		t.Errorf("got %v", err)
	}
	if _, err := os.Stat(filepath.Join(target.Dir, callsFile)); err != nil {
		t.Error(err)
	}
}
