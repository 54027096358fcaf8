package measure

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"unicode/utf8"
)

// Lengths of the picture, in pixels.
const (
	margin    = 16
	rowHeight = 20 // from one base line to the next
	gap       = 10 // above a work
	space     = 8  // between a bar and its texts
	barScale  = 400
	fontSize  = 13
	letter    = 0.65 * fontSize // in the widest of the usual fonts: which one there is, is not known
)

const white, black, orange, blue, grey, pale = "#ffffff", "#1c2127", "#c26a00", "#0b62b5", "#69737d", "#dde2e7"

// A picture grows element by element. Each says all about itself in attributes, and
// texts stand on their base line: whatever shows the picture may know no style sheets.
type picture struct {
	strings.Builder
	right float64 // where the longest line ends
}

func (p *picture) rect(x, y, width, height float64, colour string) {
	fmt.Fprintf(p, `<rect x="%.1f" y="%.1f" width="%.1f" height="%.1f" fill="%s"/>`+"\n", x, y, width, height, colour)
}

// text writes one that begins at x, or ends there, or has its middle there.
func (p *picture) text(x, y float64, text, more string) {
	p.right = max(p.right, x+room(text)*map[string]float64{end: 0, middle: 0.5, "": 1, bold: 1.1}[more])
	fmt.Fprintf(p, `<text x="%.1f" y="%.1f" font-family="sans-serif" font-size="%d" fill="%s"%s>`, x, y, fontSize, black, more)
	xml.EscapeText(p, []byte(text)) // into memory, without errors
	p.WriteString("</text>\n")
}

// What texts may have more.
const bold, end, middle = ` font-weight="bold"`, ` text-anchor="end"`, ` text-anchor="middle"`

// room is the width of a text, or a little more.
func room(text string) float64 { return letter * float64(utf8.RuneCountInString(text)) }

// WritePicture writes the works for newcomers, or all, as an SVG image: a bar for each
// time, on a logarithmic scale.
func (r *Result) WritePicture(w io.Writer, all bool) error {
	bars := r.Bars(all)
	if len(bars) == 0 {
		return errors.New("no picture: nothing was measured that it shows")
	}
	lo, hi, left := math.Inf(1), 0.0, 0.0
	for _, b := range bars {
		lo, hi, left = min(lo, b.Each), max(hi, b.Each), max(left, margin+room(b.Way)+space)
	}
	lo, hi = math.Floor(math.Log10(lo)), math.Floor(math.Log10(hi))+1
	place := func(ns float64) float64 { return left + barScale*(math.Log10(ns)-lo)/(hi-lo) }

	var p picture
	y := float64(margin + rowHeight/2)
	p.text(margin, y, "Median time of one operation, on a logarithmic scale", bold)
	for i, b := range bars {
		if i == 0 || b.Name != bars[i-1].Name {
			y += gap + rowHeight
			p.text(margin, y, b.Work, bold)
		}
		y += rowHeight
		for decade := lo; decade <= hi; decade++ {
			p.rect(place(math.Pow(10, decade)), y-14, 1, rowHeight, pale)
		}
		p.text(left-space, y, b.Way, end)
		p.rect(left, y-12, place(b.Each)-left, rowHeight-4, b.colour)
		p.text(place(b.Each)+space, y, b.result(), "")
	}
	y += rowHeight + 2
	for decade := lo; decade <= hi; decade++ {
		p.text(place(math.Pow(10, decade)), y, label(math.Pow(10, decade)), middle)
	}
	y += gap + rowHeight
	p.text(margin, y, r.Where(), "")

	width, height := math.Ceil(p.right)+margin, y+margin
	var page picture
	fmt.Fprintf(&page, `<svg xmlns="http://www.w3.org/2000/svg" width="%v" height="%v" viewBox="0 0 %[1]v %[2]v">`+"\n", width, height)
	page.rect(0, 0, width, height, white)
	_, err := io.WriteString(w, page.String()+p.String()+"</svg>\n")
	return err
}

// Where names the machine, and what a reader of Bars has to know of the run.
func (r *Result) Where() string {
	rows := r.rows()
	text := fmt.Sprintf("%s, %d rounds", r.machine(), rows[0].Rounds)
	if rows[0].Procs > 1 {
		text += fmt.Sprintf(", %d goroutines at once", rows[0].Procs)
	}
	if r.Noisy != "" {
		text += ", on a noisy machine"
	}
	return text
}

// label is that of a power of ten.
func label(ns float64) string {
	var number float64
	var unit string
	fmt.Sscan(FormatTime(ns), &number, &unit)
	return fmt.Sprint(number, " ", unit)
}
