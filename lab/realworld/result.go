package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"slices"
)

// A result is what a suite ended in; realworld-NAME.json holds it.
type result struct {
	Module, Version, Work, Note, Go string
	Tests
	Ratio           float64    // cgo's time divided by wherry's: above 1 is faster
	CI              [2]float64 // 95 %
	CgoNS, WherryNS float64
	Rounds          int
	Fast, Cgo       int        // C functions in the job's program, by how they are called
	Allocs          [2]float64 // of one operation, plain and by wherry
	Share           float64    // of the plain way's processor time: in crossings
	Profile         Profile
}

// Tests is how the package's own tests ended by wherry, and what differs from
// plain cgo.
type Tests struct {
	Date                    string // of the run
	Passed, Failed, Skipped int
	Unsteady                int      // not the same in two plain runs, and left out
	Differences             []string `json:",omitempty"`
	TestFast, TestCgo       int      // C functions in the test program
}

// store writes what the suite ended in.
func (s suite) store(r *result) error {
	text, err := json.MarshalIndent(r, "", "\t")
	if err != nil {
		return err
	}
	return os.WriteFile(s.file(".json"), append(text, '\n'), 0o666)
}

func (s suite) read() (*result, error) {
	text, err := os.ReadFile(s.file(".json"))
	if err != nil {
		return nil, err
	}
	r := new(result)
	if err := json.Unmarshal(text, r); err != nil {
		return nil, fmt.Errorf("%s: %w", s.file(".json"), err)
	}
	return r, nil
}

// A summary is what a whole run shows.
type summary struct {
	packages, otherwise, slower, clear int // clear: the whole interval is above 1.10
	crossing                           int
	mean                               float64 // of the ratios where crossings are a tenth of the time
}

func summarize(all []*result) (s summary) {
	logs := 0.0
	for _, r := range all {
		s.packages++
		s.otherwise += len(r.Differences)
		if r.CI[1] < 0.97 {
			s.slower++
		}
		if r.CI[0] > 1.10 {
			s.clear++
		}
		if r.Share >= 0.1 {
			s.crossing++
			logs += math.Log(r.Ratio)
		}
	}
	if s.crossing > 0 {
		s.mean = math.Exp(logs / float64(s.crossing))
	}
	return s
}

// ordered sorts by the gain, the most first.
func ordered(all []*result) {
	slices.SortStableFunc(all, func(a, b *result) int { return cmp.Compare(b.Ratio, a.Ratio) })
}
