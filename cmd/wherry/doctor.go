package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"text/tabwriter"

	"github.com/wherrygo/wherry/internal/build/gotool"
	"github.com/wherrygo/wherry/internal/goruntime"
)

// A checkup is what doctor found.
type checkup struct {
	Go       string           `json:"go"`
	OS       string           `json:"os"`
	CPU      string           `json:"cpu"`
	Cgo      string           `json:"cgo"`
	Compiler string           `json:"compiler"`
	Kept     *keptFolder      `json:"kept,omitempty"`
	Facts    []goruntime.Fact `json:"facts"`
	FastPath bool             `json:"fast_path"`
	Why      string           `json:"why,omitempty"` // it is off, and what to do
}

// A keptFolder is where wherry keeps what later builds can use, and how much that is.
type keptFolder struct {
	Folder string `json:"folder"`
	Bytes  int64  `json:"bytes"`
}

func doctor(args []string) error {
	asJSON := len(args) == 1 && strings.TrimLeft(args[0], "-") == "json"
	if len(args) > 0 && !asJSON {
		return usageError{fmt.Errorf("doctor: want no argument but -json, got %q", args)}
	}
	found, err := examine()
	if err != nil {
		return err
	}
	if asJSON {
		err = writeIndented(stdout, found)
	} else {
		err = found.print()
	}
	if err == nil && !found.FastPath {
		return exitError(1)
	}
	return err
}

func examine() (*checkup, error) {
	env, err := gotool.ReadEnv("")
	if err != nil {
		return nil, err
	}
	compiler, compilerErr := compilerVersion(env.CC)
	found := &checkup{Go: env.GOVERSION, OS: env.GOOS, CPU: env.GOARCH, Cgo: "off", Compiler: compiler}
	if env.CGO_ENABLED == "1" {
		found.Cgo = "on"
	}
	off := func(err error) (*checkup, error) { found.Why = err.Error(); return found, nil }
	if err := env.PlainReason(&gotool.Command{Verb: "build"}); err != nil {
		return off(err)
	}
	if compilerErr != nil {
		return off(&goruntime.Unsupported{What: compilerErr.Error(), Remedy: "install gcc or clang, or set CC"})
	}
	folder := openKept(env)
	defer folder.Close()
	if folder != nil {
		found.Kept = &keptFolder{folder.Path, folder.Size()}
	}
	offsets, err := env.Toolchain("").Offsets(folder, false)
	if err != nil {
		return off(err)
	}
	found.Facts = offsets.Facts("debug information of a program built by this toolchain")
	if env.GOOS != env.GOHOSTOS || env.GOARCH != env.GOHOSTARCH {
		found.FastPath = true // a program for another machine cannot be run here
		return found, nil
	}
	if strings.Contains(os.Getenv("GODEBUG"), "asyncpreemptoff=1") {
		return off(&goruntime.Unsupported{What: "GODEBUG=asyncpreemptoff=1: Go's runtime sends no signals that could turn a call into a cgo " +
			"call, so only calls that are proved to be short are fast", Remedy: "run the program without that setting"})
	}
	facts, err := lookFromInside(offsets)
	if err != nil {
		return off(err)
	}
	found.Facts, found.FastPath = append(found.Facts, facts...), true
	return found, nil
}

// lookFromInside builds the live check with wherry and runs it.
func lookFromInside(offsets goruntime.Offsets) ([]goruntime.Fact, error) {
	output, err := runAccelerated(goruntime.LiveFiles(), offsets.LiveArgs()...)
	if err != nil {
		return nil, fmt.Errorf("checking the runtime from inside a call: %w; please report this with the output of wherry doctor", err)
	}
	var facts []goruntime.Fact
	for _, line := range strings.Split(strings.TrimSpace(output), "\n") {
		facts = append(facts, goruntime.Fact{Name: line, Value: "holds", How: "a program built by wherry, looking from inside a call"})
	}
	return facts, nil
}

func compilerVersion(cc string) (string, error) {
	words := gotool.SplitQuoted(cc)
	if len(words) == 0 {
		return "none", errors.New("there is no C compiler")
	}
	output, err := exec.Command(words[0], "--version").Output()
	if err != nil {
		return cc, fmt.Errorf("the C compiler %s does not work: %w", cc, err)
	}
	line, _, _ := strings.Cut(string(output), "\n")
	return line, nil
}

func (c *checkup) print() error {
	table := tabwriter.NewWriter(stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintf(table, "Go\t%s\nOS\t%s\nCPU\t%s\ncgo\t%s\nC compiler\t%s\n", c.Go, c.OS, c.CPU, c.Cgo, c.Compiler)
	if c.Kept != nil {
		fmt.Fprintf(table, "kept\t%.1f MB for later builds, which can be removed at any time: %s\n", float64(c.Kept.Bytes)/1e6, c.Kept.Folder)
	}
	fmt.Fprintln(table)
	how := ""
	for _, fact := range c.Facts {
		if fact.How != how {
			how = fact.How
			fmt.Fprintf(table, "verified by %s:\n", how)
		}
		fmt.Fprintf(table, "  %s\t%s\t%s\n", fact.Name, fact.Value, fact.Why)
	}
	if c.FastPath {
		fmt.Fprintln(table, "\nthe fast path is on")
	} else {
		fmt.Fprintf(table, "\nthe fast path is off: %s\n", c.Why)
	}
	return table.Flush()
}
