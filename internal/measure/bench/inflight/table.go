package main

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"golang.org/x/perf/benchmath"
)

// A row is one measure of one case, over all rounds.
type row struct {
	Case    string    `json:"case"`
	Measure string    `json:"measure"` // its name ends in the unit
	Cgo     summary   `json:"cgo"`
	Wherry  summary   `json:"wherry"`
	Ratio   *interval `json:"ratio,omitempty"` // in flight / cgo
	Goal    string    `json:"goal,omitempty"`
	Met     bool      `json:"met"` // the goal, if there is one
}

type summary struct {
	Median float64   `json:"median"`
	Min    float64   `json:"min"`
	Max    float64   `json:"max"`
	Values []float64 `json:"values"` // in order of the rounds
}

type interval struct {
	Median float64  `json:"median"`
	Low    *float64 `json:"low"` // none with few rounds
	High   *float64 `json:"high"`
}

// summarize reads raw lines.
func summarize(raw []byte) ([]row, error) {
	type key struct{ name, measure string }
	values := map[key]map[string][]float64{} // by way
	var keys []key
	for line := range strings.Lines(string(raw)) {
		words := strings.Fields(line)
		if len(words) == 0 || words[0] != "inflight" {
			continue
		}
		if len(words) != 5 {
			return nil, fmt.Errorf("malformed line %q", line)
		}
		var fields [4]string
		for i, name := range []string{"way", "round", "case"} {
			value, ok := strings.CutPrefix(words[i+1], name+"=")
			if !ok {
				return nil, fmt.Errorf("malformed line %q: want %s=", line, name)
			}
			fields[i] = value
		}
		measure, text, _ := strings.Cut(words[4], "=")
		value, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return nil, fmt.Errorf("malformed line %q: %w", line, err)
		}
		k := key{fields[2], measure}
		if values[k] == nil {
			values[k] = map[string][]float64{}
			keys = append(keys, k)
		}
		values[k][fields[0]] = append(values[k][fields[0]], value)
	}
	var rows []row
	for _, k := range keys {
		cgo, wherry := values[k][ways[0]], values[k][ways[1]]
		r := row{Case: k.name, Measure: k.measure, Cgo: summaryOf(cgo), Wherry: summaryOf(wherry)}
		if len(cgo) == len(wherry) {
			r.Ratio = ratio(wherry, cgo)
		}
		if g := goalOf(k.name, k.measure); g != nil {
			r.Goal, r.Met = g.text, g.met(r)
		}
		rows = append(rows, r)
	}
	return rows, nil
}

func summaryOf(values []float64) summary {
	if len(values) == 0 {
		return summary{}
	}
	return summary{benchmath.AssumeNothing.Summary(sample(values), 0.95).Center, slices.Min(values), slices.Max(values), values}
}

func sample(values []float64) *benchmath.Sample {
	return benchmath.NewSample(slices.Clone(values), &benchmath.DefaultThresholds)
}

// ratio is nil where a round has no ratio.
func ratio(a, b []float64) *interval {
	var ratios []float64
	for i := range a {
		if b[i] == 0 {
			return nil
		}
		ratios = append(ratios, a[i]/b[i])
	}
	s := benchmath.AssumeNothing.Summary(sample(ratios), 0.95)
	r := &interval{Median: s.Center}
	if !math.IsInf(s.Lo, 0) && !math.IsInf(s.Hi, 0) {
		r.Low, r.High = &s.Lo, &s.Hi
	}
	return r
}

// A goal is what a measure should come to.
type goal struct {
	text string
	met  func(row) bool
}

func atMost(limit float64) *goal {
	return &goal{fmt.Sprintf("<= %g", limit), func(r row) bool { return len(r.Wherry.Values) > 0 && r.Wherry.Median <= limit }}
}

func ratioAtMost(limit float64) *goal {
	return &goal{fmt.Sprintf("ratio <= %g", limit), func(r row) bool { return r.Ratio != nil && r.Ratio.Median <= limit }}
}

func ratioAtLeast(limit float64) *goal {
	return &goal{fmt.Sprintf("ratio >= %g", limit), func(r row) bool { return r.Ratio != nil && r.Ratio.Median >= limit }}
}

