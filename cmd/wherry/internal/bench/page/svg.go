package page

import (
	"bytes"
	"fmt"
	"html/template"
	"image/color"
	"regexp"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"
)

// A plot is drawn once and shown in light and dark: it is drawn in marker
// colours that stand for variables of page.css.
var (
	ink          = color.RGBA{1, 1, 1, 255}
	faint        = color.RGBA{2, 2, 2, 255}
	cgoColour    = color.RGBA{3, 3, 3, 255}
	cgoSoft      = color.RGBA{4, 4, 4, 255}
	wherryColour = color.RGBA{5, 5, 5, 255}
	wherrySoft   = color.RGBA{6, 6, 6, 255}
	good         = color.RGBA{7, 7, 7, 255}
	bad          = color.RGBA{8, 8, 8, 255}
	neutral      = color.RGBA{9, 9, 9, 255}
)

var variables = strings.NewReplacer(
	"#010101", "var(--ink)",
	"#020202", "var(--faint)",
	"#030303", "var(--cgo)",
	"#040404", "var(--cgo-soft)",
	"#050505", "var(--wherry)",
	"#060606", "var(--wherry-soft)",
	"#070707", "var(--good)",
	"#080808", "var(--bad)",
	"#090909", "var(--neutral)",
)

func outcomeColour(o Outcome) color.Color {
	switch o {
	case Faster:
		return good
	case Slower:
		return bad
	}
	return neutral
}

const fontSize = 12

// textStyle measures with Liberation Sans, which has the widths of Arial and
// Helvetica; page.css asks for one of these.
func textStyle() text.Style {
	return text.Style{
		Color:   ink,
		Font:    font.Font{Typeface: "Liberation", Variant: "Sans", Size: fontSize},
		Handler: plot.DefaultTextHandler,
	}
}

func newPlot() *plot.Plot {
	p := plot.New()
	p.BackgroundColor = nil
	for _, a := range []*plot.Axis{&p.X, &p.Y} {
		a.Color, a.Tick.Color = ink, ink
		for _, style := range []*text.Style{&a.Label.TextStyle, &a.Tick.Label} {
			style.Font, style.Color = textStyle().Font, ink
		}
	}
	return p
}

// svgHead is all before the first group; the browser needs no XML preamble,
// and no size, as the page's style decides it.
var svgHead = regexp.MustCompile(`(?s)^.*?<svg[^>]*>`)

// fontDeclarations make way for the page's own font.
var fontDeclarations = regexp.MustCompile(`font-(family|variant|weight|style):[^;"]*;`)

// render returns the plot as an element of the page.
func render(p *plot.Plot, width, height vg.Length) (template.HTML, error) {
	canvas := vgsvg.New(width, height)
	p.Draw(draw.New(canvas))
	var buf bytes.Buffer
	if _, err := canvas.WriteTo(&buf); err != nil {
		return "", err
	}
	// The plot's meaning is in the table as well, so readers that speak skip it.
	head := fmt.Sprintf(`<svg viewBox="0 0 %g %g" aria-hidden="true">`, width.Points(), height.Points())
	svg := svgHead.ReplaceAllLiteralString(buf.String(), head)
	svg = fontDeclarations.ReplaceAllString(svg, "")
	return template.HTML(variables.Replace(svg)), nil
}
