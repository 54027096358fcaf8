package latency

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/wherrygo/wherry/cmd/wherry/internal/bench"
)

// WriteText writes the table for a terminal.
func (r *Report) WriteText(w io.Writer) error {
	var text strings.Builder
	fmt.Fprintln(&text, r.machine())
	header, numeric := r.columns()
	rows := [][]string{header}
	for _, row := range r.Rows {
		rows = append(rows, r.cells(row))
	}
	lines := bench.Table(rows, numeric)
	fmt.Fprintf(&text, "\n%s\n", lines[0])
	for i, row := range r.Rows {
		if i == 0 || row.Bench != r.Rows[i-1].Bench {
			fmt.Fprintf(&text, "\n%s\n", strings.TrimSuffix(row.Bench+": "+row.What, ": ")) // old runs kept no words
		}
		fmt.Fprintln(&text, lines[i+1])
	}
	fmt.Fprintf(&text, "\n%s\n", r.legend())
	for _, warning := range r.warnings() {
		fmt.Fprintf(&text, "warning: %s\n", warning)
	}
	_, err := io.WriteString(w, text.String())
	return err
}

// columns leaves out what is the same in all rows.
func (r *Report) columns() (header []string, numeric []bool) {
	add := func(name string, right bool) { header, numeric = append(header, name), append(numeric, right) }
	add("  variant", false)
	if r.severalGo() {
		add("Go", false)
	}
	if r.severalProcs() {
		add("procs", true)
	}
	add("median", true)
	add("95 % interval", true)
	add("x cgo", true)
	if r.severalProcs() {
		add("scaling", true)
	}
	return header, numeric
}

func (r *Report) cells(row *Row) []string {
	cells := []string{"  " + row.Variant}
	if r.severalGo() {
		cells = append(cells, row.Go)
	}
	if r.severalProcs() {
		cells = append(cells, fmt.Sprint(row.Procs))
	}
	interval := "too few rounds"
	if row.Lo != nil && row.Hi != nil {
		interval = bench.FormatTime(*row.Lo) + " to " + bench.FormatTime(*row.Hi)
	}
	cells = append(cells, bench.FormatTime(row.NS), interval, times(row.Ratio))
	if r.severalProcs() {
		cells = append(cells, times(row.Scaling))
	}
	return cells
}

// times returns a ratio as text.
func times(v float64) string {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return "?"
	}
	return bench.Digits(v)
}

func (r *Report) severalGo() bool {
	return len(r.programs) > 1 && r.programs[0].Go != r.programs[len(r.programs)-1].Go
}

func (r *Report) severalProcs() bool {
	return slices.ContainsFunc(r.Rows, func(row *Row) bool { return row.Procs != r.Rows[0].Procs })
}

func (r *Report) machine() string {
	var versions []string
	for i, p := range r.programs {
		if i == 0 || p.Go != r.programs[i-1].Go {
			versions = append(versions, p.Go)
		}
	}
	row := r.Rows[0]
	return fmt.Sprintf("%s, %s/%s, %s, %d rounds", strings.Join(versions, " and "), row.GOOS, row.GOARCH, row.CPU, row.Rounds)
}

func (r *Report) legend() string {
	text := "x cgo: cgo's time divided by this one, round by round; above 1 is faster. Work without a cgo variant is compared with call/add's."
	if r.severalProcs() {
		text += "\nprocs: as many goroutines do the same at once; the time is that of an operation on each." +
			" scaling: how much more all get done than one; as much as procs is perfect, 1 means that more cores do not help."
	}
	return text
}

func (r *Report) warnings() (warnings []string) {
	if why := r.Rows[0].Noisy; why != "" {
		warnings = append(warnings, "the machine was noisy: "+why+"; for figures that repeat, end other programs and measure again")
	}
	for _, p := range r.programs {
		if p.Plain {
			warnings = append(warnings, p.Go+": built without wherry's fast path, so there is no fast and no reentrant variant; wherry doctor "+
				"says why")
		}
	}
	if r.Rows[0].Lo == nil {
		warnings = append(warnings, "fewer than 6 rounds give no interval; raise -count")
	}
	return warnings
}
