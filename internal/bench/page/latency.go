package page

import (
	"bytes"
	_ "embed"
	"fmt"
	"html/template"
	"image/color"
	"io"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// A Latency is the model of `wherry bench`'s page.
type Latency struct {
	Title, Machine, Legend string
	Warnings               []string
	Works                  []Work
}

// A Work is one piece of work in all its variants.
type Work struct {
	Name, What string
	Columns    []string
	Rows       [][]string
	Points     []Point
}

// A Point is one measurement.
type Point struct {
	Series      string
	Kind        Kind
	Procs       int
	Text, Title string  // the time and its interval in words
	NS, Lo, Hi  float64 // NaN when unknown
	Scaling     float64
	Samples     []float64
}

// A Kind decides a colour.
type Kind string

// Kinds; all others are neutral.
const (
	Cgo    Kind = "cgo"
	Wherry Kind = "wherry"
)

func (k Kind) colours() (strong, soft color.Color) {
	switch k {
	case Cgo:
		return cgoColour, cgoSoft
	case Wherry:
		return wherryColour, wherrySoft
	}
	return neutral, faint
}

//go:embed latency.html.tpl
var latencySource string

// WriteLatency draws the page.
func WriteLatency(w io.Writer, l *Latency) error {
	page, err := template.New("latency").Funcs(template.FuncMap{
		"style":        func() template.CSS { return template.CSS(style) },
		"bars":         newBars,
		"scaling":      scaling,
		"distribution": distribution,
	}).Parse(latencySource)
	if err != nil {
		return fmt.Errorf("BUG: page: %w", err)
	}
	var buf bytes.Buffer
	if err := page.Execute(&buf, l); err != nil {
		return fmt.Errorf("page: %w", err)
	}
	_, err = buf.WriteTo(w)
	return err
}

// first gives the points with the fewest processors.
func (w Work) first() (points []Point) {
	for _, p := range w.Points {
		if p.Procs == w.Points[0].Procs {
			points = append(points, p)
		}
	}
	return points
}

// Bars are strips below each other with a common scale from 0.
type bars struct {
	Points []Point
	most   float64
}

func newBars(w Work) bars {
	b := bars{Points: w.first()}
	for _, p := range b.Points {
		b.most = math.Max(b.most, p.NS)
		if !math.IsNaN(p.Hi) {
			b.most = math.Max(b.most, p.Hi)
		}
	}
	return b
}

// Strip draws one bar.
func (b bars) Strip(point Point) (template.HTML, error) {
	p := newPlot()
	p.HideAxes()
	p.X.Padding, p.Y.Padding = 0, 0
	p.X.Min, p.X.Max = 0, b.most*1.02
	p.Y.Min, p.Y.Max = -1, 1
	p.Add(bar(point))
	return render(p, stripWidth, 18)
}

type bar Point

// Plot implements plot.Plotter.
func (b bar) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	strong, _ := b.Kind.colours()
	right := vg.Length(math.Max(float64(x(b.NS)), float64(c.Min.X)+1)) // at least a line
	c.FillPolygon(strong, []vg.Point{{X: c.Min.X, Y: y(-0.7)}, {X: right, Y: y(-0.7)}, {X: right, Y: y(0.7)}, {X: c.Min.X, Y: y(0.7)}})
	if !math.IsNaN(b.Lo) && !math.IsNaN(b.Hi) {
		line := draw.LineStyle{Color: ink, Width: 1.5}
		c.StrokeLine2(line, x(b.Lo), y(0), x(b.Hi), y(0))
		c.StrokeLine2(line, x(b.Lo), y(-0.4), x(b.Lo), y(0.4))
		c.StrokeLine2(line, x(b.Hi), y(-0.4), x(b.Hi), y(0.4))
	}
}

const (
	latencyWidth = 380
	curveHeight  = 260
)

// styles tell apart the series of one kind.
var (
	shapes = []draw.GlyphDrawer{draw.CircleGlyph{}, draw.SquareGlyph{}, draw.TriangleGlyph{}, draw.CrossGlyph{}, draw.RingGlyph{}, draw.PlusGlyph{}, draw.PyramidGlyph{}, draw.BoxGlyph{}}
	dashes = [][]vg.Length{nil, {6, 2}, {2, 2}, {8, 2, 2, 2}, {4, 4}, {1, 3}, {10, 3}, {3, 1}}
)

