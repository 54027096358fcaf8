package guard

import (
	_ "embed"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

//go:embed c/pins.c
var pinSource string

// A Pin says that a guarded function was judged by the code of a shared
// library.
type Pin struct {
	Record            string // the symbol of the function's guard
	Function, Package string // for messages
	Soname, BuildID   string
}

// Pins is the C text that compares the libraries when the program starts, and
// sends functions to cgo where they are other ones. Empty without pins.
func Pins(pins []Pin) string {
	if len(pins) == 0 {
		return ""
	}
	pins = slices.Clone(pins)
	slices.SortStableFunc(pins, func(a, b Pin) int { return strings.Compare(a.Soname, b.Soname) })
	var text strings.Builder
	fmt.Fprintf(&text, "enum { DEMOTED = %#x };\n", Layout()["GUARD_DEMOTED"])
	before, after, _ := strings.Cut(pinSource, "\nPINS\n")
	text.WriteString(before + "\n")
	declared := map[string]bool{}
	for _, p := range pins {
		if !declared[p.Record] {
			declared[p.Record] = true
			fmt.Fprintf(&text, "extern unsigned short %s __attribute__((visibility(\"hidden\")));\n", p.Record)
		}
	}
	text.WriteString("static const pin pins[] = {\n")
	for _, p := range pins {
		fmt.Fprintf(&text, "\t{&%s, %s, %s, %s, %s},\n", p.Record, strconv.Quote(p.Function), strconv.Quote(p.Package), strconv.Quote(p.Soname), strconv.Quote(p.BuildID))
	}
	text.WriteString("\t{0},\n};\n" + after)
	return text.String()
}
