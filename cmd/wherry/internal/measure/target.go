package measure

import (
	"cmp"
	"fmt"
	"io"
	"math/rand/v2"
)

// A Function is one C function that a package calls, and what became of it.
type Function struct {
	Function string `json:"function"`
	Mode     string `json:"mode,omitempty"` // empty: kept on cgo
	Why      string `json:"why"`
}

// A Target is one package in its two builds.
type Target struct {
	Package string // import path
	Dir     string // where the executables run: for tests the package's folder

	Plain, Wherry string // the two executables

	Program bool // a program, compared as a whole process, and not a test binary

	Accelerated, Kept []Function
}

// Options say what to run. The zero value runs all benchmarks ten times and
// no test.
type Options struct {
	Bench     string // which benchmarks, as go test -bench; default "."
	Benchtime string // as go test -benchtime; default the test binary's own
	CPU       string // as go test -cpu; default the test binary's own
	Count     int    // rounds; default 10, and up to 40 where these leave it open

	Tests bool   // run the tests in both builds before anything is measured
	Run   string // which tests, as go test -run; default all

	Progress io.Writer // gets a progress bar, if it is a terminal; may be nil
	Log      io.Writer // gets a line for each step; may be nil
	Raw      io.Writer // gets every benchmark line, readable by benchstat; may be nil

	most int         // rounds at most, where Count leave it open
	coin func() bool // decides which variant is first; nil for a random one
}

// DefaultCount is the number of rounds when Options.Count is 0, and DefaultMost how
// many a benchmark then gets at most. The interval of ten ratios leaves out the lowest
// and the highest one, so a single bad round cannot decide.
const (
	DefaultCount = 10
	DefaultMost  = 40
)

func (o Options) withDefaults() (Options, error) {
	o.Bench = cmp.Or(o.Bench, ".")
	o.most = o.Count
	if o.Count == 0 {
		o.Count, o.most = DefaultCount, DefaultMost
	}
	if o.coin == nil {
		o.coin = func() bool { return rand.Uint32()&1 == 0 }
	}
	if o.Count < 0 {
		return o, fmt.Errorf("measure: the count of rounds is %d; give at least 1, 6 or more for an interval, 10 or more for a verdict", o.Count)
	}
	return o, checkPattern(o.Bench)
}

// A variant is one of a target's two builds.
type variant int

const (
	cgo variant = iota
	wherry
)

var variants = [2]variant{cgo, wherry}

// String names the variant as the columns of every report do.
func (v variant) String() string { return [2]string{"cgo", "wherry"}[v] }

// how names the variant inside a sentence.
func (v variant) how() string { return [2]string{"without wherry", "with wherry"}[v] }

func (t *Target) executable(v variant) string {
	return [2]string{t.Plain, t.Wherry}[v]
}
