package page

import (
	"fmt"
	"html/template"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

const (
	curveWidth  = 360
	curveHeight = 240
)

// styles tell apart the series of one kind.
var (
	shapes = []draw.GlyphDrawer{
		draw.CircleGlyph{}, draw.SquareGlyph{}, draw.TriangleGlyph{}, draw.CrossGlyph{},
		draw.RingGlyph{}, draw.PlusGlyph{}, draw.PyramidGlyph{}, draw.BoxGlyph{},
	}
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
		// Shifted once a round, or the ninth would be as the first.
		line.LineStyle = draw.LineStyle{Color: strong, Width: 1.5, Dashes: dashes[(i+i/len(shapes))%len(dashes)]}
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
	return render(p, curveWidth, curveHeight)
}
