// Package probe is the measured side of `wherry bench`: what a scenario is,
// and the program around scenarios. It runs in processes of its own, which
// package latency starts; both speak by flags and by JSON lines.
package probe

import "time"

// A Scenario is one variant of one piece of work. Variants with the same Bench
// do the same, so that their times can be compared. What they are called is
// part of the output's format (see package latency).
type Scenario struct {
	Bench, Variant string
	What           string // in a few words, for people

	// Run does the work n times and reports whether the result is right. It
	// is called on several goroutines at once.
	Run func(n int) bool

	// Total, if not nil, is read before and after a sample: it must have
	// advanced by the operations of all goroutines together.
	Total func() int

	// Least is the fewest operations of a sample, where starting them costs far
	// more than one of them.
	Least int

	// Setup, if not nil, makes what Run needs, which is then kept until the
	// process ends. Scenarios with the same Alone run in a process of their
	// own, so that what one keeps does not slow the others' garbage collection.
	Setup func()
	Alone string
}

// Name is what patterns are matched with.
func (s *Scenario) Name() string { return s.Bench + "/" + s.Variant }

// A Listing announces a scenario.
type Listing struct {
	Bench   string `json:"bench"`
	Variant string `json:"variant"`
	What    string `json:"what"`
	Alone   string `json:"alone,omitempty"`
}

// A Sample is one measurement: the time that an operation took, where Procs
// goroutines did the same number of operations at the same time. Perfect
// scaling leaves it as it is with one goroutine.
type Sample struct {
	Bench   string  `json:"bench"`
	Variant string  `json:"variant"`
	Procs   int     `json:"procs"`
	Round   int     `json:"round"`
	NS      float64 `json:"ns"`
	Error   string  `json:"error,omitempty"` // a wrong result
}

// perOperation returns the nanoseconds of one of n operations.
func perOperation(d time.Duration, n int) float64 { return float64(d.Nanoseconds()) / float64(n) }
