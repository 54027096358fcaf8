// Package tests holds the system tests: each builds small cgo programs with
// the wherry command and with plain Go and compares what they do. README.md
// says which test belongs where.
package tests

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// wherry is the command under test, built once.
var wherry string

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "wherry tests ") // a path with spaces, on purpose
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	if os.Getenv("GOFLAGS") == "" { // to compress debug information takes a sixth of the builds' time
		os.Setenv("GOFLAGS", "-ldflags=-compressdwarf=false")
	}
	wherry = filepath.Join(dir, "wherry")
	status := 1
	if out, err := exec.Command("go", "build", "-C", "../cmd/wherry", "-o", wherry, ".").CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "building wherry: %v\n%s", err, out)
	} else {
		status = m.Run()
	}
	os.RemoveAll(dir)
	os.Exit(status)
}

// lookAtSources has go test run these tests again when a file of the project is another one: it
// remembers a result for as long as the files are the same that a test has looked at, and what the
// command is made of is none of them.
var lookAtSources = sync.OnceFunc(func() {
	filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if name := filepath.Base(path); err == nil && d.IsDir() && path != ".." && (name[0] == '.' || name == "bin") {
			return fs.SkipDir
		}
		os.Stat(path)
		return nil
	})
})

// needsFastPath skips a test where wherry builds plainly.
func needsFastPath(t *testing.T) {
	t.Helper()
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" && runtime.GOARCH != "arm64" {
		t.Skipf("wherry has no fast path on %s/%s", runtime.GOOS, runtime.GOARCH)
	}
}

// A module is a Go module in a folder of its own.
type module struct {
	t   *testing.T
	dir string
	env []string

	runner []string // see target
}

// A shared is a module that several tests use, which is written and built once.
type shared struct {
	once sync.Once
	dir  string
}

// module returns the module for one more test; the first one makes it.
func (s *shared) module(t *testing.T, build func(t *testing.T) *module) *module {
	t.Helper()
	s.once.Do(func() {
		m := build(t)
		s.dir = filepath.Join(filepath.Dir(wherry), strings.ReplaceAll(t.Name(), "/", " "))
		if err := os.Rename(m.dir, s.dir); err != nil { // the test's own folder ends with it
			t.Fatal(err)
		}
	})
	if s.dir == "" {
		t.Fatal("another test could not build this test's program")
	}
	return &module{t: t, dir: s.dir}
}

const goMod = "module example.com/m\n\ngo 1.24\n"

// newModule writes files into a new module named example.com/m.
func newModule(t *testing.T, files map[string]string) *module {
	t.Helper()
	m := &module{t: t, dir: filepath.Join(t.TempDir(), "a module")}
	m.write("go.mod", goMod)
	for name, text := range files {
		m.write(name, text)
	}
	return m
}

// testdata copies a folder of testdata into a new module, which is that of newModule if the
// folder is none.
func testdata(t *testing.T, name string) *module {
	t.Helper()
	m := &module{t: t, dir: filepath.Join(t.TempDir(), "a module")}
	if err := os.CopyFS(m.dir, os.DirFS(filepath.Join("testdata", name))); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(m.path("go.mod")); err != nil {
		m.write("go.mod", goMod)
	}
	return m
}

// usesWherry makes the module require this one, as it is here.
func (m *module) usesWherry() {
	m.t.Helper()
	repository, err := filepath.Abs("..")
	if err != nil {
		m.t.Fatal(err)
	}
	m.write("go.mod", goMod+"\n"+
		"require github.com/wherrygo/wherry v0.0.0\n\nreplace github.com/wherrygo/wherry => "+strconv.Quote(repository)+"\n")
}

// usesEvents copies package event's header to a package, as users do.
func (m *module) usesEvents(folder string) {
	m.t.Helper()
	header, err := os.ReadFile("../event/wherry_event.h")
	if err != nil {
		m.t.Fatal(err)
	}
	m.write(folder+"/wherry_event.h", string(header))
}

func (m *module) write(name, text string) {
	m.t.Helper()
	path := filepath.Join(m.dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		m.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		m.t.Fatal(err)
	}
}

func (m *module) read(name string) string {
	m.t.Helper()
	text, err := os.ReadFile(m.path(name))
	if err != nil {
		m.t.Fatal(err)
	}
	return string(text)
}

