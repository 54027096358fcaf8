package measure

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
)

// A Result is the outcome of Compare or Bench. The package comment describes its JSON.
type Result struct {
	Go       string    `json:"go"`
	CPU      string    `json:"cpu"`
	GOOS     string    `json:"goos,omitempty"`
	GOARCH   string    `json:"goarch,omitempty"`
	Noisy    string    `json:"noisy,omitempty"`
	Packages []Package `json:"packages"`
}

// A Package is the outcome for one target, or for the scenarios with one Go.
type Package struct {
	Package      string        `json:"package"`
	Go           string        `json:"go,omitempty"`
	Accelerated  []Function    `json:"accelerated"`
	Kept         []Function    `json:"kept"`
	Benchmarks   []Benchmark   `json:"benchmarks"`
	Procs        int           `json:"procs,omitempty"`
	NotCompared  []NotCompared `json:"not_compared,omitempty"`
	IgnoredUnits []string      `json:"ignored_units,omitempty"`
	Warnings     []string      `json:"warnings,omitempty"`
	Error        string        `json:"error,omitempty"`
}

// A Benchmark is what the rounds show of one variant of a benchmark, beside cgo. Allocations
// and bytes are nil where no change was shown.
type Benchmark struct {
	Name      string   `json:"name"`
	Variant   string   `json:"variant"`
	What      string   `json:"what,omitempty"`
	Procs     int      `json:"procs,omitempty"`
	CgoNS     float64  `json:"cgo_ns"`
	NS        float64  `json:"ns"`
	NSCI      Interval `json:"ns_ci"`
	Min       float64  `json:"min_ns"`
	Ratio     float64  `json:"ratio"`
	CI        Interval `json:"ci"`
	Verdict   Verdict  `json:"verdict"`
	Scaling   float64  `json:"scaling,omitempty"`
	Rounds    int      `json:"rounds"`
	CgoAllocs *float64 `json:"cgo_allocs,omitempty"`
	Allocs    *float64 `json:"allocs,omitempty"`
	CgoBytes  *float64 `json:"cgo_bytes,omitempty"`
	Bytes     *float64 `json:"bytes,omitempty"`
	Samples   Samples  `json:"samples"`
	Warnings  []string `json:"warnings,omitempty"`

	more bool // it got more rounds than others
}

// Names of the two measures of a program.
const (
	ProcessWall = "process/wall"
	ProcessUser = "process/user"
)

// Samples are the measured values, one pair for each round.
type Samples struct {
	Cgo []float64 `json:"cgo_ns"`
	NS  []float64 `json:"ns"`
}

// A NotCompared is a benchmark without a ratio, and why.
type NotCompared struct {
	Name   string `json:"name"`
	Reason string `json:"reason"`
}

// A Verdict is what the interval of the ratio shows, where the ratios are certain enough
// for many benchmarks (see firstLook). Unclear: the interval leaves 1 out, but of many
// equal benchmarks some would do so by chance.
type Verdict string

const (
	Faster       Verdict = "faster"
	Slower       Verdict = "slower"
	NoDifference Verdict = "no difference shown"
	Unclear      Verdict = "unclear"
)

// An Interval is the 95 % confidence interval of a ratio.
type Interval struct{ Lo, Hi float64 }

var infinite = Interval{math.Inf(-1), math.Inf(1)}

// Finite is false when there were too few rounds for an interval.
func (i Interval) Finite() bool {
	return !math.IsInf(i.Lo, 0) && !math.IsInf(i.Hi, 0)
}

// MarshalJSON writes [lo,hi], or null for an interval that is not finite, as
// JSON has no infinity.
func (i Interval) MarshalJSON() ([]byte, error) {
	if !i.Finite() {
		return []byte("null"), nil
	}
	return json.Marshal([2]float64{i.Lo, i.Hi})
}

// UnmarshalJSON reads what MarshalJSON wrote.
func (i *Interval) UnmarshalJSON(text []byte) error {
	var bounds *[2]float64
	if err := json.Unmarshal(text, &bounds); err != nil {
		return fmt.Errorf("measure: interval %s is neither [lo, hi] nor null", text)
	}
	*i = infinite
	if bounds != nil {
		*i = Interval{bounds[0], bounds[1]}
	}
	return nil
}

// WriteJSON writes the format that the package comment describes.
func (r *Result) WriteJSON(w io.Writer) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false) // reasons speak of C code: keep their < and & readable
	return encoder.Encode(r)
}

// ReadJSON reads a file that WriteJSON wrote.
func ReadJSON(name string) (*Result, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	var r Result
	if err := json.Unmarshal(text, &r); err != nil {
		return nil, fmt.Errorf("%s: not the JSON of wherry compare or bench: %w", name, err)
	}
	if len(r.Packages) == 0 {
		return nil, fmt.Errorf("%s: no packages: want the JSON of wherry compare or bench", name)
	}
	return &r, nil
}
