package page

import (
	"bytes"
	_ "embed"
	"fmt"
	"html/template"
	"image/color"
	"io"
	"slices"
)

// A Latency is the model of `wherry bench`'s page.
type Latency struct {
	Title, Machine, Legend string
	Warnings               []string
	Columns                []string // of the table
	Works                  []Work
}

// HasSamples reports whether the run kept the times of its rounds.
func (l *Latency) HasSamples() bool { return l.has(func(p Point) bool { return len(p.Samples) > 0 }) }

// HasScaling reports whether any work was done by several numbers of goroutines.
func (l *Latency) HasScaling() bool {
	return l.has(func(p Point) bool { return p.Procs != l.Works[0].Points[0].Procs })
}

func (l *Latency) has(what func(Point) bool) bool {
	return slices.ContainsFunc(l.Works, func(w Work) bool { return slices.ContainsFunc(w.Points, what) })
}

// A Work is one piece of work in all its variants.
type Work struct {
	Name, What string
	Rows       [][]string
	Points     []Point
}

// A Point is one measurement.
type Point struct {
	Series  string
	Kind    Kind
	Procs   int
	Text    string // the time in words
	Times   string // how many times as fast as cgo, in words
	NS      float64
	Scaling float64
	Samples []float64 // nil in a run that did not keep them
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
		"overview":     newTimes,
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

// first returns the points with the fewest processors.
func (w Work) first() (points []Point) {
	for _, p := range w.Points {
		if p.Procs == w.Points[0].Procs {
			points = append(points, p)
		}
	}
	return points
}

// head returns the points that the overview compares: the first through cgo, and the
// first of wherry's. Either may be nil.
func (w Work) head() (cgo, wherry *Point) {
	points := w.first()
	for i := range points {
		switch p := &points[i]; {
		case p.Kind == Cgo && cgo == nil:
			cgo = p
		case p.Kind == Wherry && wherry == nil:
			wherry = p
		}
	}
	return cgo, wherry
}
