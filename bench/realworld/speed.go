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
	sum         float64 // of logarithms
	n           int
	best, worst benchmark
}

type benchmark struct {
	Name  string
	Ratio float64
}

func (s *speed) add(name string, ratio float64) {
	b := benchmark{strings.TrimPrefix(name, "Benchmark"), ratio}
	if s.n == 0 || ratio > s.best.Ratio {
		s.best = b
	}
	if s.n == 0 || ratio < s.worst.Ratio {
		s.worst = b
	}
	s.sum += math.Log(ratio)
	s.n++
}

// String is the three cells of the table.
func (s speed) String() string {
	if s.n == 0 {
		return "not measured | | "
	}
	return fmt.Sprintf("%.2f of %d | %.2f %s | %.2f %s", math.Exp(s.sum/float64(s.n)), s.n, s.best.Ratio, s.best.Name, s.worst.Ratio, s.worst.Name)
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
				s.add(b.Name, b.Ratio)
			}
		}
	}
	return nil
}