// scaling draws a curve for each series, or nothing if there is only one
// number of processors.
func scaling(w Work) (template.HTML, error) {
	series, names := map[string]plotter.XYs{}, []string{}
	kind := map[string]Kind{}
	fewest, most, top := w.Points[0].Procs, 0, 1.0
	for _, p := range w.Points {
		if series[p.Series] == nil {
			names = append(names, p.Series)
		}
		if !math.IsNaN(p.Scaling) && !math.IsInf(p.Scaling, 0) {
			series[p.Series] = append(series[p.Series], plotter.XY{X: float64(p.Procs), Y: p.Scaling})
			top = math.Max(top, p.Scaling)
		}
		kind[p.Series] = p.Kind
		most = max(most, p.Procs)
	}
	if fewest == most {
		return "", nil
	}
	p := newPlot()
	p.X.Label.Text, p.Y.Label.Text = "goroutines and GOMAXPROCS", "times the work of the fewest"
	p.Legend.TextStyle = textStyle()
	p.Legend.Top, p.Legend.Left, p.Legend.Padding = true, true, 2
	perfect := float64(most) / float64(fewest)
	ideal, err := plotter.NewLine(plotter.XYs{{X: float64(fewest), Y: 1}, {X: float64(most), Y: perfect}})
	if err != nil {
		return "", err
	}
	ideal.LineStyle = draw.LineStyle{Color: neutral, Width: 1, Dashes: []vg.Length{3, 3}}
	p.Add(ideal)
	for i, name := range names {
		line, dots, err := plotter.NewLinePoints(series[name])
		if err != nil {
			return "", err
		}
		strong, _ := kind[name].colours()
		line.LineStyle = draw.LineStyle{Color: strong, Width: 1.5, Dashes: dashes[(i+i/len(shapes))%len(dashes)]} // else the ninth is as the first
		dots.GlyphStyle = draw.GlyphStyle{Color: strong, Radius: 3.5, Shape: shapes[i%len(shapes)]}
		p.Add(line, dots)
		p.Legend.Add(name, line, dots)
	}
	// Room for the legend above the curves.
	p.Y.Min = 0
	p.Y.Max = math.Max(top, perfect) * (1 + 0.14*float64(len(names)))
	var marks []plot.Tick
	for _, point := range w.Points {
		if n := point.Procs; len(marks) == 0 || marks[len(marks)-1].Value < float64(n) {
			marks = append(marks, plot.Tick{Value: float64(n), Label: fmt.Sprint(n)})
		}
	}
	p.X.Tick.Marker = plot.ConstantTicks(marks)
	return render(p, latencyWidth, curveHeight)
}

// distribution draws a lane for each series.
func distribution(w Work) (template.HTML, error) {
	points := w.first()
	lo, hi := math.Inf(1), math.Inf(-1)
	var names []string
	p := newPlot()
	p.X.Scale = plot.LogScale{}
	for i, point := range points {
		at := len(points) - 1 - i // the first is on top
		strong, soft := point.Kind.colours()
		if err := lane(p, float64(at), point.Samples, strong, soft); err != nil {
			return "", err
		}
		for _, v := range point.Samples {
			lo, hi = math.Min(lo, v), math.Max(hi, v)
		}
		names = append([]string{point.Series}, names...)
	}
	unit, scale := "ns", 1.0
	if lo >= 1000 {
		unit, scale = "us", 1000
	}
	p.X.Min, p.X.Max = lo/1.1, hi*1.1
	p.Y.Min, p.Y.Max = -0.6, float64(len(points))-0.4
	p.NominalY(names...)
	p.X.Label.Text = unit
	var marks []plot.Tick
	for i, v := range ticks(p.X.Min/scale, p.X.Max/scale) {
		label := fmt.Sprintf("%.4g", v)
		if v >= 1000 {
			label = fmt.Sprintf("%.0f", v)
		}
		if i%2 == 1 && len(marks) > 7 {
			label = ""
		}
		marks = append(marks, plot.Tick{Value: v * scale, Label: label})
	}
	p.X.Tick.Marker = plot.ConstantTicks(marks)
	return render(p, latencyWidth, vg.Length(50+34*len(points)))
}