// goalOf returns nil where there is none.
func goalOf(name, measure string) *goal {
	part, which, _ := strings.Cut(name, "/")
	switch {
	case name == "stop/in-go":
		return nil
	case part == "stop" && strings.HasPrefix(measure, "stopping-") && strings.HasSuffix(measure, "-p99-us"):
		return atMost(100)
	case part == "stop" && strings.HasSuffix(measure, "-p50-us") && !strings.HasPrefix(measure, "stopping-"):
		return ratioAtMost(1.2)
	case part == "late" && measure == "late-p99-us" && (which == "raw-futex" || which == "spinning" || which == "page-faults"):
		return atMost(30_000)
	case part == "late" && measure == "late-p99-us":
		return atMost(1000)
	case part == "end" && strings.HasPrefix(measure, "in-a-second"):
		return &goal{"all", func(r row) bool { return len(r.Wherry.Values) > 0 && r.Wherry.Min == 100 }}
	case part == "eintr" && which != "raw-futex": // a signal comes before anybody could know
		return &goal{"no more than cgo", func(r row) bool { return sum(r.Wherry.Values) <= sum(r.Cgo.Values) }}
	case name == "threads/1-P2", name == "threads/1-P4":
		return ratioAtLeast(8)
	case name == "threads/2-P4":
		return ratioAtLeast(6)
	case name == "threads/2-P4-issue60961":
		return ratioAtLeast(1.8)
	case part == "threadstop" && !strings.HasPrefix(measure, "stopping-") && strings.HasSuffix(measure, "-us"):
		return &goal{"ratio <= 1.2, or 50 us", func(r row) bool {
			return r.Ratio != nil && (r.Ratio.Median <= 1.2 || r.Wherry.Median <= 50)
		}}
	case strings.HasPrefix(part, "thread"), part == "beside":
		return &goal{"not worse by 5 %", func(r row) bool { return r.notWorse(0.95) }}
	case part == "sleepers":
		return ratioAtLeast(0.95)
	case name == "crossing/add":
		return ratioAtMost(0.1)
	case part == "crossing": // as fast as cgo, or a ratio that says otherwise is not sure
		return &goal{"not slower by 3 %", func(r row) bool {
			return r.Ratio != nil && (r.Ratio.Low == nil && r.Ratio.Median <= 1/0.97 || r.Ratio.Low != nil && *r.Ratio.Low <= 1/0.97)
		}}
	case part == "compute":
		return &goal{"not slower by 3 %", func(r row) bool {
			return r.Ratio != nil && (r.Ratio.High == nil && r.Ratio.Median >= 0.97 || r.Ratio.High != nil && *r.Ratio.High >= 0.97)
		}}
	}
	return nil
}

// notWorse reports whether a ratio is above the limit, or its interval is not wholly
// below: of a rate; of a time, which ends in us, the other way around.
func (r row) notWorse(limit float64) bool {
	if r.Ratio == nil {
		return false
	}
	low, high := r.Ratio.Median, r.Ratio.Median
	if r.Ratio.Low != nil {
		low, high = *r.Ratio.Low, *r.Ratio.High
	}
	if strings.HasSuffix(r.Measure, "-us") {
		return low <= 1/limit
	}
	return high >= limit
}

func sum(values []float64) float64 {
	total := 0.0
	for _, v := range values {
		total += v
	}
	return total
}

func writeJSON(w io.Writer, rows []row) error {
	encoder := json.NewEncoder(w)
	encoder.SetIndent("", "\t")
	return encoder.Encode(rows)
}

// writeText writes a table: medians, and the lowest and highest in brackets.
func writeText(w io.Writer, rows []row) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "case\tmeasure\tcgo\tin flight\tin flight / cgo\tgoal\t")
	for _, r := range rows {
		ratio, verdict := "", ""
		if r.Ratio != nil {
			ratio = fmt.Sprintf("%.3g", r.Ratio.Median)
			if r.Ratio.Low != nil {
				ratio += fmt.Sprintf(" (%.3g-%.3g)", *r.Ratio.Low, *r.Ratio.High)
			}
		}
		if r.Goal != "" {
			if verdict = "missed: " + r.Goal; r.Met {
				verdict = "met: " + r.Goal
			}
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t%s\t\n", r.Case, r.Measure, r.Cgo.text(), r.Wherry.text(), ratio, verdict)
	}
	return t.Flush()
}

func (s summary) text() string {
	if len(s.Values) == 0 {
		return "nothing"
	}
	return fmt.Sprintf("%s (%s-%s)", number(s.Median), number(s.Min), number(s.Max))
}

// number has three digits that count.
func number(v float64) string {
	if math.Abs(v) >= 1000 {
		return fmt.Sprintf("%.0f", v)
	}
	return fmt.Sprintf("%.3g", v)
}
