package accel

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/wherrygo/wherry/internal/printable"
)

// Who waits for a long build wants to know what it is at. So the tools' front writes a line for
// each tool that starts, into a file beside the configuration, if somebody has made it.
const stepsFile = "steps"

// Steps is what has been started of a build: how many packages were compiled, and the names of
// the processes that do so.
type Steps struct {
	Compiled int
	now      []step
}

type step struct {
	process int
	what    string
}

const compiling = "compiling "

// WatchSteps has the tools by the configuration in a folder write their lines.
func WatchSteps(dir string) error { return os.WriteFile(filepath.Join(dir, stepsFile), nil, 0o666) }

// Step says what this process does from now on.
func Step(dir, what string) {
	file, err := os.OpenFile(filepath.Join(dir, stepsFile), os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		return // nobody looks on
	}
	fmt.Fprintf(file, "%d %s\n", os.Getpid(), printable.Line(what)) // at once: others may be at it
	file.Close()
}

// step says it of a tool, which the go command has told which package is meant.
func (c *Config) step(tool string, args []string) {
	pkg := os.Getenv("TOOLEXEC_IMPORTPATH")
	switch {
	case pkg == "" || len(args) == 0 || args[0] == "-V=full":
	case tool == "compile":
		Step(c.dir, compiling+pkg)
	case tool == "cgo":
		Step(c.dir, "C of "+pkg)
	case tool == "link":
		Step(c.dir, "linking "+pkg)
	}
}

// ReadSteps returns what the tools have said so far.
func ReadSteps(dir string) (s Steps) {
	text, _ := os.ReadFile(filepath.Join(dir, stepsFile))
	for line := range strings.Lines(string(text)) {
		var process int
		number, what, ok := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		if _, err := fmt.Sscan(number, &process); !ok || err != nil {
			continue
		}
		if strings.HasPrefix(what, compiling) {
			s.Compiled++
		}
		s.now = append(s.now, step{process, what})
	}
	return s
}

// Now is the last of the steps whose process still runs: or the last one, after which the go command
// does something itself, such as to run the C compiler.
func (s Steps) Now() (what string) {
	for _, step := range slices.Backward(s.now) {
		if what == "" {
			what = step.what
		}
		process, err := os.FindProcess(step.process)
		if err == nil && process.Signal(syscall.Signal(0)) == nil {
			return step.what
		}
	}
	return what
}
