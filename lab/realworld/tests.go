package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// A module is what the go command says of a module that it has fetched.
type module struct{ Version, Dir, Error string }

// find fetches the module in the version, and with the hash, that the job's go.mod
// and go.sum have.
func (s suite) find() (m module, err error) {
	out, err := s.command(filepath.Join(jobs, s.name), "go", "mod", "download", "-json", s.module).Output()
	if e := json.Unmarshal(out, &m); e != nil || err != nil || m.Error != "" {
		return m, fmt.Errorf("downloading %s: %w %s", s.module, errors.Join(err, e), m.Error)
	}
	return m, nil
}

// repeats is how often plain cgo may show that it too ends a test as wherry did.
const repeats = 20

// test runs the suite twice plainly and once by wherry.
func (s suite) test(m module, r *result) error {
	dir, err := s.copy(m)
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	test := []string{"test", "-json", "-count=1", "-timeout=15m"}
	plain, _, err := s.runTests(dir, "go", test)
	if err != nil {
		return err
	}
	args := append([]string{"test", "-report=json"}, test[1:]...)
	fast, report, err := s.runTests(dir, *wherry, args)
	if err != nil {
		return err
	}
	again, _, err := s.runTests(dir, "go", test)
	if err != nil {
		return err
	}
	all := whole(plain, again)
	for n := 0; n < repeats && len(all.differing(fast)) > 0; n++ {
		if again, _, err = s.runTests(dir, "go", append(slices.Clip(test), "-run="+pattern(all.differing(fast)))); err != nil {
			return err
		}
		for name, ending := range again {
			all.add(name, ending)
		}
	}
	r.Differences = all.differences(fast)
	r.Date = time.Now().UTC().Format(time.DateOnly)
	ended := fast.count(all.unsteady)
	r.Passed, r.Skipped, r.Unsteady = ended["pass"], ended["skip"], 0
	r.Failed = ended["fail"] + ended[noEnd]
	for name := range all {
		if all.unsteady(name) {
			r.Unsteady++
		}
	}
	switch called, cgo, err := functions(report); {
	case err != nil:
		return err
	case r.Passed == 0 && len(r.Differences) == 0:
		return fmt.Errorf("no test passed: %s", report)
	case called == 0:
		return errors.New("wherry accelerated nothing, so the comparison says nothing")
	default:
		r.TestFast, r.TestCgo = called, cgo
	}
	return nil
}

// copy makes a folder with the module's files, which tests may write to. A module
// from before there were modules gets the job's go.mod and go.sum.
func (s suite) copy(m module) (string, error) {
	dir, err := os.MkdirTemp("", "realworld")
	if err != nil {
		return "", err
	}
	err = errors.Join(os.CopyFS(dir, os.DirFS(m.Dir)), filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		return os.Chmod(path, 0o755) // the cache's are read-only
	}))
	if err == nil && s.without[0] != "" {
		err = s.leaveOut(dir)
	}
	if err != nil {
		return dir, err
	}
	if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
		return dir, nil
	}
	if err := s.copyPins(dir); err != nil {
		return dir, err
	}
	if err := s.edit(dir, "-module="+s.module, "-droprequire="+s.module, "-droprequire="+ops, "-dropreplace="+ops); err != nil {
		return dir, err
	}
	// What only the tests import stands in go.sum, and now in go.mod too.
	out, err := s.command(dir, "go", append([]string{"list", "-mod=mod", "-test", "-deps"}, s.packages...)...).CombinedOutput()
	if err != nil {
		return dir, fmt.Errorf("go list -mod=mod: %w\n%s", err, out)
	}
	return dir, nil
}

// leaveOut takes text out of a test file.
func (s suite) leaveOut(dir string) error {
	path := filepath.Join(dir, s.without[0])
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	before, after, found := strings.Cut(string(text), s.without[1])
	if !found {
		return fmt.Errorf("%s: no line %q to leave out", path, s.without[1])
	}
	return os.WriteFile(path, []byte(before+after), 0o666)
}

// ops is the module that jobs run their operations by.
const ops = "github.com/wherrygo/wherry/lab/realworld/jobs/job"

// edit changes the go.mod in a folder.
func (s suite) edit(dir string, flags ...string) error {
	out, err := s.command(dir, "go", append([]string{"mod", "edit"}, flags...)...).CombinedOutput()
	if err != nil {
		return fmt.Errorf("go mod edit: %w\n%s", err, out)
	}
	return nil
}

func (s suite) copyPins(dir string) error {
	for _, name := range []string{"go.mod", "go.sum"} {
		text, err := os.ReadFile(filepath.Join(jobs, s.name, name))
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, name), text, 0o666)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// runTests runs the suite and returns its results and what was written to standard
// error. That tests fail is no error here.
func (s suite) runTests(dir, command string, args []string) (results, []byte, error) {
	cmd := s.command(dir, command, append(args, s.packages...)...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return nil, nil, err
	}
	r, err := parse(&stdout)
	if err != nil {
		err = fmt.Errorf("%w\n%s", err, stderr.Bytes())
	}
	return r, stderr.Bytes(), err
}

// command runs in a suite's folder; others' tests need not please the newest vet.
func (s suite) command(dir, name string, args ...string) *exec.Cmd {
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	cmd.Env = append(append(os.Environ(), "GOWORK=off", "GOFLAGS=-buildvcs=false -vet=off"), s.env...)
	return cmd
}

// functions counts by mode what -report=json lists.
func functions(report []byte) (fast, cgo int, err error) {
	begin := bytes.IndexByte(report, '{')
	if begin < 0 {
		return 0, 0, fmt.Errorf("wherry test wrote no report: %.300s", report)
	}
	var all compared
	if err := json.NewDecoder(bytes.NewReader(report[begin:])).Decode(&all); err != nil {
		return 0, 0, fmt.Errorf("wherry test's report: %w", err)
	}
	for _, p := range all.Packages {
		fast += len(p.Accelerated)
		cgo += len(p.Kept)
	}
	return fast, cgo, nil
}
