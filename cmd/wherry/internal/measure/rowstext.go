package measure

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

// writeRows writes Bench's table for a terminal.
func (r *Result) writeRows(w io.Writer) error {
	var text strings.Builder
	rows := r.rows()
	fmt.Fprintf(&text, "%s, %d rounds\n", r.machine(), rows[0].Rounds)
	several := slices.ContainsFunc(rows, func(row row) bool { return row.Procs != rows[0].Procs })
	header, numeric := r.benchColumns(several)
	cells := [][]string{header}
	for _, row := range rows {
		cells = append(cells, r.cells(row, several))
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
func (r *Result) benchColumns(severalProcs bool) (header []string, numeric []bool) {
	add := func(name string, right bool) { header, numeric = append(header, name), append(numeric, right) }
	add("  variant", false)
	if len(r.Packages) > 1 {
		add("Go", false)
	}
	if severalProcs {
		add("procs", true)
	}
	add("median", true)
	add("95 % interval", true)
	add("x cgo", true)
	if severalProcs {
		add("scaling", true)
	}
	return header, numeric
}

func (r *Result) cells(row row, severalProcs bool) []string {
	cells := []string{"  " + row.Variant}
	if len(r.Packages) > 1 {
		cells = append(cells, row.Go)
	}
	if severalProcs {
		cells = append(cells, fmt.Sprint(row.Procs))
	}
	interval := "too few rounds"
	if row.NSCI.Finite() {
		interval = FormatTime(row.NSCI.Lo) + " to " + FormatTime(row.NSCI.Hi)
	}
	cells = append(cells, FormatTime(row.NS), interval, Digits(row.Ratio))
	if severalProcs {
		cells = append(cells, Digits(row.Scaling))
	}
	return cells
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
