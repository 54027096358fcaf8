// Package page draws the HTML report of a comparison: one file that needs
// nothing from the network, follows the reader's choice of light or dark, and
// fits a phone. It knows nothing of how the numbers came about; package bench
// fills the model below.
package page

import (
	"bytes"
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"strings"
)

// A Page is the model of the whole report.
type Page struct {
	Title    string
	Machine  string // Go, system and CPU in words
	Tally    string // the verdicts in words
	Columns  []string
	Packages []Package
}

// A Package is one section.
type Package struct {
	Name        string
	Error       string
	Rows        []Row
	Changes     []Entry // allocations
	NotCompared []Entry
	Notes       []string
	Accelerated []Group
	Kept        []Group
}

// A Row is one benchmark: its cells in the table and its data for the plots.
type Row struct {
	Cells   []string // as many as Page.Columns; the first is the name
	Outcome Outcome
	Ratio   float64
	Lo, Hi  float64 // infinite when unknown

	Cgo, Wherry []float64 // measured values
	Unit        string    // of these
}

// An Outcome decides the colour of a ratio.
type Outcome string

const (
	Faster  Outcome = "faster"
	Slower  Outcome = "slower"
	Neither Outcome = "neither"
)

// An Entry is a name with a remark.
type Entry struct{ Name, Text string }

// A Group is a list of C functions under a label.
type Group struct {
	Label     string
	Functions []string
}

// breakable returns a row's name with places where a line may end, so that a
// long one does not break inside a word.
func breakable(r Row) template.HTML {
	return template.HTML(breaks.Replace(template.HTMLEscapeString(r.Cells[0])))
}

var breaks = strings.NewReplacer("/", "/<wbr>", ",", ",<wbr>", "=", "=<wbr>", "_", "_<wbr>")

//go:embed page.html.tpl
var source string

//go:embed page.css
var style string

// Write draws the page.
func Write(w io.Writer, p *Page) error {
	// Parsed here and not at the start of the program: wherry's executable
	// also runs in front of every compilation, where nobody wants a page.
	page, err := template.New("page").Funcs(template.FuncMap{
		"style":    func() template.CSS { return template.CSS(style) },
		"overview": newOverview,
		"spread":   func(r Row) (template.HTML, error) { return spread(&r) },
		"name":     breakable,
		"last":     func(i int, list []string) bool { return i == len(list)-1 },
	}).Parse(source)
	if err != nil {
		return fmt.Errorf("BUG: page: %w", err)
	}
	// Through a buffer, so that an error leaves no half page.
	var buf bytes.Buffer
	if err := page.Execute(&buf, p); err != nil {
		return fmt.Errorf("page: %w", err)
	}
	_, err = buf.WriteTo(w)
	return err
}
