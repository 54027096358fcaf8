package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"strings"

	"github.com/wherrygo/wherry/check"
	"github.com/wherrygo/wherry/cmd/wherry/internal/measure"
)

// checkGC makes the collector wait for 12 MB, which a check of a small library
// and the C library does not need; a large one's memory grows by a third.
const checkGC = 300

type checkFlags struct {
	all, json, sarif, suggest, noDefaults, update bool
	explain, lock, tags                           string
	facts, folders                                []string
}

func runCheck(args []string) error {
	var f checkFlags
	set := flag.NewFlagSet("check", flag.ContinueOnError)
	set.SetOutput(io.Discard)
	set.BoolVar(&f.all, "all", false, "")
	set.BoolVar(&f.json, "json", false, "")
	set.BoolVar(&f.sarif, "sarif", false, "")
	set.BoolVar(&f.suggest, "suggest", false, "")
	set.BoolVar(&f.noDefaults, "no-defaults", false, "")
	set.BoolVar(&f.update, "update", false, "")
	set.StringVar(&f.explain, "explain", "", "")
	set.StringVar(&f.lock, "lock", "", "")
	set.StringVar(&f.tags, "tags", "", "")
	list := func(into *[]string) func(string) error {
		return func(s string) error { *into = append(*into, s); return nil }
	}
	set.Func("facts", "", list(&f.facts))
	set.Func("L", "", list(&f.folders))
	words, err := interleaved(set, args)
	if err != nil {
		return usageError{fmt.Errorf("check: %w; see wherry help check", err)}
	}
	if err := f.validate(); err != nil {
		return usageError{fmt.Errorf("check: %w", err)}
	}
	if class, ok := check.ParseClass(f.explain); ok && len(words) == 0 {
		_, err := io.WriteString(stdout, class.Page())
		return err
	}
	options := check.Options{NoDefaults: f.noDefaults, LibraryPath: f.folders}
	for _, file := range f.facts {
		a, err := check.ReadAnnotationFile(file)
		if err != nil {
			return usageError{err}
		}
		options.Annotations = append(options.Annotations, a)
	}
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(checkGC)
	}
	progress := measure.NewProgress(os.Stderr)
	defer progress.Clear()
	options.Progress = func(done, left int) { progress.Show(done, done+left, "functions", "") }
	files, patterns, globs, err := sortWords(words)
	switch {
	case err != nil:
		return usageError{fmt.Errorf("check: %w", err)}
	case f.suggest && len(files) > 0:
		return usageError{fmt.Errorf("check: -suggest needs Go packages; %s is none", files[0])}
	case f.suggest:
		return suggest(stdout, patterns, globs, f.tags)
	}
	targets, err := findTargets(files, patterns, f.tags)
	if err != nil {
		return usageError{fmt.Errorf("check: %w", err)}
	}
	if f.explain != "" {
		return explain(targets, options, f.explain, progress)
	}
	var judgements []*judgement
	for _, t := range targets {
		j, err := t.judge(options, globs, f.all)
		if err != nil {
			return usageError{fmt.Errorf("check: %w", err)}
		}
		judgements = append(judgements, j)
	}
	progress.Clear()
	if err := unmatched(judgements, globs); err != nil {
		return usageError{fmt.Errorf("check: %w", err)}
	}
	return f.write(judgements)
}

func (f *checkFlags) validate() error {
	modes := 0
	for _, on := range []bool{f.json, f.sarif, f.suggest, f.explain != "", f.lock != ""} {
		if on {
			modes++
		}
	}
	if modes > 1 {
		return errors.New("only one of -json, -sarif, -suggest, -explain and -lock at a time")
	}
	if f.update && f.lock == "" {
		return errors.New("-update goes with -lock FILE")
	}
	return nil
}

// interleaved lets flags stand behind targets too.
func interleaved(set *flag.FlagSet, args []string) (words []string, err error) {
	for {
		if err := set.Parse(args); err != nil {
			return nil, err
		}
		rest := set.Args()
		if len(rest) == 0 {
			return words, nil
		}
		if len(args) > len(rest) && args[len(args)-len(rest)-1] == "--" {
			return append(words, rest...), nil
		}
		words, args = append(words, rest[0]), rest[1:]
	}
}

func (f *checkFlags) write(judgements []*judgement) error {
	var out strings.Builder
	var err error
	switch {
	case f.lock != "":
		return lock(f.lock, judgements, f.update)
	case f.json:
		err = writeJSON(&out, judgements)
	case f.sarif:
		err = writeSARIF(&out, judgements)
	default:
		err = writeText(&out, judgements)
	}
	if _, failure := io.WriteString(stdout, out.String()); err != nil || failure != nil {
		return errors.Join(err, failure)
	}
	for _, j := range judgements {
		for i := range j.results {
			if j.results[i].Verdict != check.Safe {
				return exitError(1)
			}
		}
	}
	return nil
}

func explain(targets []*target, options check.Options, name string, progress *measure.Progress) error {
	var errs []error
	for _, t := range targets {
		p, err := t.open(options)
		if err != nil {
			return usageError{fmt.Errorf("check: %w", err)}
		}
		symbol := name
		for _, c := range p.CgoFunctions() {
			if t.pkg != "" && c.Name == name {
				symbol = c.Symbols[0]
			}
		}
		var text strings.Builder
		err = p.Explain(&text, symbol)
		progress.Clear()
		if err == nil {
			_, err = io.WriteString(stdout, text.String())
			return err
		}
		errs = append(errs, err)
	}
	return usageError{errors.Join(errs...)}
}
