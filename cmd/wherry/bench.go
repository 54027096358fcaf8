package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/mod/modfile"

	"github.com/wherrygo/wherry/cmd/wherry/internal/measure"
	"github.com/wherrygo/wherry/internal/build/gotool"
)

// defaultTime is how long a run that asks for nothing special may take, on a
// slow machine with fewer rounds.
const defaultTime = 38 * time.Second

func bench(args []string) error {
	flags := flag.NewFlagSet("bench", flag.ContinueOnError)
	cpu := flags.String("cpu", "", "")
	count := flags.Int("count", measure.DefaultBenchCount, "")
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
	options := measure.BenchOptions{Count: *count, Progress: os.Stderr}
	options.Until = time.Now().Add(defaultTime)
	flags.Visit(func(f *flag.Flag) {
		if f.Name != "json" && f.Name != "picture" {
			options.Until = time.Time{}
		}
	})
	var err error
	if options.CPU, err = cpuList(*cpu); err != nil {
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
	ctx, stop := untilEnded()
	defer stop()
	dir, err := os.MkdirTemp("", "wherry-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	builds, err := benchBuilds(dir, strings.Split(*versions, ","))
	if err != nil {
		return err
	}
	result, err := measure.Bench(ctx, builds, options)
	if err != nil {
		return err
	}
	write := result.WriteText
	if *asJSON {
		write = result.WriteJSON
	}
	err = write(stdout)
	if *picture != "" {
		draw := func(w io.Writer) error { return result.WritePicture(w, *only != "") }
		err = errors.Join(err, writeFile(*picture, draw))
	}
	return err
}

// cpuList checks -cpu; empty is one, and all processors.
func cpuList(text string) (string, error) {
	if text == "" {
		return strings.Join(slices.Compact([]string{"1", strconv.Itoa(runtime.NumCPU())}), ","), nil
	}
	for word := range strings.SplitSeq(text, ",") {
		if n, err := strconv.Atoi(word); err != nil || n < 1 || n > 1024 {
			return "", fmt.Errorf("%q is not a number from 1 to 1024; want a list such as 1,2,4", word)
		}
	}
	return text, nil
}

// benchBuilds builds the scenarios with each Go into a folder; "" is the one at hand.
func benchBuilds(dir string, versions []string) (builds []measure.Build, err error) {
	// The module stands alone, whatever the user's settings are for his.
	for name, value := range map[string]string{"GOWORK": "off", "GOFLAGS": "", "GO111MODULE": "on", "CGO_ENABLED": "1"} {
		defer setenv(name, value)()
	}
	if _, err := exec.LookPath("go"); err != nil {
		return nil, usageError{errors.New("bench: no go command in PATH; install Go 1.24 or newer from go.dev")}
	}
	sources, err := measure.Sources()
	if err != nil {
		return nil, err
	}
	for i, version := range versions {
		build, err := benchBuild(sources, version, filepath.Join(dir, strconv.Itoa(i)))
		if err != nil {
			return nil, err
		}
		builds = append(builds, *build)
	}
	return builds, nil
}

// benchBuild builds with one Go; the names of the test binaries begin with prefix.
func benchBuild(sources, version, prefix string) (*measure.Build, error) {
	if version != "" {
		defer setenv("GOTOOLCHAIN", version)()
	}
	if output, err := exec.Command("go", "version").CombinedOutput(); err != nil {
		return nil, usageError{fmt.Errorf("bench: -go %s: %s", version, oneLine(output))}
	}
	c := &gotool.Command{Verb: "test", Flags: []string{"-C=" + sources, "-buildvcs=false"}, Packages: []string{measure.ScenariosPath}}
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
	build := &measure.Build{Go: a.env.GOVERSION, Plain: prefix + "plain"}
	if err := testBinary(c, build.Plain); err != nil {
		return nil, fmt.Errorf("bench: cannot build the scenarios with %s: %w", build.Go, err)
	}
	if folder := rivalsFolder(); folder != "" {
		build.Rivals = prefix + "rivals"
		c := &gotool.Command{Verb: "test", Flags: []string{"-C=" + folder}, Packages: []string{"./rivals"}}
		if err := testBinary(c, build.Rivals); err != nil {
			return nil, fmt.Errorf("bench: cannot build the rivals in %s: %w", folder, err)
		}
	}
	if a.plain != nil {
		return build, nil
	}
	if err := testBinary(c, prefix+"wherry", a.flags...); err != nil {
		return nil, fmt.Errorf("bench: cannot build the scenarios by wherry with %s: %w", build.Go, err)
	}
	found, err := a.reports(c)
	if err != nil {
		return nil, fmt.Errorf("bench: cannot tell what is accelerated: %w", err)
	}
	build.Wherry = prefix + "wherry"
	for _, report := range found {
		for _, f := range report.Kept {
			if !f.ByRule {
				fmt.Fprintf(stderr, "wherry: bench: %s is not accelerated with %s: %s\n", f.Name, build.Go, f.Why)
				build.Wherry = ""
			}
		}
	}
	return build, nil
}

// testBinary builds a package's.
func testBinary(c *gotool.Command, executable string, flags ...string) error {
	args := c.Args(append(flags, "-c", "-vet=off", "-o="+executable)...)
	if output, err := exec.Command("go", args...).CombinedOutput(); err != nil {
		return fmt.Errorf("%w\n%s", err, output)
	}
	return nil
}

// rivalsFolder is that of the module with the variants that others provide, if the user stands
// in wherry's own repository: they need modules of others, which the scenarios may not.
func rivalsFolder() string {
	dir, err := os.Getwd()
	for ; err == nil; dir = filepath.Dir(dir) {
		folder := filepath.Join(dir, measure.RivalsFolder)
		if text, err := os.ReadFile(filepath.Join(folder, "go.mod")); err == nil && modfile.ModulePath(text) == measure.RivalsModule {
			return folder
		}
		if dir == filepath.Dir(dir) {
			break
		}
	}
	return ""
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
