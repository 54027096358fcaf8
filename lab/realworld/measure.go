package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// A compared is what wherry compare -json says of one package.
type compared struct {
	Go       string
	Packages []struct {
		Error             string
		Accelerated, Kept []struct{ Function string }
		Benchmarks        []struct {
			Ratio   float64
			CI      []float64
			CgoNS   float64 `json:"cgo_ns"`
			NS      float64 `json:"ns"`
			Samples struct {
				Cgo []float64 `json:"cgo_ns"`
			}
		}
		NotCompared []struct{ Name, Reason string } `json:"not_compared"`
	}
}

// measure compares the main job, built plainly and by wherry, counts the crossings of
// the plain way, and profiles the other.
func (s suite) measure(r *result) error {
	folder := filepath.Join(jobs, s.name)
	share, err := s.crossings(folder)
	if err != nil {
		return err
	}
	all, err := s.compare(folder)
	if err != nil {
		return err
	}
	if r.Profile, err = s.profile(folder); err != nil {
		return err
	}
	p := all.Packages[0]
	if len(p.Benchmarks) != 1 || len(p.Benchmarks[0].CI) != 2 {
		return fmt.Errorf("wherry compare gave no ratio with an interval: %v", p.NotCompared)
	}
	b := p.Benchmarks[0]
	r.Go, r.Ratio, r.CI, r.Share = all.Go, b.Ratio, [2]float64{b.CI[0], b.CI[1]}, share
	r.CgoNS, r.WherryNS, r.Rounds = b.CgoNS, b.NS, len(b.Samples.Cgo)
	r.Fast, r.Cgo = len(p.Accelerated), len(p.Kept)
	lines, err := os.ReadFile(s.file(".txt"))
	if err != nil {
		return err
	}
	r.Allocs = medians(lines, "allocs/op")
	return nil
}

func (s suite) compare(folder string) (all compared, err error) {
	cmd := s.command(folder, *wherry, "compare", "-notest", "-json", "-bench", "^BenchmarkJob$", "-benchtime", *benchtime,
		"-count", fmt.Sprint(*count), "-raw", s.file(".txt"), ".")
	cmd.Env = append(cmd.Env, "REALWORLD_PROCESSOR=1") // job.Processor
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return all, fmt.Errorf("wherry compare: %w\n%s", err, stderr.Bytes())
	}
	if err := json.Unmarshal(out, &all); err != nil {
		return all, fmt.Errorf("wherry compare wrote %.80q: %w", out, err)
	}
	if len(all.Packages) != 1 || all.Packages[0].Error != "" {
		return all, fmt.Errorf("wherry compare: got %d packages, want one: %.300s", len(all.Packages), out)
	}
	return all, nil
}

// program makes a program of the benchmark, which wherry stat can run.
const program = `package main

import (
	"flag"
	"os"
	"testing"
)

func main() {
	testing.Init()
	flag.Set("test.benchtime", "2s")
	if testing.Benchmark(BenchmarkJob).N == 0 {
		os.Exit(1)
	}
}
`

// crossings returns the share of the plain way's processor time that is crossings.
func (s suite) crossings(folder string) (share float64, err error) {
	temporary, err := os.MkdirTemp("", "realworld")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(temporary)
	job, err := os.ReadFile(filepath.Join(folder, "job_test.go"))
	err = errors.Join(err, s.copyPins(temporary), s.edit(temporary, "-replace="+ops+"="+filepath.Join(jobs, "job")),
		os.WriteFile(filepath.Join(temporary, "job.go"), job, 0o666),
		os.WriteFile(filepath.Join(temporary, "main.go"), []byte(program), 0o666))
	if err != nil {
		return 0, err
	}
	cmd := s.command(temporary, *wherry, "stat", "-json", "-o", s.file(".stat.json"), ".")
	cmd.Env = append(cmd.Env, "WHERRY_DEFAULT=cgo")
	if out, err := cmd.CombinedOutput(); err != nil {
		return 0, fmt.Errorf("wherry stat: %w\n%s", err, out)
	}
	text, err := os.ReadFile(s.file(".stat.json"))
	if err != nil {
		return 0, err
	}
	var counted struct {
		Share float64 `json:"cpu_share"`
	}
	return counted.Share, json.Unmarshal(text, &counted)
}

// medians are those of a unit, plain and by wherry, in the lines that wherry compare
// -raw keeps.
func medians(raw []byte, unit string) (m [2]float64) {
	var all [2][]float64
	variant := 0
	lines := bufio.NewScanner(bytes.NewReader(raw))
	for lines.Scan() {
		switch line := lines.Text(); {
		case line == "variant: cgo":
			variant = 0
		case line == "variant: wherry":
			variant = 1
		case strings.HasPrefix(line, "Benchmark"):
			fields := strings.Fields(line)
			if i := slices.Index(fields, unit); i > 0 {
				if n, err := strconv.ParseFloat(fields[i-1], 64); err == nil {
					all[variant] = append(all[variant], n)
				}
			}
		}
	}
	for i, values := range all {
		m[i] = median(values)
	}
	return m
}

func median(values []float64) float64 {
	if len(values) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(values))
	return (sorted[(len(sorted)-1)/2] + sorted[len(sorted)/2]) / 2
}