// replace changes a part of a file, which must be there.
func (m *module) replace(name, old, new string) {
	m.t.Helper()
	text := m.read(name)
	if !strings.Contains(text, old) {
		m.t.Fatalf("%s has no %q:\n%s", name, old, text)
	}
	m.write(name, strings.Replace(text, old, new, 1))
}

func (m *module) path(name string) string { return filepath.Join(m.dir, name) }

// A result is what a command printed and how it ended.
type result struct {
	stdout, stderr string
	status         int
	cpu            time.Duration // of all processes
}

func (m *module) run(name string, args ...string) result {
	m.t.Helper()
	lookAtSources()
	cmd := exec.Command(name, args...)
	cmd.Dir = m.dir
	cmd.Env = append(os.Environ(), m.env...)
	if strings.HasPrefix(name, "./") { // script/matrix: settings for programs, not for the go command
		cmd.Env = append(cmd.Env, strings.Fields(os.Getenv("WHERRY_TEST_ENV"))...)
	} else if len(args) > 0 && args[0] == "build" && os.Getenv("GOGC") == "" {
		cmd.Env = append(cmd.Env, "GOGC=400") // for compiling and linking: a twelfth of a build's time
	}
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		m.t.Fatalf("%s %q: %v", name, args, err)
	}
	return result{stdout.String(), stderr.String(), cmd.ProcessState.ExitCode(), cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()}
}

// must runs a command that has to succeed.
func (m *module) must(name string, args ...string) result {
	m.t.Helper()
	r := m.run(name, args...)
	if r.status != 0 {
		m.t.Fatalf("%s %q: exit status %d\n%s%s", filepath.Base(name), args, r.status, r.stdout, r.stderr)
	}
	return r
}

// likePlain builds the module's program plainly and by wherry, and wants both to end well and with the
// same output, with each of some arguments.
func (m *module) likePlain(arguments ...string) {
	m.t.Helper()
	m.must("go", "build", "-o", "plain")
	m.build("fast")
	for _, args := range append(arguments, "")[:max(1, len(arguments))] {
		want, got := m.mustProgram("./plain", words(args)...), m.program("./fast", words(args)...)
		if !got.equals(want) {
			m.t.Errorf("%s: got exit status %d and\n%swant\n%s%.2000s", args, got.status, got.stdout, want.stdout, got.stderr)
		}
	}
}

// A report is the part of -report=json that tests look at.
type report struct {
	Packages []struct {
		Package           string
		Accelerated, Kept []struct {
			Function, Mode, Why string
			NoCallback          bool
		}
		Warnings []string
	}
}

// build makes an accelerated executable and gives the report.
func (m *module) build(output string, flags ...string) report {
	m.t.Helper()
	args := append([]string{"build", "-report=json", "-o", output}, flags...)
	r := m.must(wherry, args...)
	var rep report
	if err := json.Unmarshal([]byte(r.stdout), &rep); err != nil {
		m.t.Fatalf("the report is no JSON: %v\n%s%s", err, r.stdout, r.stderr)
	}
	return rep
}

// fast lists the functions that left cgo, "a b c".
func (r report) fast() string {
	var names []string
	for _, p := range r.Packages {
		for _, f := range p.Accelerated {
			names = append(names, f.Function)
		}
	}
	return strings.Join(names, " ")
}

// mode is how a function is called; empty is cgo.
func (r report) mode(function string) string {
	for _, p := range r.Packages {
		for _, f := range p.Accelerated {
			if f.Function == function {
				return f.Mode
			}
		}
	}
	return ""
}

// nocallback reports whether a function makes no callback.
func (r report) nocallback(function string) bool {
	for _, p := range r.Packages {
		for _, f := range p.Accelerated {
			if f.Function == function {
				return f.NoCallback
			}
		}
	}
	return false
}

// why returns the reason for one function.
func (r report) why(function string) string {
	for _, p := range r.Packages {
		for _, f := range append(p.Accelerated, p.Kept...) {
			if f.Function == function {
				return f.Why
			}
		}
	}
	return ""
}

// contains checks a text for parts that it must have.
func contains(t *testing.T, what, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(text, part) {
			t.Errorf("%s: want %q in\n%s", what, part, text)
		}
	}
}
