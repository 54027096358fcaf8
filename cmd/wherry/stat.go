package main

import (
	"debug/elf"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/wherrygo/wherry/internal/build/accel"
	"github.com/wherrygo/wherry/internal/build/gotool"
	"github.com/wherrygo/wherry/internal/build/policy"
	"github.com/wherrygo/wherry/internal/crossing/stat"
)

// A statistic is one run of wherry stat.
type statistic struct {
	duration        time.Duration
	json            bool
	out, pprof      string
	build           string
	command         *gotool.Command
	target          string
	args            []string
	known           map[[2]string]accel.Function // by package and name
	dir             string
	warnings        []string
	program, counts string // files
}

func statistics(args []string) error {
	s := &statistic{command: &gotool.Command{Verb: "build"}}
	flags := flag.NewFlagSet("stat", flag.ContinueOnError)
	flags.DurationVar(&s.duration, "duration", 0, "")
	flags.BoolVar(&s.json, "json", false, "")
	flags.StringVar(&s.out, "o", "", "")
	flags.StringVar(&s.pprof, "pprof", "", "")
	flags.StringVar(&s.build, "build", "", "")
	goFlags(flags, s.command, "tags", "mod", "ldflags", "gcflags")
	wrong := func(format string, args ...any) error { return usageError{fmt.Errorf("stat: "+format, args...)} }
	switch err := parseFlags(flags, args); {
	case err != nil:
		return err
	case flags.NArg() == 0:
		return wrong("no program; usage: wherry stat [flags] PACKAGE|PROGRAM [arguments]")
	case s.build != "" && flags.NArg() > 1:
		return wrong("-build runs nothing, so %q has no use; give it to wherry stat %s", flags.Arg(1), s.build)
	}
	if given(flags, "duration") && s.duration <= 0 {
		return wrong("-duration %v: want more than 0", s.duration)
	}
	s.target, s.args = flags.Arg(0), flags.Args()[1:]
	var err error
	if s.dir, err = os.MkdirTemp("", "wherry-stat-"); err != nil {
		return err
	}
	defer os.RemoveAll(s.dir)
	if s.isProgram() {
		if s.build != "" {
			return wrong("%s is built already; name its package", s.target)
		}
		if !counts(s.target) {
			return wrong("%s is a program without counters; name its package, or build it by wherry stat -build FILE PACKAGE", s.target)
		}
		s.program = s.target
		if !strings.Contains(s.program, "/") {
			s.program = "./" + s.program
		}
	} else if err := s.buildProgram(); err != nil {
		return err
	}
	if s.build != "" {
		return nil
	}
	return s.run()
}

// isProgram reports whether the argument is a program rather than a package: a
// folder, a pattern, or a list of Go files.
func (s *statistic) isProgram() bool {
	info, err := os.Stat(s.target)
	return err == nil && info.Mode().IsRegular() && !strings.HasSuffix(s.target, ".go")
}

func counts(program string) bool {
	file, err := elf.Open(program)
	if err != nil {
		return false
	}
	defer file.Close()
	return file.Section(stat.Section) != nil
}

// buildProgram builds the package with counters.
func (s *statistic) buildProgram() error {
	c := s.command
	c.Packages = []string{s.target}
	a, err := prepare(c, true)
	if err != nil {
		return err
	}
	defer a.Close()
	if a.plain != nil {
		return fmt.Errorf("stat: crossings cannot be counted: %w", a.plain)
	}
	packages, err := c.List(c.Packages)
	switch {
	case s.build == "" && (a.env.GOOS != a.env.GOHOSTOS || a.env.GOARCH != a.env.GOHOSTARCH):
		return usageError{fmt.Errorf("stat: a program for %s/%s does not run here; -build FILE only builds it", a.env.GOOS, a.env.GOARCH)}
	case err != nil:
		return err
	case len(packages) == 1 && packages[0].Error != nil:
		return usageError{fmt.Errorf("stat: %s", strings.Join(strings.Fields(packages[0].Error.Err), " "))}
	case len(packages) != 1:
		return usageError{fmt.Errorf("stat: %s is %d packages; name one program", s.target, len(packages))}
	case packages[0].Name != "main":
		return usageError{fmt.Errorf("stat: %s is no program but package %s; name a main package", s.target, packages[0].Name)}
	}
	s.program = s.build
	if s.program == "" {
		s.program = filepath.Join(s.dir, filepath.Base(packages[0].ImportPath))
		if strings.HasSuffix(s.target, ".go") {
			s.program = filepath.Join(s.dir, strings.TrimSuffix(filepath.Base(s.target), ".go"))
		}
	}
	compile := func() error { return goCommand(c.Args(append(a.flags, "-o", s.program)...)) }
	if err := a.compiling(compile); err != nil {
		return err
	}
	reports, err := a.reports(c)
	if err == nil && a.renewals > 0 {
		err = a.compiling(compile)
	}
	if err != nil {
		return err
	}
	s.known = map[[2]string]accel.Function{}
	for _, report := range reports {
		s.warnings = append(s.warnings, report.Warnings...)
		for _, f := range slices.Concat(report.Accelerated, report.Kept) {
			s.known[[2]string{report.Package, f.Name}] = f
		}
	}
	if s.build != "" {
		for _, warning := range s.warnings {
			fmt.Fprintf(stderr, "wherry: warning: %s\n", warning)
		}
	}
	return nil
}

