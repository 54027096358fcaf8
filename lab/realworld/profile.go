package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// A Profile says what the job's time goes to, Go's functions and C's.
type Profile struct {
	Busy float64 // processors
	Top  []function
}

// A function is one of those that use the most time themselves.
type function struct {
	Name  string
	Share float64 // of the processor time
}

// profile takes a CPU profile of the job as wherry builds it: by the plain go command C has no functions there.
func (s suite) profile(folder string) (p Profile, err error) {
	temporary, err := os.MkdirTemp("", "realworld")
	if err != nil {
		return p, err
	}
	defer os.RemoveAll(temporary)
	file := filepath.Join(temporary, "cpu.prof")
	cmd := s.command(folder, *wherry, "test", "-run=^$", "-bench=^BenchmarkJob$", "-benchtime=5s", "-cpuprofile="+file,
		"-o="+filepath.Join(temporary, "job.test"), ".")
	if out, err := cmd.CombinedOutput(); err != nil {
		return p, fmt.Errorf("wherry test -cpuprofile: %w\n%s", err, out)
	}
	out, err := s.command(folder, "go", "tool", "pprof", "-top", "-nodecount=3", file).Output()
	if err != nil {
		return p, fmt.Errorf("go tool pprof: %w", err)
	}
	return readTop(out)
}

// readTop reads what pprof -top writes.
func readTop(text []byte) (p Profile, err error) {
	var duration, samples time.Duration
	lines := bufio.NewScanner(bytes.NewReader(text))
	for rows := false; lines.Scan(); {
		line := strings.Fields(lines.Text())
		switch {
		case len(line) >= 6 && line[0] == "Duration:": // 2.27s, Total samples = 2170ms (95.74%)
			var errs [2]error
			duration, errs[0] = time.ParseDuration(strings.TrimSuffix(line[1], ","))
			samples, errs[1] = time.ParseDuration(line[5])
			err = errors.Join(err, errs[0], errs[1])
		case len(line) >= 5 && line[0] == "flat":
			rows = true
		case rows && len(line) >= 6: // flat flat% sum% cum cum% name
			percent, e := strconv.ParseFloat(strings.TrimSuffix(line[1], "%"), 64)
			err = errors.Join(err, e)
			name := strings.TrimSuffix(strings.Join(line[5:], " "), " (inline)")
			p.Top = append(p.Top, function{name, percent / 100})
		}
	}
	if err == nil && duration == 0 {
		err = errors.New("no duration")
	}
	if err != nil {
		return p, fmt.Errorf("go tool pprof wrote %.80q: %w", text, err)
	}
	p.Busy = samples.Seconds() / duration.Seconds()
	return p, nil
}

// String says it in a table's cell.
func (p Profile) String() string {
	if p.Busy < 0.05 { // some samples say nothing
		return "waiting"
	}
	var all []string
	for _, f := range p.Top {
		all = append(all, fmt.Sprintf("`%s` %.0f %%", f.Name, 100*f.Share))
	}
	return strings.Join(all, ", ")
}
