package main

import (
	"bufio"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"strings"

	"github.com/wherrygo/wherry/check"
	"github.com/wherrygo/wherry/cmd/wherry/internal/bench"
)

var helpCheck = `usage: wherry check [flags] TARGET... [FUNCTION...]

Judges C functions by their machine code: is a call safe without telling Go's
scheduler, if nothing could turn it into a cgo call? (wherry build can turn calls,
so it does not require that.) A target is a Go package pattern (all cgo packages among
the packages and what they depend on, their C functions by the names that the
Go code calls), or a file: a shared library, an archive, an object, an
executable. FUNCTION is a glob; without one it is every function that others
can call.

Prints a line for each function: its verdict (safe, unsafe, unknown), the most
stack that a call uses, and whether it has loops: how long they run, or whether one
waits for another thread, is for you to know. Under it, for each hazard (a
reason against safe), one shortest path of calls to it. "unknown" means that
something could not be followed; it is not safe.

Flags:

	-all               local functions too
	-explain FUNCTION  the whole reasoning about one function
	-explain CLASS     what a class of hazards is, and what helps against it
	-facts FILE        annotations: what the code does not show (may be repeated)
	-json              one JSON object for each target
	-L DIR             look for shared libraries there first (may be repeated)
	-lock FILE         write verdicts to FILE; if it is there, compare with it
	-no-defaults       do not use the facts about the C library; read its code
	-sarif             SARIF 2.1.0, which code hosts show
	-suggest           lines for wherry.policy by which functions would become
	                   faster than a build makes them (Go packages only)
	-tags LIST         build tags, for Go packages
	-update            with -lock: write FILE again

Examples:

	wherry check ./...
	wherry check /usr/lib/x86_64-linux-gnu/libz.so.1 'crc32*'
	wherry check -lock verdicts.lock github.com/mattn/go-sqlite3
	wherry check -explain sqlite3_column_int libsqlite3.so.0

A line of a FILE of facts is one of

	hazard CLASS NAME... [stack=BYTES] [noreturn]
	leaf NAME... [stack=BYTES] [loops]
	fatal NAME...
	target PLACE NAME...
	depth NAME N
	never CALLER CALLEE...
	allow CLASS [NAME...]

hazard: NAME has it. leaf: NAME is safe. fatal: NAME ends the process. target: all
that the indirect call of PLACE calls. depth: NAME's recursion is at most N deep.
never: CALLER never calls CALLEE. allow: CLASS is no hazard.

wherry check -explain CLASS says which helps. A function of a CLASS

` + classHelp() + `
Exit status: 0 all safe (with -lock: as locked), 1 some are not, 2 wrong usage
or a target that cannot be read.
`

func classHelp() string {
	var text strings.Builder
	for _, c := range check.Classes() {
		fmt.Fprintf(&text, "\t%-14v %s\n", c, c.Says())
	}
	return text.String()
}

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
		_, err := os.Stdout.WriteString(class.Page())
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
	progress := bench.NewProgress(os.Stderr)
	defer progress.Clear()
	options.Progress = func(done, left int) { progress.Show(done, done+left, "functions", "") }
	files, patterns, globs, err := sortWords(words)
	switch {
	case err != nil:
		return usageError{fmt.Errorf("check: %w", err)}
	case f.suggest && len(files) > 0:
		return usageError{fmt.Errorf("check: -suggest needs Go packages; %s is none", files[0])}
	case f.suggest:
		return suggest(os.Stdout, patterns, globs, f.tags)
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
	out := bufio.NewWriter(os.Stdout)
	var err error
	switch {
	case f.lock != "":
		return lock(f.lock, judgements, f.update)
	case f.json:
		err = writeJSON(out, judgements)
	case f.sarif:
		err = writeSARIF(out, judgements)
	default:
		err = writeText(out, judgements)
	}
	if err := errors.Join(err, out.Flush()); err != nil {
		return err
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

func explain(targets []*target, options check.Options, name string, progress *bench.Progress) error {
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
			_, err = os.Stdout.WriteString(text.String())
			return err
		}
		errs = append(errs, err)
	}
	return usageError{errors.Join(errs...)}
}
