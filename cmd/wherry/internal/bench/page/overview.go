package page

import (
	"html/template"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// The overview has a strip for each benchmark, with its ratio and interval. The
// strips of a package share a logarithmic axis; one for the whole page would
// squeeze ratios near 1 as soon as another package has a ratio of 15. The names stand beside the strips
// as HTML, so that long ones wrap, and move above them on a narrow screen.

// An overview is what the template sees.
type overview struct {
	Axis template.HTML
	axis axis
}

// Strip draws one benchmark.
func (o overview) Strip(r Row) (template.HTML, error) {
	return o.axis.draw(22, &mark{row: r, axis: o.axis})
}

func newOverview(rows []Row) (overview, error) {
	var values []float64
	for _, r := range rows {
		values = append(values, r.Ratio, r.Lo, r.Hi)
	}
	a := newAxis(values)
	labels, err := a.draw(20, &axisLabels{a})
	return overview{labels, a}, err
}

const stripWidth = 480

// draw makes one strip of the overview. All have the axis's range and no
// margin, so that they align below each other.
func (a axis) draw(height vg.Length, what plot.Plotter) (template.HTML, error) {
	p := newPlot()
	p.HideAxes()
	p.X.Padding, p.Y.Padding = 0, 0
	p.X.Min, p.X.Max = a.min, a.max
	p.X.Scale = plot.LogScale{}
	p.Y.Min, p.Y.Max = -1, 1
	p.Add(what)
	return render(p, stripWidth, height)
}

// A mark is one ratio with its interval. It has no glyph box, since plot
// would make room for it at the sides.
type mark struct {
	row  Row
	axis axis
}

func (m *mark) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	for _, t := range m.axis.ticks {
		c.StrokeLine2(draw.LineStyle{Color: faint, Width: 1}, x(t), c.Min.Y, x(t), c.Max.Y)
	}
	c.StrokeLine2(draw.LineStyle{Color: ink, Width: 1.5}, x(1), c.Min.Y, x(1), c.Max.Y)

	colour := outcomeColour(m.row.Outcome)
	middle := y(0)
	if math.IsInf(m.row.Lo, 0) || math.IsInf(m.row.Hi, 0) {
		// Unknown: anything is possible.
		c.StrokeLine2(draw.LineStyle{Color: colour, Width: 1, Dashes: []vg.Length{2, 4}}, c.Min.X, middle, c.Max.X, middle)
	} else {
		lo, hi := x(m.row.Lo), x(m.row.Hi)
		line := draw.LineStyle{Color: colour, Width: 2}
		c.StrokeLine2(line, lo, middle, hi, middle)
		c.StrokeLine2(line, lo, middle-4, lo, middle+4)
		c.StrokeLine2(line, hi, middle-4, hi, middle+4)
	}
	c.DrawGlyphNoClip(draw.GlyphStyle{Color: colour, Radius: 3.5, Shape: draw.CircleGlyph{}}, vg.Point{X: x(m.row.Ratio), Y: middle})
}

// labelRoom is how much wider than itself a label's place is: page.css enlarges
// the labels on a narrow screen, where the whole strip shrinks.
const labelRoom = 1.8

// axisLabels are the numbers below the strips.
type axisLabels struct{ axis }

func (a *axisLabels) Plot(c draw.Canvas, p *plot.Plot) {
	x, _ := p.Transforms(&c)
	style := textStyle()
	style.XAlign, style.YAlign = draw.XCenter, draw.YTop
	free := c.Min.X // where the next label may begin
	for _, t := range a.ticks {
		label := a.label(t)
		half := style.Width(label) * labelRoom / 2
		at := max(c.Min.X+half, min(c.Max.X-half, x(t))) // stay inside at the ends
		if at-half < free {
			continue
		}
		c.FillText(style, vg.Point{X: at, Y: c.Max.Y - 4}, label)
		free = at + half
	}
}
