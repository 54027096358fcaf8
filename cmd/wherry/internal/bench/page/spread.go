package page

import (
	"html/template"
	"image/color"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// The spread of a benchmark shows every measured value as a dot, and a box
// plot behind, one lane for each build.

const (
	spreadWidth  = 360
	spreadHeight = 120

	boxHeight = 24
	// fewestForBox is the number of values from which quartiles say anything.
	fewestForBox = 5
)

func spread(r *Row) (template.HTML, error) {
	p := newPlot()
	// The later lane is on top.
	if err := lane(p, 1, r.Cgo, cgoColour, cgoSoft); err != nil {
		return "", err
	}
	if err := lane(p, 0, r.Wherry, wherryColour, wherrySoft); err != nil {
		return "", err
	}
	p.Y.Min, p.Y.Max = -0.5, 1.5
	p.NominalY("wherry", "cgo")
	p.X.Label.Text = r.Unit
	if p.X.Min == p.X.Max {
		p.X.Min, p.X.Max = 0.99*p.X.Min, 1.01*p.X.Max
	}
	return render(p, spreadWidth, spreadHeight)
}

// lane draws the values of one build at height y.
func lane(p *plot.Plot, y float64, values []float64, strong, soft color.Color) error {
	if len(values) >= fewestForBox {
		box, err := plotter.NewBoxPlot(boxHeight, y, plotter.Values(values))
		if err != nil {
			return err
		}
		box.Horizontal = true
		box.FillColor = soft
		box.BoxStyle = draw.LineStyle{Color: strong, Width: 1}
		box.MedianStyle = draw.LineStyle{Color: strong, Width: 2.5}
		box.WhiskerStyle = draw.LineStyle{Color: strong, Width: 1}
		box.CapWidth = boxHeight / 2
		box.Outside = nil // the dots show them already
		p.Add(box)
	}
	points := make(plotter.XYs, len(values))
	for i, v := range values {
		points[i] = plotter.XY{X: v, Y: y + jitter(i)}
	}
	dots, err := plotter.NewScatter(points)
	if err != nil {
		return err
	}
	dots.GlyphStyle = draw.GlyphStyle{Color: strong, Radius: vg.Length(2), Shape: draw.CircleGlyph{}}
	p.Add(dots)
	return nil
}

// jitter keeps dots of equal value apart. It comes from the round, so that
// the same data always give the same picture.
func jitter(round int) float64 {
	return float64(round*3%7-3) * 0.04
}
