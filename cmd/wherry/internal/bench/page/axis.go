package page

import (
	"io"
	"math"
	"strconv"
)

// An axis is a logarithmic axis of some width.
type axis struct {
	min, max, width float64
	Ticks           []tick
	One             float64 // where the line of ratios is, or 0
}

// A tick has a label where there is room for it.
type tick struct {
	X, At float64 // At is the middle of the label
	Label string
}

const (
	stripWidth = 480
	// labelWidth is the place that a letter of a label takes: page.css enlarges labels
	// on a narrow screen, where the whole strip shrinks.
	labelWidth = 7 * 1.5
	// fewestTicks is how many ticks an axis should have at least. The next finer
	// grid has about twice as many at most, for which there is room.
	fewestTicks = 4
)

// newAxis makes room for all finite values of a plot: for a tenth of the smallest at
// least, so that equal values do not look scattered, and for ratios from 0.8 to 1.25.
func newAxis(p Plot) axis {
	lo, hi := math.Inf(1), 0.0
	if p.Ratios {
		lo, hi = 0.8, 1.25
	}
	for _, r := range p.Rows {
		values := []float64{r.Line.From, r.Line.To}
		for _, d := range r.Dots {
			values = append(values, d.At)
		}
		for _, v := range values {
			if v > 0 && !math.IsInf(v, 0) {
				lo, hi = min(lo, v), max(hi, v)
			}
		}
	}
	hi = max(hi, 1.1*lo)
	margin := math.Pow(hi/lo, 0.04)
	a := axis{min: lo / margin, max: hi * margin, width: stripWidth}
	if p.Ratios {
		a.One = a.X(1)
	}
	free := 0.0 // where the next label may begin
	for _, v := range ticks(a.min, a.max) {
		t := tick{X: a.X(v)}
		text := p.Label(v)
		half := float64(len(text)) * labelWidth / 2
		t.At = max(half, min(a.width-half, t.X)) // stay inside at the ends
		if t.At-half >= free {
			t.Label, free = text, t.At+half
		}
		a.Ticks = append(a.Ticks, t)
	}
	return a
}

// X returns the place of a value.
func (a axis) X(v float64) float64 {
	return math.Round(10*a.width*math.Log(v/a.min)/math.Log(a.max/a.min)) / 10
}

// grids are the ticks of one decade, from coarse to fine.
var grids = [][]float64{
	{1},
	{1, 3},
	{1, 2, 5},
	{1, 1.5, 2, 3, 4, 5, 7},
	{1, 1.2, 1.4, 1.6, 1.8, 2, 2.5, 3, 4, 5, 6, 7, 8, 9},
	{1, 1.1, 1.2, 1.3, 1.4, 1.5, 1.6, 1.8, 2, 2.5, 3, 3.5, 4, 4.5, 5, 5.5, 6, 6.5, 7, 7.5, 8, 8.5, 9, 9.5},
}

func ticks(lo, hi float64) (found []float64) {
	for _, grid := range grids {
		found = found[:0]
		for decade := math.Floor(math.Log10(lo)); decade <= math.Log10(hi); decade++ {
			for _, step := range grid {
				if t := step * math.Pow(10, decade); t >= lo && t <= hi {
					found = append(found, t)
				}
			}
		}
		if len(found) >= fewestTicks {
			break
		}
	}
	return found
}

// Ratio is the label of a ratio.
func Ratio(v float64) string { return strconv.FormatFloat(v, 'g', 3, 64) }

// Time is the label of a time in nanoseconds.
func Time(ns float64) string {
	switch {
	case ns >= 1e9:
		return Ratio(ns/1e9) + " s"
	case ns >= 1e6:
		return Ratio(ns/1e6) + " ms"
	case ns >= 1e3:
		return Ratio(ns/1e3) + " us"
	}
	return Ratio(ns) + " ns"
}

// A picture is what its template sees.
type picture struct {
	axis
	Bars   []bar
	Bottom float64
}

type bar struct {
	Row
	X, Y float64
}

// WritePicture writes an image of its own, in SVG, with a bar for each row's first dot
// on a logarithmic scale of times, and its first cell behind it. It follows the reader's
// choice of light or dark, as the pages do.
func WritePicture(w io.Writer, rows []Row) error {
	a := axis{min: math.Inf(1), width: 430}
	for _, r := range rows {
		a.min, a.max = min(a.min, r.Dots[0].At), max(a.max, r.Dots[0].At)
	}
	a.min = math.Pow(10, math.Floor(math.Log10(a.min)))
	for v := a.min; v <= a.max; v *= 10 {
		a.Ticks = append(a.Ticks, tick{X: a.X(v), Label: Time(v)})
	}
	p := picture{axis: a, Bottom: float64(22 * len(rows))}
	for i, r := range rows {
		p.Bars = append(p.Bars, bar{r, a.X(r.Dots[0].At), float64(22 * i)})
	}
	return execute(w, "picture.svg.tpl", p)
}
