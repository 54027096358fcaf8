package page

import (
	"html/template"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
)

const laneHeight = 30

// distribution draws a lane for each series, or nothing if the run did not keep
// its rounds.
func distribution(w Work) (template.HTML, error) {
	points := w.first()
	var names []string
	var all []float64
	p := newPlot()
	p.X.Scale = plot.LogScale{}
	for i, point := range points {
		at := len(points) - 1 - i // the first is on top
		strong, soft := point.Kind.colours()
		if err := lane(p, float64(at), point.Samples, strong, soft); err != nil {
			return "", err
		}
		all = append(all, point.Samples...)
		names = append([]string{point.Series}, names...)
	}
	if len(all) == 0 {
		return "", nil
	}
	axis := newTimeAxis(all)
	p.X.Min, p.X.Max = axis.min, axis.max
	p.Y.Min, p.Y.Max = -0.6, float64(len(points))-0.4
	p.NominalY(names...)
	p.X.Tick.Marker = plot.ConstantTicks(axis.marks(spreadWidth - widest(names)))
	return render(p, spreadWidth, vg.Length(30+laneHeight*len(points)))
}

// marks leaves out the labels for which an axis of this width has no room.
func (a axis) marks(width vg.Length) (marks []plot.Tick) {
	free := vg.Length(math.Inf(-1))
	span := math.Log(a.max / a.min)
	for _, t := range a.ticks {
		mark := plot.Tick{Value: t}
		at := width * vg.Length(math.Log(t/a.min)/span)
		half := textStyle().Width(a.label(t))/2 + fontSize/4
		if at-half >= free {
			mark.Label, free = a.label(t), at+half
		}
		marks = append(marks, mark)
	}
	return marks
}

func widest(names []string) (width vg.Length) {
	for _, name := range names {
		width = max(width, textStyle().Width(name))
	}
	return width
}
