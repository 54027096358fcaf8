package main

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
)

// A speed holds the ratios of a suite's benchmarks: cgo's time divided by
// wherry's, above 1 is faster.
type speed struct {
	sum            float64 // of logarithms
	n              int
	faster, slower extreme
}

// An extreme counts the benchmarks of which wherry compare shows, with its
// interval, that they are faster, or slower, and keeps the one that is most.
type extreme struct {
	n    int
	most benchmark
}

type benchmark struct {
	Name    string
	Ratio   float64
	Verdict string
}

func (s *speed) add(b benchmark) {
	b.Name = strings.TrimPrefix(b.Name, "Benchmark")
	switch b.Verdict {
	case "faster":
		s.faster.add(b, b.Ratio > s.faster.most.Ratio)
	case "slower":
		s.slower.add(b, b.Ratio < s.slower.most.Ratio)
	}
	s.sum += math.Log(b.Ratio)
	s.n++
}

func (e *extreme) add(b benchmark, more bool) {
	if e.n == 0 || more {
		e.most = b
	}
	e.n++
}

func (e extreme) String() string {
	if e.n == 0 {
		return "none"
	}
	return fmt.Sprintf("%d, most %s %.2f", e.n, e.most.Name, e.most.Ratio)
}

// String is the three cells of the table.
func (s speed) String() string {
	if s.n == 0 {
		return "not measured | | "
	}
	return fmt.Sprintf("%.2f of %d | %s | %s", math.Exp(s.sum/float64(s.n)), s.n, s.faster, s.slower)
}

// read takes the ratios from what wherry compare -json writes.
func (s *speed) read(text []byte) error {
	var run struct {
		Packages []struct {
			Error      string
			Benchmarks []benchmark
		}
	}
	if err := json.Unmarshal(text, &run); err != nil {
		return fmt.Errorf("realworld: wherry compare wrote %.80q: %w", text, err)
	}
	for _, p := range run.Packages {
		if p.Error != "" {
			return fmt.Errorf("realworld: wherry compare: %s", p.Error)
		}
		for _, b := range p.Benchmarks {
			if b.Ratio > 0 {
				s.add(b)
			}
		}
	}
	return nil
}
