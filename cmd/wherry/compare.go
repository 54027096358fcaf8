package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path"
	"strings"

	"github.com/wherrygo/wherry/cmd/wherry/internal/measure"
	"github.com/wherrygo/wherry/internal/build/accel"
	"github.com/wherrygo/wherry/internal/build/gotool"
	"github.com/wherrygo/wherry/internal/build/policy"
)

func compare(args []string) error {
	var options measure.Options
	var raw string
	var asJSON, notest bool
	flags := flag.NewFlagSet("compare", flag.ContinueOnError)
	flags.StringVar(&options.Bench, "bench", ".", "")
	flags.StringVar(&options.Benchtime, "benchtime", "", "")
	flags.StringVar(&options.CPU, "cpu", "", "")
	flags.StringVar(&options.Run, "run", "", "")
	flags.IntVar(&options.Count, "count", 0, "")
	flags.BoolVar(&asJSON, "json", false, "")
	flags.BoolVar(&notest, "notest", false, "")
	flags.StringVar(&raw, "raw", "", "")
	c := &gotool.Command{Verb: "test"}
	goFlags(flags, c, "tags", "mod", "ldflags", "gcflags", "buildmode")
	vet := flags.String("vet", "off", "") // what it says is not compared
	if err := parseFlags(flags, args); err != nil {
		return err
	}
	if given(flags, "count") && options.Count < 1 {
		return usageError{fmt.Errorf("compare: -count %d: want at least 1", options.Count)}
	}
	c.Packages = flags.Args()
	options.Tests = !notest
	options.Progress, options.Log = os.Stderr, stderr
	var rawLines bytes.Buffer
	if raw != "" {
		options.Raw = &rawLines
	}
	ctx, stop := untilEnded()
	defer stop()
	targets, cleanUp, err := buildTargets(c, options.Bench, *vet)
	defer cleanUp()
	if err != nil {
		return err
	}
	result, err := measure.Compare(ctx, targets, options)
	if result == nil || ctx.Err() != nil && len(result.Packages) == 0 {
		return err
	}
	errs := []error{err}
	if asJSON {
		errs = append(errs, result.WriteJSON(stdout))
	} else {
		errs = append(errs, result.WriteText(stdout))
	}
	if raw != "" {
		errs = append(errs, os.WriteFile(raw, rawLines.Bytes(), 0o666))
	}
	return errors.Join(errs...)
}

func writeFile(name string, write func(io.Writer) error) error {
	file, err := os.Create(name)
	if err != nil {
		return err
	}
	return errors.Join(write(file), file.Close())
}

// buildTargets makes the two executables of each package. They and the
// configuration live until cleanUp.
func buildTargets(c *gotool.Command, pattern, vet string) (targets []measure.Target, cleanUp func(), err error) {
	cleanUp = func() {}
	a, err := prepare(c, false)
	if err != nil {
		return nil, cleanUp, err
	}
	if a.plain != nil {
		return nil, cleanUp, fmt.Errorf("compare: nothing to compare, both builds would be plain: %w", a.plain)
	}
	cleanUp = a.Close
	packages, err := c.List(c.Packages)
	if err != nil {
		return nil, cleanUp, err
	}
	for _, p := range packages {
		if p.Error != nil {
			return nil, cleanUp, fmt.Errorf("compare: %s", p.Error.Err)
		}
	}
	tests, err := a.buildTests(c, packages, vet)
	if err != nil {
		return nil, cleanUp, err
	}
	for _, p := range packages {
		target, err := a.buildTarget(c, p, pattern, tests[p.ImportPath])
		if err != nil {
			return nil, cleanUp, err
		}
		if target == nil {
			fmt.Fprintf(stderr, "wherry: %s has no benchmarks that match -bench=%s, and is no program; skipped\n", p.ImportPath, pattern)
			continue
		}
		targets = append(targets, *target)
	}
	if len(targets) == 0 {
		return nil, cleanUp, errors.New("compare: no package with benchmarks and no program; write a benchmark (testing.B), or name another " +
			"package")
	}
	return targets, cleanUp, nil
}

// buildTarget makes a target of one package, whose tests are built if it has any. It gives
// nil when there is nothing in the package that could be compared.
func (a *acceleration) buildTarget(c *gotool.Command, p gotool.Package, pattern string, b *twice) (*measure.Target, error) {
	hasBenchmarks := false
	if b != nil {
		var err error
		if hasBenchmarks, err = measure.HasBenchmarks(b.plain(p.ImportPath), p.Dir, pattern); err != nil {
			return nil, err
		}
	}
	if !hasBenchmarks {
		if p.Name != "main" {
			return nil, nil
		}
		b = &twice{a: a, verb: []string{"build"}, flags: c.Flags}
		out := waitForBuilds(p.ImportPath)
		err := b.build(out, p.ImportPath)
		out.Stop()
		if err != nil {
			return nil, err
		}
	}
	target := &measure.Target{Package: p.ImportPath, Dir: p.Dir, Program: !hasBenchmarks,
		Plain: b.plain(p.ImportPath), Wherry: b.wherry(p.ImportPath)}
	one := &gotool.Command{Verb: b.verb[0], Flags: c.Flags, Packages: []string{p.ImportPath}}
	renewals := a.renewals
	found, err := a.reports(one)
	if err == nil && a.renewals > renewals {
		err = b.build(os.Stderr, p.ImportPath)
	}
	if err != nil {
		return nil, err
	}
	found.fill(target)
	if len(target.Accelerated) == 0 {
		fmt.Fprintf(stderr, "wherry: %s: no C function is fast, so no difference is to be expected; wherry build -report says why\n",
			p.ImportPath)
	}
	return target, nil
}

// fill lists the functions of all packages that a target is made of: with their package,
// sqlite3.step, where there are several.
func (r reports) fill(target *measure.Target) {
	for _, report := range r {
		for _, warning := range report.Warnings {
			fmt.Fprintf(stderr, "wherry: warning: %s\n", warning)
		}
		convert := func(functions []accel.Function) (list []measure.Function) {
			for _, f := range functions {
				function := measure.Function{Function: f.Name, Why: f.Why}
				if len(r) > 1 {
					function.Function = strings.TrimPrefix(path.Base(report.Package), "go-") + "." + f.Name
				}
				if f.Mode != policy.Cgo {
					function.Mode = f.Mode.String()
				}
				list = append(list, function)
			}
			return list
		}
		target.Accelerated = append(target.Accelerated, convert(report.Accelerated)...)
		target.Kept = append(target.Kept, convert(report.Kept)...)
	}
}
