package measure

import (
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// How numbers look for people: three digits that count. JSON has all digits.

// Digits returns v with three significant digits, without an exponent.
func Digits(v float64) string {
	switch {
	case v >= 99.95:
		return strconv.FormatFloat(v, 'f', 0, 64)
	case v >= 9.995:
		return strconv.FormatFloat(v, 'f', 1, 64)
	case v >= 0.9995:
		return strconv.FormatFloat(v, 'f', 2, 64)
	case v >= 0.09995:
		return strconv.FormatFloat(v, 'f', 3, 64)
	}
	return strconv.FormatFloat(v, 'g', 3, 64)
}

// FormatTime returns nanoseconds in the largest unit that leaves a number of 1 or more.
func FormatTime(ns float64) string {
	for _, u := range []struct {
		name string
		ns   float64
	}{{"s", 1e9}, {"ms", 1e6}, {"us", 1e3}} {
		if ns >= 0.9995*u.ns { // what would be shown as 1000 goes to the next unit
			return Digits(ns/u.ns) + " " + u.name
		}
	}
	return Digits(ns) + " ns"
}

func formatBytes(n float64) string {
	switch {
	case n >= 1<<20:
		return Digits(n/(1<<20)) + " MiB"
	case n >= 10<<10:
		return Digits(n/(1<<10)) + " KiB"
	}
	return formatCount(n) + " B"
}

// formatCount is for allocations, mostly whole numbers.
func formatCount(n float64) string {
	return strings.TrimSuffix(strconv.FormatFloat(n, 'f', 1, 64), ".0")
}

// FormatRatio gives a ratio three decimals, fewer above 10, and more when it
// would look like 1 and is not: then its side of 1 is what matters.
func FormatRatio(v float64) string {
	decimals := 3
	switch {
	case v >= 99.95:
		decimals = 0
	case v >= 9.995:
		decimals = 1
	}
	for ; decimals < 6; decimals++ {
		if v == 1 || math.Round(v*math.Pow10(decimals)) != math.Pow10(decimals) {
			break
		}
	}
	return strconv.FormatFloat(v, 'f', decimals, 64)
}

func formatInterval(i Interval) string {
	if !i.Finite() {
		return "∞"
	}
	return FormatRatio(i.Lo) + " to " + FormatRatio(i.Hi)
}

// Table aligns rows in columns, two spaces apart.
func Table(rows [][]string, right []bool) []string {
	var widths []int
	for _, row := range rows {
		for i, cell := range row {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	lines := make([]string, len(rows))
	for n, row := range rows {
		var line strings.Builder
		for i, cell := range row {
			pad := strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell))
			if i < len(right) && right[i] {
				line.WriteString(pad + cell + "  ")
			} else {
				line.WriteString(cell + pad + "  ")
			}
		}
		lines[n] = strings.TrimRight(line.String(), " ")
	}
	return lines
}
