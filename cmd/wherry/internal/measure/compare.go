package measure

import (
	"context"
	"debug/buildinfo"
	"errors"
	"fmt"
	"strings"
)

// Compare checks and measures the targets, one after the other. A target that
// cannot be compared does not stop the others: the Result then still holds
// them all, with Package.Error saying what was wrong, and the error returned
// joins these. When ctx ends, the Result holds what the rounds show that were complete.
func Compare(ctx context.Context, targets []Target, options Options) (*Result, error) {
	options, err := options.withDefaults()
	if err != nil {
		return nil, err
	}
	c := &comparison{
		Options:   options,
		result:    &Result{Packages: []Package{}},
		firstRuns: map[*Target]firstRun{},
		report: &reporter{log: options.Log, progress: NewProgress(options.Progress),
			total: len(targets) * options.Count * len(variants)},
	}
	defer c.report.progress.Clear()

	// All checks come before all measuring, so that a mistake is known after
	// minutes and not after an hour.
	broken := make([]error, len(targets))
	for i := range targets {
		if broken[i] = c.check(ctx, &targets[i]); ctx.Err() != nil {
			return c.result, broken[i]
		}
	}
	for i := range targets {
		t := &targets[i]
		p := newPackage(t)
		if broken[i] == nil {
			broken[i] = c.measure(ctx, t, &p)
		} else {
			c.report.total -= c.Count * len(variants)
		}
		if ctx.Err() != nil {
			if len(p.Benchmarks) > 0 {
				c.result.Packages = append(c.result.Packages, p)
			}
			return c.result, broken[i]
		}
		if broken[i] != nil {
			p.Error = strings.TrimPrefix(broken[i].Error(), "measure: "+t.Package+": ")
		}
		c.result.Packages = append(c.result.Packages, p)
	}
	return c.result, errors.Join(broken...)
}

// A comparison is one call of Compare.
type comparison struct {
	Options
	result    *Result
	report    *reporter
	firstRuns map[*Target]firstRun // of programs
}

// check finds out whether the two builds of a target do the same.
func (c *comparison) check(ctx context.Context, t *Target) error {
	info, err := buildinfo.ReadFile(t.Plain)
	if err != nil {
		return fmt.Errorf("measure: %s: the executable is not one of Go: %w", t.Package, err)
	}
	c.result.Go = info.GoVersion
	switch {
	case t.Program:
		return c.checkProgram(ctx, t)
	case c.Tests:
		return c.checkTests(ctx, t)
	}
	return nil
}

// newPackage has no nil slice, so that the JSON has none of these as null.
func newPackage(t *Target) Package {
	return Package{
		Package:     t.Package,
		Accelerated: sortedFunctions(t.Accelerated),
		Kept:        sortedFunctions(t.Kept),
		Benchmarks:  []Benchmark{},
	}
}
