package page

import (
	"encoding/xml"
	"io"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

func samplePage() *Page {
	row := func(name string, outcome Outcome, ratio [3]float64, values ...float64) Row { // with its interval
		return Row{
			Cells:   []string{name, "2 us", "1 us", "2.000", "1.9 to 2.1", string(outcome)},
			Outcome: outcome, Ratio: ratio[0], Lo: ratio[1], Hi: ratio[2],
			Cgo: values, Wherry: values, Unit: "us",
		}
	}
	return &Page{
		Title: "wherry <compare>", Machine: "go1.26.8", Tally: "1 faster",
		Columns: []string{"benchmark", "cgo", "wherry", "ratio", "95 % interval", "verdict"},
		Packages: []Package{{
			Name: "example.com/p",
			Rows: []Row{
				row("Sum/a_b=<1>", Faster, [3]float64{2, 1.9, 2.1}, 1, 2, 3, 4, 5, 6),
				row("Slow", Slower, [3]float64{0.5, 0.4, 0.6}, 1, 2, 3, 4, 5, 60),
				row("Few", Neither, [3]float64{1.1, math.Inf(-1), math.Inf(1)}, 1, 2),
				row("Equal", Neither, [3]float64{1, 1, 1}, 7, 7, 7, 7, 7, 7),
				row("One", Neither, [3]float64{1, math.Inf(-1), math.Inf(1)}, 0.001),
			},
			Changes:     []Entry{{"Sum", "1 -> 0 allocs/op"}},
			NotCompared: []Entry{{"Gone", "skipped"}},
			Notes:       []string{"a warning"},
			Accelerated: []Group{{"fast", []string{"f", "g"}}},
			Kept:        []Group{{"may block", []string{"h"}}},
		}, {
			Name:  "example.com/broken",
			Error: "the tests fail",
		}},
	}
}

func written(t *testing.T, p *Page) string {
	t.Helper()
	var b strings.Builder
	if err := Write(&b, p); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// The page must not ask the network for anything, nor run anything.
func TestPageStandsAlone(t *testing.T) {
	text := written(t, samplePage())
	for _, forbidden := range []string{"<script", "<link", "<img", "<iframe", "@import", "url(", "src=", "href=", "http:", "https:"} {
		if strings.Contains(text, forbidden) {
			t.Errorf("the page has %s", forbidden)
		}
	}
	if !strings.Contains(text, `content="default-src 'none'; style-src 'unsafe-inline'"`) {
		t.Error("the page does not forbid its browser to load anything")
	}
}

// Colours that stand for a variable of page.css must all be replaced, and
// every variable must exist in light and dark.
func TestColoursFollowTheScheme(t *testing.T) {
	text := written(t, samplePage())
	if left := regexp.MustCompile(`#0[0-9]0[0-9]0[0-9]\b`).FindString(text); left != "" {
		t.Errorf("the colour %s is not replaced", left)
	}
	light, dark, _ := strings.Cut(style, "@media (prefers-color-scheme: dark)")
	dark, _, _ = strings.Cut(dark, "\n}")
	for _, use := range regexp.MustCompile(`var\((--[a-z-]+)\)`).FindAllStringSubmatch(text, -1) {
		if !strings.Contains(light, use[1]+":") || !strings.Contains(dark, use[1]+":") {
			t.Errorf("%s is not set for both light and dark", use[1])
		}
	}
	// Black is what vgsvg leaves out, so it would stay black in the dark.
	for _, element := range regexp.MustCompile(`(?s)<(?:path|text)[^>]*>`).FindAllString(text, -1) {
		if !strings.Contains(element, "var(--") {
			t.Errorf("%s has no colour", element)
		}
	}
}

func TestPlots(t *testing.T) {
	text := written(t, samplePage())
	plots := regexp.MustCompile(`(?s)<svg .*?</svg>`).FindAllString(text, -1)
	if want := 5 + 1 + 5; len(plots) != want { // strips, their axis, spreads
		t.Fatalf("got %d plots, want %d", len(plots), want)
	}
	for _, plot := range plots {
		decoder := xml.NewDecoder(strings.NewReader(plot))
		for {
			if _, err := decoder.Token(); err == io.EOF {
				break
			} else if err != nil {
				t.Fatalf("%v in\n%s", err, plot)
			}
		}
		if strings.Contains(plot, "NaN") || strings.Contains(plot, "Inf") {
			t.Errorf("not a number in\n%s", plot)
		}
		if strings.Contains(plot, "font-family") || strings.Contains(plot, " width=") {
			t.Errorf("the plot does not leave its font and size to the page:\n%s", plot[:300])
		}
	}
	if !strings.Contains(plots[2], "stroke-dasharray:2,4") || strings.Contains(plots[0], "stroke-dasharray:2,4") {
		t.Error("the unknown interval must be dashed, and no other")
	}
	if !strings.Contains(plots[0], "var(--good)") || !strings.Contains(plots[1], "var(--bad)") {
		t.Error("faster and slower do not have their colours")
	}
	if !strings.Contains(plots[6], "var(--cgo-soft)") || strings.Contains(plots[8], "var(--cgo-soft)") {
		t.Error("six values must have a box, two must not")
	}
}

// Labels are enlarged by a third on a narrow screen, to the right of where they
// begin, and must not touch each other nor the edge.
func TestAxisLabelsKeepApart(t *testing.T) {
	label := regexp.MustCompile(`(?s)<text x="([^"]*)"[^>]*>([^<]*)<`)
	for span := 1.0; span < 1e7; span *= 1.17 {
		a := newAxis([]float64{1 / math.Sqrt(span), span})
		plot, err := a.draw(20, &axisLabels{a})
		if err != nil {
			t.Fatal(err)
		}
		end := 0.0
		labels := label.FindAllStringSubmatch(string(plot), -1)
		for _, l := range labels {
			x, err := strconv.ParseFloat(l[1], 64)
			if err != nil || x < end {
				t.Errorf("span %v: label %s begins at %s, where the one before ends at %v", span, l[2], l[1], end)
			}
			end = x + 4./3*textStyle().Width(l[2]).Points()
		}
		if end > stripWidth || len(labels) < 3 {
			t.Errorf("span %v: got %d labels up to %v, want at least 3 up to %v", span, len(labels), end, stripWidth)
		}
	}
}

func TestSpreadOfOneValueHasNoNegativeTime(t *testing.T) {
	plot, err := spread(&Row{Cgo: []float64{0.001}, Wherry: []float64{0.001}, Unit: "ns"})
	if err != nil || regexp.MustCompile(`>[-−]`).MatchString(string(plot)) {
		t.Errorf("got error %v and\n%s", err, plot)
	}
}

func TestTextIsEscaped(t *testing.T) {
	text := written(t, samplePage())
	for _, want := range []string{"wherry &lt;compare&gt;", "Sum/<wbr>a_<wbr>b=<wbr>&lt;1&gt;", "<pre class=\"error\">the tests fail</pre>",
		"<code>f</code>, <code>g</code></p>"} {
		if !strings.Contains(text, want) {
			t.Errorf("the page does not have %s", want)
		}
	}
}

func TestSamePageTwice(t *testing.T) {
	first, second := written(t, samplePage()), written(t, samplePage())
	if first != second {
		t.Error("the same data give two pages")
	}
}

func TestAxis(t *testing.T) {
	for _, c := range []struct {
		values []float64
		ticks  []float64
	}{
		{nil, []float64{0.8, 0.9, 1, 1.2}},
		{[]float64{math.Inf(-1), math.Inf(1), 1.1}, []float64{0.8, 0.9, 1, 1.2}},
		{[]float64{0.95, 2.2}, []float64{0.8, 1, 1.4, 2}},
		{[]float64{16.9}, []float64{1, 2, 5, 10}},
		{[]float64{0.001, 1000}, []float64{0.001, 0.01, 0.1, 1, 10, 100, 1000}},
	} {
		a := newAxis(c.values)
		if a.min >= 0.8 || a.max <= 1.25 || !slices.Contains(a.ticks, 1) {
			t.Errorf("%v: got %+v, want 1 inside", c.values, a)
		}
		for _, v := range c.values {
			if !math.IsInf(v, 0) && (v <= a.min || v >= a.max) {
				t.Errorf("%v: got %+v, want %v inside", c.values, a, v)
			}
		}
		if len(a.ticks) > 12 {
			t.Errorf("%v: got %d ticks, want fewer", c.values, len(a.ticks))
		}
		var labels []string
		for _, tick := range a.ticks {
			labels = append(labels, tickLabel(tick))
		}
		for _, tick := range c.ticks {
			if !slices.Contains(labels, tickLabel(tick)) {
				t.Errorf("%v: got ticks %q, want %v among them", c.values, labels, tick)
			}
		}
	}
}
