package measure

import (
	"math"
	"strings"
	"testing"
)

func TestRatioIsCgoOverWherry(t *testing.T) {
	var pairs []pair
	for _, ns := range []float64{300, 200, 100, 600, 500, 400} {
		pairs = append(pairs, pair{{ns: ns * 3}, {ns: ns}})
	}
	b := summarize("x", pairs, firstLook)
	if b.CgoNS != 1050 || b.NS != 350 || b.Ratio != 3 {
		t.Errorf("got %+v, want medians 1050 and 350, ratio 3", b)
	}
	if b.Samples.Cgo[0] != 900 || b.Samples.NS[5] != 400 {
		t.Errorf("got samples %+v, want them in the order of the rounds", b.Samples)
	}
}

func TestTooFewRounds(t *testing.T) {
	for rounds := 1; rounds <= 6; rounds++ {
		var pairs []pair
		for range rounds {
			pairs = append(pairs, pair{{ns: 3}, {ns: 1}})
		}
		b := summarize("x", pairs, firstLook)
		switch {
		case b.Ratio != 3:
			t.Errorf("%d rounds: got ratio %v, want 3", rounds, b.Ratio)
		case rounds == 6 && (!b.CI.Finite() || b.Verdict != Unclear || len(b.Warnings) != 1 ||
			!strings.Contains(b.Warnings[0], "a verdict needs 10 rounds; there are 6")):
			t.Errorf("6 rounds: got %+v, want an interval, no verdict and a warning", b)
		case rounds < 6 && (b.CI.Finite() || b.Verdict != NoDifference):
			t.Errorf("%d rounds: got %+v, want no interval and no verdict", rounds, b)
		case rounds < 6 && (len(b.Warnings) != 1 || !strings.Contains(b.Warnings[0], "an interval needs 6 rounds")):
			t.Errorf("%d rounds: got warnings %q, want that an interval needs more", rounds, b.Warnings)
		}
	}
}

// The probabilities are those of tables of Wilcoxon's test.
// up returns ratios above 1, but for the smallest steps.
func up(n, down int) (ratios []float64) {
	for i := range n {
		ratios = append(ratios, 1+float64(i+1)/100)
		if i < down {
			ratios[i] = 1 / ratios[i]
		}
	}
	return ratios
}

func TestSignedRank(t *testing.T) {
	for _, c := range []struct {
		ratios []float64
		p      float64
	}{
		{up(10, 0), 2.0 / 1024},
		{up(10, 1), 4.0 / 1024},
		{up(10, 2), 10.0 / 1024}, // sums up to 3: none, 1, 2, 3, 1+2
		{up(5, 5), 2.0 / 32},
		{[]float64{1, 1}, 1},
		{[]float64{2, 0.5}, 1},
		{[]float64{2, 2, 2, 2, 0.5}, 12.0 / 32}, // all ranks are 3
		{[]float64{1, 2, 4, 8}, 4.0 / 16},       // the first is on both sides
		{nil, 1},
	} {
		if p := signedRank(c.ratios); math.Abs(p-c.p) > 1e-12 {
			t.Errorf("%v: got %v, want %v", c.ratios, p, c.p)
		}
	}
}

// A verdict never contradicts the interval beside it.
func TestVerdictFollowsInterval(t *testing.T) {
	above, below, apart := up(10, 0), []float64{.9, .8, .7, .6, .5, .4, .3, .2, .1, .95}, up(10, 1)
	for _, test := range []struct {
		ci     Interval
		ratios []float64
		want   Verdict
	}{
		{Interval{1.1, 1.2}, above, Faster},
		{Interval{0.8, 0.9}, below, Slower},
		{Interval{0.99, 1.2}, above, NoDifference}, // however certain the ranks are
		{Interval{0.8, 1}, below, NoDifference},
		{Interval{1.01, 1.2}, apart, Unclear}, // however far from 1
		{Interval{0.8, 0.99}, apart, Unclear},
		{infinite, above, NoDifference},
	} {
		if got := verdict(test.ci, test.ratios, firstLook); got != test.want {
			t.Errorf("%v, %v: got %s, want %s", test.ci, test.ratios, got, test.want)
		}
	}
}

func TestChangedAllocations(t *testing.T) {
	build := func(before, after []float64, known bool) []pair {
		var pairs []pair
		for i := range before {
			pairs = append(pairs, pair{{allocs: before[i], hasMemory: known}, {allocs: after[i], hasMemory: known}})
		}
		return pairs
	}
	for _, c := range []struct {
		name   string
		pairs  []pair
		before float64
		after  float64
		shown  bool
	}{
		{"constant and different", build([]float64{1, 1, 1, 1}, []float64{0, 0, 0, 0}, true), 1, 0, true},
		{"too few rounds", build([]float64{1, 1, 1}, []float64{0, 0, 0}, true), 0, 0, false},
		{"the same", build([]float64{2, 2}, []float64{2, 2}, true), 0, 0, false},
		{"unknown", build([]float64{1, 1, 1, 1}, []float64{0, 0, 0, 0}, false), 0, 0, false},
		{"varying alike", build([]float64{1, 2, 3, 4, 5, 6}, []float64{2, 1, 4, 3, 6, 6}, true), 0, 0, false},
		{"apart with the same median", build([]float64{1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2}, []float64{2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3}, true), 0, 0,
			false},
		{"varying and apart", build([]float64{11, 12, 13, 14, 15, 16, 17}, []float64{1, 2, 3, 4, 5, 6, 7}, true), 14, 4, true},
		{"varying and hardly apart", build([]float64{11, 12, 13, 14, 15, 16}, []float64{1, 2, 3, 4, 5, 12}, true), 0, 0, false},
	} {
		before, after := changed(c.pairs, func(m measurement) float64 { return m.allocs })
		switch {
		case (before != nil) != c.shown || (after != nil) != c.shown:
			t.Errorf("%s: got shown %v, want %v", c.name, before != nil, c.shown)
		case c.shown && (*before != c.before || *after != c.after):
			t.Errorf("%s: got %v -> %v, want %v -> %v", c.name, *before, *after, c.before, c.after)
		}
	}
}
