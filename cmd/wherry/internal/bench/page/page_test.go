package page

import (
	"encoding/xml"
	"io"
	"math"
	"regexp"
	"strings"
	"testing"
)

func samplePage() *Page {
	row := func(name string, kind Kind, ratio, lo, hi float64) Row {
		return Row{Name: name, Dots: []Dot{{At: ratio, Kind: kind}}, Line: Line{lo, hi, kind}, Cells: []Cell{{"2.0", kind}}}
	}
	return &Page{
		Title: "wherry <compare>", Machine: "go1.26.8", Tally: "1 faster", Warnings: []string{"noise"},
		Sections: []Section{{Title: "ratios", Plots: []Plot{{Title: "p", Ratios: true, Label: Ratio, Rows: []Row{
			row("Sum/a_b=<1>", Faster, 2, 1.9, 2.1),
			row("Slow", Slower, 0.5, 0.4, 0.6),
			row("Few", "", 1.1, math.Inf(-1), math.Inf(1)),
			row("Equal", "", 1, 1, 1),
		}}}}, {
			Title: "example.com/p", Error: "the tests fail", Hint: "how",
			Table:   Table{Columns: []string{"benchmark", "verdict"}, Parts: []Part{{Rows: []TableRow{{Faster, []string{"Sum", "faster"}}}}}},
			Lists:   []List{{"Allocations", []Entry{{"Sum", "1 -> 0 allocs/op"}}}, {"Warnings", []Entry{{"", "a warning"}}}, {Title: "None"}},
			Figures: []Plot{{Title: "Sum", Label: Time, Rows: []Row{{Name: "cgo", Dots: Dots([]float64{7, 7, 7}, Cgo)}}}}, Caption: "All",
			Groups: []Groups{{"Accelerated", []Group{{"fast", []string{"f", "g"}}}}, {Title: "Kept"}},
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

// Every variable of page.css exists in light and dark.
func TestColoursFollowTheScheme(t *testing.T) {
	text := written(t, samplePage())
	light, dark, _ := strings.Cut(text, "@media (prefers-color-scheme: dark)")
	dark, _, _ = strings.Cut(dark, "\n}")
	for _, use := range regexp.MustCompile(`var\((--[a-z-]+)\)`).FindAllStringSubmatch(text, -1) {
		if !strings.Contains(light, use[1]+":") || !strings.Contains(dark, use[1]+":") {
			t.Errorf("%s is not set for both light and dark", use[1])
		}
	}
}

func TestPlots(t *testing.T) {
	text := written(t, samplePage())
	plots := regexp.MustCompile(`(?s)<svg .*?</svg>`).FindAllString(text, -1)
	if want := 4 + 1 + 1 + 1; len(plots) != want { // strips and their axes
		t.Fatalf("got %d plots, want %d", len(plots), want)
	}
	for _, plot := range plots {
		for decoder := xml.NewDecoder(strings.NewReader(plot)); ; {
			if _, err := decoder.Token(); err == io.EOF {
				break
			} else if err != nil {
				t.Fatalf("%v in\n%s", err, plot)
			}
		}
		if strings.Contains(plot, "NaN") || strings.Contains(plot, "Inf") {
			t.Errorf("not a number in\n%s", plot)
		}
	}
	for i, want := range []string{`<path class="faster" d="M`, `<path class="slower" d="M`, `stroke-dasharray="2 4" d="M0 11H480"`} {
		if !strings.Contains(plots[i], want) || strings.Contains(plots[(i+1)%3], want) {
			t.Errorf("%s must be in strip %d alone:\n%s", want, i, plots[i])
		}
	}
	if got := strings.Count(plots[5], "<circle"); got != 3 || strings.Contains(plots[5], `class="one"`) {
		t.Errorf("want three dots of three values, and no line at 1:\n%s", plots[5])
	}
}

// Labels must not touch each other nor the edge, and 1 is inside an axis of ratios.
func TestAxis(t *testing.T) {
	for span := 1.0; span < 1e7; span *= 1.17 {
		a := newAxis(Plot{Ratios: true, Label: Ratio, Rows: []Row{{Dots: []Dot{{At: 1 / math.Sqrt(span)}, {At: span}}}}})
		end, labels := 0.0, 0
		for _, tick := range a.Ticks {
			if tick.Label == "" {
				continue
			}
			labels++
			half := float64(len(tick.Label)) * labelWidth / 2
			if tick.At-half < end {
				t.Errorf("span %v: label %s begins at %v, where the one before ends at %v", span, tick.Label, tick.At-half, end)
			}
			end = tick.At + half
		}
		if end > stripWidth || labels < 3 || len(a.Ticks) > 12 || a.One <= 0 || a.One >= stripWidth {
			t.Errorf("span %v: got %d labels up to %v, want at least 3 up to %v: %+v", span, labels, end, stripWidth, a)
		}
	}
	equal := []Row{{Dots: Dots([]float64{5, 5}, Cgo)}}
	if a := newAxis(Plot{Label: Time, Rows: equal}); a.max < 1.05*a.min || a.X(5) < 0 || a.X(5) > stripWidth {
		t.Errorf("equal values: got %+v", a)
	}
}

func TestTextIsEscaped(t *testing.T) {
	text := written(t, samplePage())
	for _, want := range []string{"wherry &lt;compare&gt;", "Sum/<wbr>a_<wbr>b=<wbr>&lt;1&gt;", "<pre class=\"error\">the tests fail</pre>",
		"<code>f</code>, <code>g</code></p>", "<li><b>Sum</b>: 1 -&gt; 0 allocs/op</li>", "<li>a warning</li>"} {
		if !strings.Contains(text, want) {
			t.Errorf("the page does not have %s", want)
		}
	}
	for _, empty := range []string{"None", "Kept"} {
		if strings.Contains(text, empty) {
			t.Errorf("%s is empty, but on the page", empty)
		}
	}
}
