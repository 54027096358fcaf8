// Package page draws the HTML reports of comparisons and measurements: one file
// that needs nothing from the network, follows the reader's choice of light or dark,
// and fits a phone. It knows nothing of how the numbers came about.
package page

import (
	"bytes"
	"embed"
	"fmt"
	"html/template"
	"io"
	"math"
	"strings"
)

// A Page is the model of a whole report.
type Page struct {
	Title, Machine, Tally string
	Warnings              []string
	Sections              []Section
}

// A Section has what it has, in this order.
type Section struct {
	Title, Hint, Error string
	Plots              []Plot // below each other
	Table              Table
	Lists              []List
	Caption            string   // of the figures
	Figures            []Plot   // side by side
	Groups             []Groups // to be unfolded
}

// A Table has rows in parts, each of which may have a head; Folded, it is to be unfolded.
type Table struct {
	Folded  string
	Columns []string
	Parts   []Part
}

// A Part is rows of a table, whose first cells are names.
type Part struct {
	Head string
	Rows []TableRow
}

// A TableRow has a colour.
type TableRow struct {
	Kind  Kind
	Cells []string
}

// A List is names with remarks; a remark may stand alone.
type List struct {
	Title   string
	Entries []Entry
}

// An Entry is a name with a remark.
type Entry struct{ Name, Text string }

// Groups are names under labels.
type Groups struct {
	Title string
	Each  []Group
}

// A Group is names under a label.
type Group struct {
	Label string
	Names []string
}

// A Plot has a strip for each row, all on one logarithmic axis.
type Plot struct {
	Title, What string
	Heads       []Cell // above the rows' cells
	Rows        []Row
	Label       func(tick float64) string
	Ratios      bool // with 1 in it, which has a line
}

// A Row is a name, a strip with dots and a line, and cells behind it.
type Row struct {
	Name, What string
	Dots       []Dot
	Line       Line
	Cells      []Cell
}

// A Dot is one value.
type Dot struct {
	At    float64
	Kind  Kind
	Small bool
}

// Dots are small ones of one kind.
func Dots(values []float64, kind Kind) (dots []Dot) {
	for _, v := range values {
		dots = append(dots, Dot{v, kind, true})
	}
	return dots
}

// A Line joins two values; it is dashed, and goes through the whole strip, where they
// are infinite.
type Line struct {
	From, To float64
	Kind     Kind
}

// A Cell is a text with a colour.
type Cell struct {
	Text string
	Kind Kind
}

// A Kind decides a colour: a class of page.css.
type Kind string

// Kinds of variants, and of ratios; all others are neutral.
const (
	Cgo    Kind = "cgo"
	Wherry Kind = "wherry"
	Faster Kind = "faster"
	Slower Kind = "slower"
)

//go:embed page.html.tpl picture.svg.tpl page.css
var files embed.FS

// Write draws the page.
func Write(w io.Writer, p *Page) error { return execute(w, "page.html.tpl", p) }

// execute goes through a buffer, so that an error leaves no half page.
func execute(w io.Writer, name string, model any) error {
	// Parsed here and not at the start of the program: wherry's executable
	// also runs in front of every compilation, where nobody wants a page.
	style, err := files.ReadFile("page.css")
	if err != nil {
		return fmt.Errorf("BUG: page: %w", err)
	}
	page, err := template.New(name).Funcs(template.FuncMap{
		"style":   func() template.CSS { return template.CSS(style) },
		"colours": func() template.CSS { c, _, _ := strings.Cut(string(style), "* {"); return template.CSS(c) },
		"axis":    newAxis,
		"name":    breakable,
		"finite":  func(v float64) bool { return !math.IsInf(v, 0) },
		"jitter":  func(i int) float64 { return float64(i*3%7-3) * 1.2 }, // keeps equal dots apart
	}).ParseFS(files, name)
	if err != nil {
		return fmt.Errorf("BUG: page: %w", err)
	}
	var buf bytes.Buffer
	if err := page.Execute(&buf, model); err != nil {
		return fmt.Errorf("page: %w", err)
	}
	_, err = buf.WriteTo(w)
	return err
}

// breakable returns a name with places where a line may end, so that a long one does
// not break inside a word.
func breakable(name string) template.HTML {
	return template.HTML(breaks.Replace(template.HTMLEscapeString(name)))
}

var breaks = strings.NewReplacer("/", "/<wbr>", ",", ",<wbr>", "=", "=<wbr>", "_", "_<wbr>")
