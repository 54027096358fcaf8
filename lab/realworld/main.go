// Realworld runs the test suites of cgo packages by plain go test and by wherry
// test without any policy, compares how each test ended, and measures one
// benchmark of each package's main job, which jobs has. script/realworld starts
// it and keeps its tables in REALWORLD.md and README.md.
//
//	go run ./realworld -wherry ../bin/wherry -run DIR [-only RE] [-parts tests] [-again]
//	go run ./realworld -run DIR -table whole|short
//
// What a package ended in goes to DIR/realworld-NAME.json at once, so that a run
// that was broken off goes on where it was.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// jobs is the folder of the benchmarks, an absolute path.
var jobs string

var (
	wherry    = flag.String("wherry", "wherry", "the wherry command")
	only      = flag.String("only", ".", "`regexp` of names or modules")
	count     = flag.Int("count", 20, "rounds of the benchmarks")
	benchtime = flag.String("benchtime", "200ms", "of each benchmark in a round")
	dir       = flag.String("run", "", "`folder` of the results and raw lines")
	again     = flag.Bool("again", false, "also run what has a result")
	parts     = flag.String("parts", "all", "tests, jobs or all")
	table     = flag.String("table", "", "only write a table from the results: whole or short")
)

func main() {
	flag.Parse()
	if err := start(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func start() error {
	pattern, err := regexp.Compile(*only)
	if err != nil {
		return err
	}
	if *dir == "" {
		return errors.New("realworld: no -run folder")
	}
	jobs = "realworld/jobs"
	for _, path := range []*string{dir, &jobs, wherry} {
		if *path, err = filepath.Abs(*path); err != nil {
			return err
		}
	}
	if *table != "" {
		return writeTable(os.Stdout, *table)
	}
	if err := os.MkdirAll(*dir, 0o777); err != nil {
		return err
	}
	var errs []error
	for _, s := range suites {
		if !pattern.MatchString(s.name) && !pattern.MatchString(s.module) {
			continue
		}
		if s.packages == nil {
			s.packages = []string{"."}
		}
		if err := s.finish(); err != nil {
			if s.debian != "" {
				err = fmt.Errorf("%w (it needs Debian's %s)", err, s.debian)
			}
			fmt.Fprintf(os.Stderr, "realworld: %s: %v\n", s.name, err)
			errs = append(errs, fmt.Errorf("%s: %s", s.name, firstLine(err.Error())))
		}
	}
	return errors.Join(errs...)
}

// finish does what a suite still lacks: its tests in this version, and its main job.
func (s suite) finish() error {
	m, err := s.find()
	if err != nil {
		return err
	}
	r, err := s.read()
	if err != nil || r.Version != m.Version {
		r = new(result)
	}
	r.Module, r.Version, r.Work, r.Note = s.module, m.Version, s.work, s.note
	tested := r.Passed > 0 && len(r.Differences) == 0
	if (!tested || *again) && *parts != "jobs" {
		fmt.Fprintf(os.Stderr, "realworld: %s %s: tests\n", s.module, m.Version)
		if err := errors.Join(s.test(m, r), s.store(r)); err != nil {
			return err
		}
	}
	if (r.Ratio == 0 || *again) && *parts != "tests" {
		fmt.Fprintf(os.Stderr, "realworld: %s %s: %s\n", s.module, m.Version, s.work)
		if err := errors.Join(s.measure(r), s.store(r)); err != nil {
			return err
		}
	}
	if len(r.Differences) > 0 {
		return fmt.Errorf("%d tests end otherwise than through plain cgo\n%s", len(r.Differences), strings.Join(r.Differences, "\n"))
	}
	return nil
}

func (s suite) file(ending string) string { return filepath.Join(*dir, "realworld-"+s.name+ending) }

func firstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return line
}
