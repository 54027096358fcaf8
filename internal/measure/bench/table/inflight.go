package main

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"text/tabwriter"

	"golang.org/x/perf/benchmath"
)

// A measured is one measure of one case: its name ends in the unit. A ratio is in
// flight / cgo, without one where a round has none.
type measured struct {
	measure     string
	cgo, wherry []float64
	ratio       *benchmath.Summary
}

// A goal is what a measure should come to.
type goal struct {
	what string // a case and a measure
	text string
	met  func(measured) bool
}

// goals: the first that matches is a measure's. Without a text there is none.
var goals = []goal{
	{`^stop/in-go `, "", nil},
	atMost(`^stop/\S+ stopping-.*-p99-us$`, 100),
	{`^stop/\S+ stopping-`, "", nil},
	ratioAtMost(`^stop/.*-p50-us$`, 1.2),
	atMost(`^late/(raw-futex|spinning|page-faults) late-p99-us$`, 30_000),
	atMost(`^late/\S+ late-p99-us$`, 1000),
	{`^end/\S+ in-a-second`, "all", func(m measured) bool { return len(m.wherry) > 0 && slices.Min(m.wherry) == 100 }},
	{`^eintr/raw-futex `, "", nil}, // a signal comes before anybody could know
	{`^eintr/`, "no more than cgo", func(m measured) bool { return sum(m.wherry) <= sum(m.cgo) }},
	ratioAtLeast(`^threads/1-P[24] `, 8),
	ratioAtLeast(`^threads/2-P4 `, 6),
	ratioAtLeast(`^threads/2-P4-issue60961 `, 1.8),
	notWorse(`^threadstop/\S+ stopping-`, "not worse by 5 %", 0.95),
	{`^threadstop/.*-us$`, "ratio <= 1.2, or 50 us", func(m measured) bool {
		return m.ratio != nil && (m.ratio.Center <= 1.2 || median(m.wherry) <= 50)
	}},
	notWorse(`^(thread|beside/)`, "not worse by 5 %", 0.95),
	ratioAtLeast(`^sleepers/`, 0.95),
	ratioAtMost(`^crossing/add `, 0.1),
	notWorse(`^(crossing|compute)/`, "not slower by 3 %", 0.97),
}

func atMost(what string, limit float64) goal {
	return goal{what, fmt.Sprintf("<= %g", limit), func(m measured) bool { return len(m.wherry) > 0 && median(m.wherry) <= limit }}
}

func ratioAtMost(what string, limit float64) goal {
	return goal{what, fmt.Sprintf("ratio <= %g", limit), func(m measured) bool { return m.ratio != nil && m.ratio.Center <= limit }}
}

func ratioAtLeast(what string, limit float64) goal {
	return goal{what, fmt.Sprintf("ratio >= %g", limit), func(m measured) bool { return m.ratio != nil && m.ratio.Center >= limit }}
}

// notWorse wants a ratio above the limit, or its interval not wholly below: of a rate;
// of a time the other way around.
func notWorse(what, text string, limit float64) goal {
	return goal{what, text, func(m measured) bool {
		switch {
		case m.ratio == nil:
			return false
		case strings.HasSuffix(m.measure, "-us") || strings.HasSuffix(m.measure, "-ns"):
			return m.low() <= 1/limit
		}
		return m.high() >= limit
	}}
}

func (m measured) low() float64 {
	if math.IsInf(m.ratio.Lo, 0) { // few rounds
		return m.ratio.Center
	}
	return m.ratio.Lo
}

func (m measured) high() float64 {
	if math.IsInf(m.ratio.Hi, 0) {
		return m.ratio.Center
	}
	return m.ratio.Hi
}

func sum(values []float64) (total float64) {
	for _, v := range values {
		total += v
	}
	return total
}

// inflight writes medians, and the lowest and highest in brackets.
func inflight(r *run) (string, error) {
	var text strings.Builder
	t := tabwriter.NewWriter(&text, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "case\tmeasure\tcgo\tin flight\tin flight / cgo\tgoal\t")
	done := map[key]bool{}
	for _, k := range r.keys {
		name, _, _ := strings.Cut(k.name, "/way=")
		k.name = name
		if done[k] {
			continue
		}
		done[k] = true
		m := measured{measure: k.unit, cgo: r.samples[key{k.name + "/way=cgo", k.unit}], wherry: r.samples[key{k.name + "/way=wherry", k.unit}]}
		ratio := ""
		if len(m.cgo) == len(m.wherry) && !slices.Contains(m.cgo, 0) {
			s := summary(r.quotients(m.wherry, m.cgo))
			m.ratio, ratio = &s, fmt.Sprintf("%.3g", s.Center)
			if !math.IsInf(s.Lo, 0) {
				ratio += fmt.Sprintf(" (%.3g-%.3g)", s.Lo, s.Hi)
			}
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t%s\t\n", name, k.unit, bounds(m.cgo), bounds(m.wherry), ratio, m.verdict(name))
	}
	err := t.Flush()
	return text.String(), err
}

func (m measured) verdict(name string) string {
	for _, g := range goals {
		switch matches, err := regexp.MatchString(g.what, name+" "+m.measure); {
		case err != nil:
			panic(err)
		case !matches:
			continue
		case g.text == "":
			return ""
		case g.met(m):
			return "met: " + g.text
		}
		return "missed: " + g.text
	}
	return ""
}

func bounds(values []float64) string {
	if len(values) == 0 {
		return "nothing"
	}
	return fmt.Sprintf("%s (%s-%s)", digits(median(values)), digits(slices.Min(values)), digits(slices.Max(values)))
}
