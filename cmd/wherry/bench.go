package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/mod/modfile"

	"github.com/wherrygo/wherry/cmd/wherry/internal/bench"
	"github.com/wherrygo/wherry/cmd/wherry/internal/latency"
	"github.com/wherrygo/wherry/internal/build/gotool"
)

// defaultTime is how long a run that asks for nothing special may take, on a
// slow machine with fewer rounds.
const defaultTime = 55 * time.Second

func measure(args []string) error {
	flags := flag.NewFlagSet("bench", flag.ContinueOnError)
	cpu := flags.String("cpu", "", "")
	count := flags.Int("count", latency.DefaultCount, "")
	asJSON := flags.Bool("json", false, "")
	picture := flags.String("picture", "", "")
	versions := flags.String("go", "", "")
	only := flags.String("only", "", "")
	if err := parseFlags(flags, args); err != nil {
		return err
	}
	if flags.NArg() > 0 {
		return usageError{fmt.Errorf("bench: unexpected %q; wherry help bench lists the flags", flags.Arg(0))}
	}
	if *count < 1 {
		return usageError{fmt.Errorf("bench: -count %d: want at least 1", *count)}
	}
	options := latency.Options{Count: *count}
	if flags.NFlag() == 0 || flags.NFlag() == 1 && (*picture != "" || *asJSON) {
		options.Until = time.Now().Add(defaultTime)
	}
	var err error
	if options.Procs, err = procsList(*cpu); err != nil {
		return usageError{fmt.Errorf("bench: -cpu %s: %w", *cpu, err)}
	}
	if options.Only, err = regexp.Compile(*only); err != nil {
		return usageError{fmt.Errorf("bench: -only: %w", err)}
	}
	// Before a minute of measuring: can the picture be written?
	if *picture != "" {
		_, missing := os.Lstat(*picture)
		file, err := os.OpenFile(*picture, os.O_WRONLY|os.O_CREATE, 0o666)
		if err != nil {
			return usageError{fmt.Errorf("bench: -picture: %w", err)}
		}
		file.Close()
		if missing != nil {
			os.Remove(*picture) // a run that fails leaves no empty one
		}
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	dir, err := os.MkdirTemp("", "wherry-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	programs, err := benchPrograms(dir, strings.Split(*versions, ","))
	if err != nil {
		return err
	}
	progress := bench.NewProgress(os.Stderr)
	options.Progress = func(done, total int, what string) { progress.Show(done, total, "runs", what) }
	report, err := latency.Run(ctx, programs, options)
	progress.Clear()
	if err != nil {
		return err
	}
	write := report.WriteText
	if *asJSON {
		write = report.WriteJSON
	}
	err = write(stdout)
	if *picture != "" {
		draw := func(w io.Writer) error { return report.WritePicture(w, *only != "") }
		err = errors.Join(err, writeFile(*picture, draw))
	}
	return err
}

// procsList reads -cpu; empty is one, and all processors.
func procsList(text string) ([]int, error) {
	if text == "" {
		return slices.Compact([]int{1, runtime.NumCPU()}), nil
	}
	var list []int
	for word := range strings.SplitSeq(text, ",") {
		n, err := strconv.Atoi(word)
		if err != nil || n < 1 || n > 1024 {
			return nil, fmt.Errorf("%q is not a number from 1 to 1024; want a list such as 1,2,4", word)
		}
		list = append(list, n)
	}
	return list, nil
}

// benchPrograms builds the scenarios with each Go into a folder; "" is the one at hand.
func benchPrograms(dir string, versions []string) (programs []latency.Program, err error) {
	// The module stands alone, whatever the user's settings are for his.
	for name, value := range map[string]string{"GOWORK": "off", "GOFLAGS": "", "GO111MODULE": "on", "CGO_ENABLED": "1"} {
		defer setenv(name, value)()
	}
	if _, err := exec.LookPath("go"); err != nil {
		return nil, usageError{errors.New("bench: no go command in PATH; install Go 1.24 or newer from go.dev")}
	}
	sources, err := latency.Sources()
	if err != nil {
		return nil, err
	}
	for i, version := range versions {
		program, err := benchProgram(sources, version, filepath.Join(dir, fmt.Sprintf("bench%d", i)))
		if err != nil {
			return nil, err
		}
		programs = append(programs, *program)
		rivals, err := benchRivals(version, filepath.Join(dir, fmt.Sprintf("rivals%d", i)))
		if err != nil {
			return nil, err
		}
		if rivals != nil {
			rivals.Go = program.Go
			programs = append(programs, *rivals)
		}
	}
	return programs, nil
}

// benchRivals builds the variants that others provide, if the user stands in
// wherry's own repository: they need modules of others, which the scenarios
// may not.
func benchRivals(version, executable string) (*latency.Program, error) {
	dir, err := os.Getwd()
	if err != nil {
		return nil, nil
	}
	for ; ; dir = filepath.Dir(dir) {
		text, err := os.ReadFile(filepath.Join(dir, latency.RivalsFolder, "go.mod"))
		if err == nil && modfile.ModulePath(text) == latency.RivalsModule {
			break
		}
		if dir == filepath.Dir(dir) {
			return nil, nil
		}
	}
	if version != "" {
		defer setenv("GOTOOLCHAIN", version)()
	}
	build := exec.Command("go", "build", "-C", filepath.Join(dir, latency.RivalsFolder), "-o", executable, "./rivals")
	if output, err := build.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("bench: cannot build the rivals in %s: %w\n%s", filepath.Join(dir, latency.RivalsFolder), err, output)
	}
	return &latency.Program{Path: executable}, nil
}

func benchProgram(dir, version, executable string) (*latency.Program, error) {
	if version != "" {
		defer setenv("GOTOOLCHAIN", version)()
	}
	if output, err := exec.Command("go", "version").CombinedOutput(); err != nil {
		return nil, usageError{fmt.Errorf("bench: -go %s: %s", version, oneLine(output))}
	}
	c := &gotool.Command{Verb: "build", Flags: []string{"-C=" + dir, "-o=" + executable, "-buildvcs=false"},
		Packages: []string{latency.ProgramPath}}
	a, err := prepare(c, false)
	if err != nil {
		return nil, err
	}
	defer a.Close()
	compiler := gotool.SplitQuoted(a.env.CC)
	if len(compiler) == 0 {
		compiler = []string{"gcc"}
	}
	if _, err := exec.LookPath(compiler[0]); err != nil {
		return nil, usageError{fmt.Errorf("bench: no C compiler: %w; install gcc or clang, or set CC", err)}
	}
	program := &latency.Program{Path: executable, Go: a.env.GOVERSION, Plain: a.plain != nil}
	args := c.Args()
	if !program.Plain {
		args = c.Args(a.flags...)
	}
	if output, err := exec.Command("go", args...).CombinedOutput(); err != nil {
		return nil, fmt.Errorf("bench: cannot build the scenarios with %s: %w\n%s", program.Go, err, output)
	}
	if program.Plain {
		return program, nil
	}
	found, err := a.reports(c)
	if err != nil {
		return nil, fmt.Errorf("bench: cannot tell what is accelerated: %w", err)
	}
	for _, report := range found {
		for _, f := range report.Kept {
			if strings.HasSuffix(f.Name, "_fast") || strings.HasSuffix(f.Name, "_reentrant") {
				fmt.Fprintf(stderr, "wherry: bench: %s is not accelerated with %s: %s\n", f.Name, program.Go, f.Why)
				program.Plain = true
			}
		}
	}
	return program, nil
}

func oneLine(text []byte) string { return strings.Join(strings.Fields(string(text)), " ") }

// setenv sets a variable and gives the way back.
func setenv(name, value string) (restore func()) {
	old, had := os.LookupEnv(name)
	os.Setenv(name, value)
	return func() {
		if had {
			os.Setenv(name, old)
		} else {
			os.Unsetenv(name)
		}
	}
}