// run runs the program and reports.
func (s *statistic) run() error {
	output, err := runAccelerated(stat.CostFiles())
	if err != nil {
		return fmt.Errorf("stat: measuring crossings: %w", err)
	}
	costs, err := stat.ParseCosts(output)
	if err != nil {
		return err
	}
	s.counts = filepath.Join(s.dir, "counts")
	if err := os.WriteFile(s.counts, nil, 0o600); err != nil {
		return err
	}
	cmd := exec.Command(s.program, s.args...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	cmd.Env = append(os.Environ(), stat.Environment+"="+s.counts)
	begin := time.Now()
	ended, failure := runFor(cmd, s.duration)
	wall := time.Since(begin)
	if cmd.ProcessState == nil {
		return fmt.Errorf("stat: %w", failure)
	}
	var counted []stat.Counted
	if counts(s.program) { // or there is no C in it
		if counted, err = stat.Read(s.counts); err != nil {
			return fmt.Errorf("stat: %w", err)
		}
	}
	for i, c := range counted {
		if f, ok := s.known[[2]string{c.Package, c.Function}]; ok && c.Kind == stat.Call {
			counted[i].Why = f.Why
		}
	}
	costs.Checks = map[[2]string]float64{}
	for name, f := range s.known {
		costs.Checks[name] = f.Checks
	}
	report := stat.Judge(filepath.Base(s.program), counted, costs, wall, cmd.ProcessState.UserTime()+cmd.ProcessState.SystemTime())
	report.Warnings = append(report.Warnings, s.warnings...)
	report.Advise(s.remedy)
	if err := s.write(report); err != nil {
		return fmt.Errorf("stat: %w", err)
	}
	if ended {
		return nil
	}
	return exitOf(failure)
}

// remedy says what would change how a function is called.
func (s *statistic) remedy(pkg, function string) stat.Remedy {
	f, ok := s.known[[2]string{pkg, function}]
	switch {
	case !ok:
		return stat.Remedy{}
	case f.Mode == policy.Cgo && f.ByRule:
		return stat.Remedy{Line: "without " + f.Why, Asks: policy.Asks(policy.Fast)}
	case f.Mode == policy.Cgo && f.Word != "":
		return stat.Remedy{Line: strings.Join([]string{pkg, function, f.Word}, " "), Asks: f.Asks}
	case f.Mode == policy.Fast && !f.NoCallback:
		return stat.Remedy{CallbackLine: strings.Join([]string{pkg, function, policy.Reentrant.String()}, " "),
			Asks: policy.Asks(policy.Reentrant)}
	}
	return stat.Remedy{}
}

func (s *statistic) write(report *stat.Report) error {
	write := func(w io.Writer) error { return writeIndented(w, report) }
	if !s.json {
		write = report.WriteText
		for i := range report.Rows {
			if row := &report.Rows[i]; row.Mode != policy.Cgo.String() {
				row.Why = brief(row.Why)
			}
		}
	}
	var errs []error
	if s.out != "" {
		errs = append(errs, writeFile(s.out, write))
	} else {
		errs = append(errs, write(stderr))
	}
	if s.pprof != "" {
		errs = append(errs, writeFile(s.pprof, report.WriteProfile))
	}
	return errors.Join(errs...)
}
