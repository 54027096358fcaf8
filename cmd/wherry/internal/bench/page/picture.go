package page

import (
	"errors"
	"io"
	"math"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

const (
	pictureWidth = 640
	pictureLine  = 22
)

// WritePicture writes an image of its own, in SVG, with a bar for each point
// on a logarithmic scale. It follows the reader's choice of light or dark, as
// the pages do.
func WritePicture(w io.Writer, points []Point) error {
	if len(points) == 0 {
		return errors.New("page: nothing to draw")
	}
	lo, hi := math.Inf(1), 0.0
	var names []string
	for _, p := range points {
		lo, hi = math.Min(lo, p.NS), math.Max(hi, p.NS)
		names = append([]string{p.Series}, names...)
	}
	p := newPlot()
	p.X.Scale = plot.LogScale{}
	p.X.Min = math.Pow(10, math.Floor(math.Log10(lo)))
	p.X.Max = hi * math.Pow(hi/p.X.Min, 0.15) // room for the last time
	p.Y.Min, p.Y.Max = -0.6, float64(len(points))-0.4
	for i := range points {
		p.Add(&timeBar{points[i], float64(len(points) - 1 - i)})
	}
	p.NominalY(names...)
	var marks []plot.Tick
	for v := p.X.Min; v <= p.X.Max; v *= 10 {
		marks = append(marks, plot.Tick{Value: v, Label: timeLabel(v)})
	}
	p.X.Tick.Marker = plot.ConstantTicks(marks)
	svg, err := render(p, pictureWidth, vg.Length(40+pictureLine*len(points)))
	if err != nil {
		return err
	}
	// Alone, an image needs its namespaces, and only the colours of the style.
	const namespaces = `xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" `
	text := strings.Replace(string(svg), "<svg ", "<svg "+namespaces, 1)
	colours, _, _ := strings.Cut(style, "* {")
	const rest = `svg { background: var(--paper); } text { font-family: "Liberation Sans", Arial, Helvetica, sans-serif; }`
	text = strings.Replace(text, ">", "><style>"+colours+rest+"</style>", 1)
	_, err = io.WriteString(w, text)
	return err
}

// A timeBar is a bar with its time behind it.
type timeBar struct {
	point Point
	at    float64
}

// Plot implements plot.Plotter.
func (b *timeBar) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	strong, _ := b.point.Kind.colours()
	right := x(b.point.NS)
	low, high := y(b.at-0.35), y(b.at+0.35)
	c.FillPolygon(strong, []vg.Point{{X: c.Min.X, Y: low}, {X: right, Y: low}, {X: right, Y: high}, {X: c.Min.X, Y: high}})
	label := textStyle()
	label.YAlign = draw.YCenter
	c.FillText(label, vg.Point{X: right + 5, Y: y(b.at)}, b.point.Text)
}
