package stat

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
)

// mostRows is how many functions the table shows.
const mostRows = 40

// WriteText writes the report as a table.
func (r *Report) WriteText(w io.Writer) error {
	_, err := fmt.Fprintf(w, "%s: %s, %s of CPU time; %s calls of C functions, %s callbacks\n",
		r.Program, formatTime(float64(r.WallNS)), formatTime(float64(r.CPUNS)), group(r.Calls), group(r.Callbacks))
	errs := []error{err}
	if len(r.Rows) > 0 {
		fmt.Fprintf(w, "a call costs %s through cgo, %s fast, %s on a C stack; a callback %s through cgo, %s from a C stack\n\n",
			formatTime(r.Costs.Call["cgo"]), formatTime(r.Costs.Call["fast"]), formatTime(r.Costs.Call["reentrant"]),
			formatTime(r.Costs.Callback["cgo"]), formatTime(r.Costs.Callback["reentrant"]))
		table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
		several := slices.ContainsFunc(r.Rows, func(row Row) bool { return row.Package != r.Rows[0].Package })
		pkg := func(name string) string { // a column, where it tells something
			if !several {
				return ""
			}
			return name + "\t"
		}
		fmt.Fprintln(table, "function\t"+pkg("package")+"mode\tcrossings\tper second\ttime in them\tof CPU\tcould save\tturned\twhy")
		for _, row := range r.Rows[:min(mostRows, len(r.Rows))] {
			name := "C." + row.Function
			if row.Kind == Callback {
				name = "callback " + row.Function
			}
			saves := "-"
			if row.SavesNS > 0 {
				saves = formatTime(row.SavesNS)
			}
			fmt.Fprintf(table, "%s\t%s%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", name, pkg(row.Package), row.Mode, group(row.N), group(uint64(row.Rate+0.5)),
				formatTime(row.NS), percent(row.Share), saves, row.Turned.text(), row.Why)
		}
		errs = append(errs, table.Flush())
		if more := len(r.Rows) - mostRows; more > 0 {
			fmt.Fprintf(w, "and %d more; -json lists all\n", more)
		}
		if r.Threads.Held > 0 {
			fmt.Fprintf(w, "C threads held their P %s times; taken back by: %s\n", group(r.Threads.Held), r.Threads.TakenBack.text())
		}
		for _, why := range r.WhyNot {
			fmt.Fprintln(w, why)
		}
		if r.Idle > 0 {
			fmt.Fprintf(w, "%d C functions were never called\n", r.Idle)
		}
		fmt.Fprintln(w)
	}
	for _, warning := range r.Warnings {
		fmt.Fprintf(w, "warning: %s\n", warning)
	}
	r.writeAdvice(w)
	_, err = fmt.Fprintln(w, r.Verdict)
	return errors.Join(append(errs, err)...)
}

// text says how many calls were turned, by what, and how long they went on: "12
// signal, 3 blocking (1.2 s)".
func (t *Turns) text() string {
	if t.all() == 0 {
		return "-"
	}
	var parts []string
	for i, n := range []uint64{t.Signal, t.Blocking, t.Callback, t.Cgo} {
		if n > 0 {
			parts = append(parts, group(n)+" "+turnedBy[i])
		}
	}
	return fmt.Sprintf("%s (%s)", strings.Join(parts, ", "), formatTime(float64(t.NS)))
}

// group writes a count with commas.
func group(n uint64) string {
	text := strconv.FormatUint(n, 10)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}

func percent(share float64) string {
	switch {
	case share > 0 && share < 0.0005:
		return "less than 0.1 %"
	case share < 0.0995:
		return strconv.FormatFloat(100*share, 'f', 1, 64) + " %"
	}
	return strconv.FormatFloat(100*share, 'f', 0, 64) + " %"
}

// formatTime writes nanoseconds with three digits that count.
func formatTime(ns float64) string {
	unit := "ns"
	for _, u := range []struct {
		name string
		ns   float64
	}{{"s", 1e9}, {"ms", 1e6}, {"us", 1e3}} {
		if ns >= 0.9995*u.ns {
			ns, unit = ns/u.ns, u.name
			break
		}
	}
	decimals := 2
	switch {
	case ns >= 99.95:
		decimals = 0
	case ns >= 9.995:
		decimals = 1
	}
	return strconv.FormatFloat(ns, 'f', decimals, 64) + " " + unit
}
