package page

import (
	"html/template"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// The overview of `wherry bench` has a strip for each piece of work, all on one
// logarithmic axis: a dot for each variant, and a line from cgo's to wherry's.

// A times is what the template sees.
type times struct {
	Axis template.HTML
	axis axis
}

func newTimes(works []Work) (times, error) {
	var values []float64
	for _, w := range works {
		for _, p := range w.first() {
			values = append(values, p.NS)
		}
	}
	a := newTimeAxis(values)
	labels, err := a.draw(20, &axisLabels{a})
	return times{labels, a}, err
}

// Strip draws one piece of work.
func (t times) Strip(w Work) (template.HTML, error) {
	return t.axis.draw(20, &workMark{w, t.axis})
}

// Cgo returns the time through cgo in words, or nothing.
func (t times) Cgo(w Work) string {
	if cgo, _ := w.head(); cgo != nil {
		return cgo.Text
	}
	return ""
}

// Wherry returns wherry's time, or that of work that both leave alone.
func (t times) Wherry(w Work) Point {
	cgo, wherry := w.head()
	switch {
	case wherry != nil:
		return *wherry
	case cgo == nil:
		return w.Points[0]
	}
	return Point{}
}

// Times returns how many times as fast as cgo wherry is, in words, or nothing.
func (t times) Times(w Work) string {
	if cgo, wherry := w.head(); cgo != nil && wherry != nil {
		return wherry.Times
	}
	return ""
}

// A workMark is the dots of one piece of work. Like a mark it has no glyph box.
type workMark struct {
	work Work
	axis axis
}

// Plot implements plot.Plotter.
func (m *workMark) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	for _, t := range m.axis.ticks {
		c.StrokeLine2(draw.LineStyle{Color: faint, Width: 1}, x(t), c.Min.Y, x(t), c.Max.Y)
	}
	dot := func(point *Point, radius vg.Length) {
		strong, _ := point.Kind.colours()
		if point.Kind != Cgo && point.Kind != Wherry {
			strong = neutral
		}
		c.DrawGlyphNoClip(draw.GlyphStyle{Color: strong, Radius: radius, Shape: draw.CircleGlyph{}}, vg.Point{X: x(point.NS), Y: y(0)})
	}
	points := m.work.first()
	for i := range points {
		dot(&points[i], 2.5)
	}
	cgo, wherry := m.work.head()
	if cgo != nil && wherry != nil {
		c.StrokeLine2(draw.LineStyle{Color: wherryColour, Width: 2}, x(cgo.NS), y(0), x(wherry.NS), y(0))
	}
	for _, point := range []*Point{cgo, wherry} { // above the line
		if point != nil {
			dot(point, 4.5)
		}
	}
}
