package measure

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

// A column of Bench's table.
type column struct {
	header string
	right  bool // numbers
	cell   func(row) string
}

// writeRows writes Bench's table for a terminal.
func (r *Result) writeRows(w io.Writer) error {
	var text strings.Builder
	rows := r.rows()
	fmt.Fprintf(&text, "%s, %d rounds\n", r.machine(), rows[0].Rounds)
	several := slices.ContainsFunc(rows, func(row row) bool { return row.Procs != rows[0].Procs })
	cells, numeric := make([][]string, 1+len(rows)), []bool{}
	for _, c := range r.benchColumns(several) {
		cells[0], numeric = append(cells[0], c.header), append(numeric, c.right)
		for i, row := range rows {
			cells[i+1] = append(cells[i+1], c.cell(row))
		}
	}
	lines := Table(cells, numeric)
	fmt.Fprintf(&text, "\n%s\n", lines[0])
	for i, row := range rows {
		if i == 0 || row.Name != rows[i-1].Name {
			fmt.Fprintf(&text, "\n%s\n", strings.TrimSuffix(row.Name+": "+row.What, ": "))
		}
		fmt.Fprintln(&text, lines[i+1])
	}
	fmt.Fprintln(&text, "\nx cgo: cgo's time divided by this one, round by round; above 1 is faster."+
		" Work without a cgo variant is compared with call/add's.")
	if several {
		fmt.Fprintln(&text, "procs: as many goroutines do the same at once; the time is that of an operation on each."+
			" scaling: how much more all get done than one; as much as procs is perfect, 1 means that more cores do not help.")
	}
	for _, warning := range r.warnings(rows) {
		fmt.Fprintf(&text, "warning: %s\n", warning)
	}
	_, err := io.WriteString(w, text.String())
	return err
}

// benchColumns leaves out what is the same in all rows.
func (r *Result) benchColumns(severalProcs bool) []column {
	columns := []column{{"  variant", false, func(row row) string { return "  " + row.Variant }}}
	if len(r.Packages) > 1 {
		columns = append(columns, column{"Go", false, func(row row) string { return row.Go }})
	}
	if severalProcs {
		columns = append(columns, column{"procs", true, func(row row) string { return fmt.Sprint(row.Procs) }})
	}
	columns = append(columns,
		column{"median", true, func(row row) string { return FormatTime(row.NS) }},
		column{"95 % interval", true, func(row row) string {
			if !row.NSCI.Finite() {
				return "too few rounds"
			}
			return FormatTime(row.NSCI.Lo) + " to " + FormatTime(row.NSCI.Hi)
		}},
		column{"x cgo", true, func(row row) string { return Digits(row.Ratio) }})
	if severalProcs {
		columns = append(columns, column{"scaling", true, func(row row) string { return Digits(row.Scaling) }})
	}
	return columns
}

func (r *Result) warnings(rows []row) (warnings []string) {
	if r.Noisy != "" {
		warnings = append(warnings, "the machine was noisy: "+r.Noisy+"; for figures that repeat, end other programs and measure again")
	}
	for _, p := range r.Packages {
		for _, warning := range p.Warnings {
			warnings = append(warnings, p.Go+": "+warning)
		}
	}
	if slices.ContainsFunc(rows, func(row row) bool { return !row.NSCI.Finite() }) {
		warnings = append(warnings, fmt.Sprintf("fewer than %d rounds give no interval; raise -count", fewestForInterval))
	}
	return warnings
}
