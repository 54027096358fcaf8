// Realworld runs the test suites of cgo packages by plain go test and by wherry
// test without any policy, compares how each test ended, and measures the
// packages' benchmarks with wherry compare. script/realworld starts it and
// keeps its table as REALWORLD.md.
//
//	go run ./realworld -wherry ../bin/wherry [-only RE] [-count 0] [-raw DIR]
//
// The modules come from the module proxy, each of the version and with the hash
// in suite.go, and run in copies.
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"time"
)

var (
	wherry = flag.String("wherry", "wherry", "the wherry command")
	only   = flag.String("only", ".", "`regexp` of modules")
	count  = flag.Int("count", 8, "rounds of the benchmarks; 0 measures nothing")
	raw    = flag.String("raw", "", "keep the benchmark lines in this `folder`")
	keep   = flag.String("logs", "", "keep what the tests wrote in this `folder`")
)

func main() {
	flag.Parse()
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run() error {
	pattern, err := regexp.Compile(*only)
	if err != nil {
		return err
	}
	if *wherry, err = filepath.Abs(*wherry); err != nil {
		return err
	}
	for _, folder := range []*string{raw, keep} {
		if *folder != "" {
			if *folder, err = filepath.Abs(*folder); err == nil {
				err = os.MkdirAll(*folder, 0o777)
			}
		}
		if err != nil {
			return err
		}
	}
	version, _ := exec.Command("go", "env", "GOVERSION").Output()
	fmt.Printf("%s, %s/%s, %d processors, %s.\n\n", strings.TrimSpace(string(version)), runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), time.Now().UTC().Format("2006-01-02"))
	fmt.Println("| module | tests: passed, failed, skipped | against plain cgo | functions: fast, cgo | speed-up | faster | slower |")
	fmt.Println("| --- | --- | --- | --- | --- | --- | --- |")
	for _, s := range suites {
		if !pattern.MatchString(s.module) {
			continue
		}
		if s.header != "" {
			if _, e := os.Stat(s.header); e != nil {
				fmt.Fprintf(os.Stderr, "realworld: %s not run: %s is missing: apt-get install %s\n", s.module, s.header, s.debian)
				fmt.Printf("| %s %s | not run: Debian's %s is missing | | | | | |\n", s.module, s.version, s.debian)
				continue
			}
		}
		row, e := s.row()
		if e != nil {
			row = fmt.Sprintf("| %s %s | | **%s** | | | | |\n", s.module, s.version, strings.ReplaceAll(firstLine(e.Error()), "|", "\\|"))
			err = errors.Join(err, fmt.Errorf("%s: %w", s.module, e))
		}
		fmt.Print(row)
	}
	return err
}

// row runs a suite and gives its line of the table.
func (s suite) row() (string, error) {
	dir, err := s.copy()
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir)
	test := []string{"test", "-json", "-count=1", "-timeout=15m"}
	plain, _, err := s.test(dir, "plain", "go", test)
	if err != nil {
		return "", err
	}
	args := append([]string{"test", "-report=json"}, test[1:]...)
	fast, report, err := s.test(dir, "wherry", *wherry, args)
	if err != nil {
		return "", err
	}
	again, _, err := s.test(dir, "again", "go", test)
	if err != nil {
		return "", err
	}
	n := unsteady(plain, again, plain, again, fast)
	found := differences(plain, fast)
	pass, fail, skip := fast.count()
	if pass == 0 {
		return "", fmt.Errorf("no test passed: %s", report)
	}
	fastFunctions, cgo, err := functions(report)
	if err != nil {
		return "", err
	}
	if fastFunctions == 0 {
		return "", errors.New("wherry accelerated nothing, so the comparison says nothing")
	}
	if len(found) > 0 {
		return "", fmt.Errorf("%d tests end otherwise than by plain cgo\n%s", len(found), strings.Join(found, "\n"))
	}
	same := "all the same"
	if n > 0 {
		same += fmt.Sprintf("; %d left out that differ between two plain runs", n)
	}
	var measured speed
	if s.bench != "" && *count > 0 {
		if measured, err = s.measure(dir); err != nil {
			return "", err
		}
	}
	name := s.module + " " + s.version
	if s.note != "" {
		name += " (" + s.note + ")"
	}
	return fmt.Sprintf("| %s | %d, %d, %d | %s | %d, %d | %s |\n", name, pass, fail, skip, same, fastFunctions, cgo, measured), nil
}

