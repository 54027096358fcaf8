package latency

import (
	"bytes"
	"math"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/wherrygo/wherry/internal/measure/probe"
)

// fakeReport has rounds whose times all double halfway, as on a machine that
// becomes busy: medians are useless, ratios within rounds are not.
func fakeReport(noise Noise) *Report {
	programs := []Program{{Go: "go1.26.8"}}
	r := newReport(programs)
	for _, l := range []struct {
		bench, variant string
		procs          int
		ns             float64
	}{
		{"call/add", "cgo", 1, 30}, {"call/add", "fast", 1, 3},
		{"call/add", "cgo", 2, 30}, {"call/add", "fast", 2, 6},
		{"handoff", "locked", 1, 300}, {"landmark/mutex", "go", 1, 10},
	} {
		if l.procs == 1 {
			r.listed = append(r.listed, listing{&r.programs[0], probe.Listing{Bench: l.bench, Variant: l.variant, What: "what " + l.bench}})
		}
		for round := range 20 {
			ns := l.ns
			if round >= 9 {
				ns *= 2
			}
			r.put(&r.programs[0], "", probe.Sample{Bench: l.bench, Variant: l.variant, Procs: l.procs, Round: round, NS: ns})
		}
	}
	r.summarize(noise)
	return r
}

func (r *Report) row(bench, variant string, procs int) *Row {
	for _, row := range r.Rows {
		if row.Bench == bench && row.Variant == variant && row.Procs == procs {
			return row
		}
	}
	return nil
}

func TestRatiosAreWithinRounds(t *testing.T) {
	r := fakeReport(Noise{})
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
		row := r.row(test.bench, test.variant, test.procs)
		if math.Abs(row.Ratio-test.ratio) > 1e-9 || math.Abs(row.Scaling-test.scaling) > 1e-9 {
			t.Errorf("%s/%s %d: ratio %v, scaling %v; want %v, %v", test.bench, test.variant, test.procs, row.Ratio, row.Scaling,
				test.ratio, test.scaling)
		}
		if *row.RatioLo != row.Ratio || *row.RatioHi != row.Ratio || *row.Lo >= *row.Hi {
			t.Errorf("%s/%s: intervals [%v %v] of the ratio, [%v %v] of the time", test.bench, test.variant, *row.RatioLo,
				*row.RatioHi, *row.Lo, *row.Hi)
		}
	}
	if got, want := r.row("call/add", "cgo", 2).Min, 30.0; got != want {
		t.Errorf("min: got %v, want %v", got, want)
	}
}

func TestNoiseIsTold(t *testing.T) {
	r := fakeReport(Noise{Others: 1.04}) // whose rounds also vary by a factor of 2
	for _, row := range r.Rows {
		if !strings.Contains(row.Noisy, "1.0 processors busy") || !strings.Contains(row.Noisy, "100 % longer") {
			t.Fatalf("got %q", row.Noisy)
		}
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
	if why := (Noise{Others: -1}).Why(); why != "" {
		t.Errorf("an unknown machine is called noisy: %s", why)
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
	if o := (Options{}); o.late(time.Hour) {
		t.Error("without a limit nothing is late")
	}
	o := Options{Until: time.Now().Add(time.Minute)}
	if o.late(time.Second) || !o.late(time.Hour) {
		t.Error("of a minute's rest an hour is too much, a second is not")
	}
}

// A rival's ratio is to the cgo of its own processes, which is not shown twice.
func TestRivalsHaveAReference(t *testing.T) {
	programs := []Program{{Go: "go1.26.8"}, {Go: "go1.26.8"}}
	r := newReport(programs)
	own, rivals := &r.programs[0], &r.programs[1]
	all := []listing{
		{own, probe.Listing{Bench: "call/add", Variant: "cgo"}},
		{own, probe.Listing{Bench: "landmark/memory", Variant: "go", Alone: "memory"}},
		{rivals, probe.Listing{Bench: "call/add", Variant: "cgo"}},
		{rivals, probe.Listing{Bench: "call/add", Variant: "purego"}},
	}
	for only, want := range map[string]string{
		"":       "call/add/cgo; landmark/memory/go call/add/cgo; call/add/cgo call/add/purego",
		"purego": "call/add/cgo; call/add/cgo call/add/purego",
		"memory": "call/add/cgo; landmark/memory/go call/add/cgo",
	} {
		r.listed = nil
		var got []string
		for _, b := range r.choose(all, regexp.MustCompile(only)) {
			got = append(got, strings.Join(b.names, " "))
		}
		if strings.Join(got, "; ") != want {
			t.Errorf("-only %q: got %q, want %q", only, got, want)
		}
	}
	r.choose(all, nil)
	for range 2 {
		r.put(own, "", probe.Sample{Bench: "call/add", Variant: "cgo", Procs: 1, NS: 30})
		r.put(rivals, "", probe.Sample{Bench: "call/add", Variant: "cgo", Procs: 1, NS: 60}) // a slower process
		r.put(rivals, "", probe.Sample{Bench: "call/add", Variant: "purego", Procs: 1, NS: 600})
	}
	r.listed = nil
	r.choose(all, nil)
	r.summarize(Noise{})
	if len(r.Rows) != 2 || math.Abs(r.row("call/add", "purego", 1).Ratio-0.1) > 1e-9 || r.row("call/add", "cgo", 1).NS != 30 {
		t.Errorf("got %d rows, purego's ratio %v", len(r.Rows), r.row("call/add", "purego", 1).Ratio)
	}
}