// copy gives a folder with the module's files, which tests may write to.
func (s suite) copy() (string, error) {
	out, err := exec.Command("go", "mod", "download", "-json", s.module+"@"+s.version).Output()
	var module struct{ Dir, Sum, Error string }
	if e := json.Unmarshal(out, &module); e != nil || module.Error != "" {
		return "", fmt.Errorf("realworld: downloading %s %s: %w %s", s.module, s.version, errors.Join(err, e), module.Error)
	}
	if module.Sum != s.sum {
		return "", fmt.Errorf("realworld: %s %s has the hash %s, want %s", s.module, s.version, module.Sum, s.sum)
	}
	dir, err := os.MkdirTemp("", "realworld")
	if err != nil {
		return "", err
	}
	return dir, errors.Join(os.CopyFS(dir, os.DirFS(module.Dir)), filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		return os.Chmod(path, 0o755) // the cache's are read-only
	}))
}

// test runs the suite and gives its results and what was written to standard
// error. That tests fail is no error here.
func (s suite) test(dir, label, command string, args []string) (results, []byte, error) {
	cmd := s.command(dir, command, append(args, s.packages...))
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return nil, nil, err
	}
	if *keep != "" {
		log := filepath.Join(*keep, strings.ReplaceAll(s.module, "/", "_")+"."+label)
		if err := errors.Join(os.WriteFile(log+".json", stdout.Bytes(), 0o666), os.WriteFile(log+".txt", stderr.Bytes(), 0o666)); err != nil {
			return nil, nil, err
		}
	}
	r, err := parse(&stdout)
	return r, stderr.Bytes(), err
}

// command runs in a suite's folder; others' tests need not please the newest vet.
func (s suite) command(dir, name string, args []string) *exec.Cmd {
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	cmd.Env = append(append(os.Environ(), "GOWORK=off", "GOFLAGS=-buildvcs=false -vet=off"), s.env...)
	return cmd
}

// functions counts by mode what -report=json tells.
func functions(report []byte) (fast, cgo int, err error) {
	begin := bytes.IndexByte(report, '{')
	if begin < 0 {
		return 0, 0, fmt.Errorf("wherry test wrote no report: %.300s", report)
	}
	var all struct {
		Packages []struct {
			Accelerated, Kept []struct{ Function string }
		}
	}
	if err := json.NewDecoder(bytes.NewReader(report[begin:])).Decode(&all); err != nil {
		return 0, 0, fmt.Errorf("wherry test's report: %w", err)
	}
	for _, p := range all.Packages {
		fast += len(p.Accelerated)
		cgo += len(p.Kept)
	}
	return fast, cgo, nil
}

// measure compares the suite's benchmarks, interleaved.
func (s suite) measure(dir string) (speed, error) {
	args := []string{"compare", "-notest", "-json", "-bench", s.bench, "-benchtime", "20ms", "-count", fmt.Sprint(*count)}
	if *raw != "" {
		args = append(args, "-raw", filepath.Join(*raw, "realworld-"+strings.ReplaceAll(s.module, "/", "_")+".txt"))
	}
	cmd := s.command(dir, *wherry, append(args, s.packages[0]))
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	var all speed
	if err != nil {
		return all, fmt.Errorf("wherry compare: %w\n%s", err, stderr.Bytes())
	}
	return all, all.read(out)
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return line
}
