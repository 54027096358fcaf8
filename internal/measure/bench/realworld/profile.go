package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A profile is where a job, built plainly, spends its processor time.
type profile struct {
	C     float64 // share in C: of the samples that Go's profiler puts into runtime.cgocall, or outside of Go
	Other []spent // the most of what is Go
}

type spent struct {
	Function string
	Share    float64
}

// outside are Go's names for C code: called, and of threads that C created.
var outside = []string{"runtime.cgocall", "runtime._ExternalCode"}

// profile runs the job once more, plainly, under Go's profiler.
func (s suite) profile(folder string) (*profile, error) {
	temporary, err := os.MkdirTemp("", "realworld")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(temporary)
	file := filepath.Join(temporary, "cpu")
	out, err := s.command(folder, "go", "test", "-run=none", "-bench=^BenchmarkJob$", "-benchtime=2s",
		"-cpuprofile="+file, "-o="+filepath.Join(temporary, "test"), ".").CombinedOutput()
	if err != nil {
		return nil, fmt.Errorf("go test -cpuprofile: %w\n%s", err, out)
	}
	top := s.command(folder, "go", "tool", "pprof", "-top", "-nodecount=100", "-nodefraction=0", file)
	text, err := top.Output()
	if err != nil {
		return nil, fmt.Errorf("go tool pprof: %w", err)
	}
	return parseTop(string(text))
}

// topLine is one of go tool pprof -top: flat, flat%, sum%, cum, cum%, function.
var topLine = regexp.MustCompile(`(?m)^ *\S+ +(\d+(?:\.\d+)?)% +\S+% +\S+ +\S+% +(\S+)`)

func parseTop(text string) (*profile, error) {
	p := new(profile)
	lines := topLine.FindAllStringSubmatch(text, -1)
	if len(lines) == 0 {
		return nil, errors.New("go tool pprof -top wrote no functions")
	}
	for _, line := range lines {
		percent, err := strconv.ParseFloat(line[1], 64)
		switch {
		case err != nil:
			return nil, err
		case slices.Contains(outside, line[2]):
			p.C += percent / 100
		case len(p.Other) < 3 && percent >= 1:
			p.Other = append(p.Other, spent{line[2], percent / 100})
		}
	}
	return p, nil
}

// little is a gain of which one asks why it is not more.
const little = 1.05

// why says of each package that gains little where its time is, and whether more was to
// be had.
func why(w io.Writer, all []*result) {
	fmt.Fprintf(w, "\nWhere less than %.2f was gained: what wherry stat says of the crossings, "+
		"and where Go's profiler finds the plain program "+
		"(in C: in runtime.cgocall, which has a part of the crossings, or on C's own threads).\n\n", little)
	for _, r := range all {
		if r.Ratio >= little {
			continue
		}
		text := r.table()
		if r.Profile != nil {
			text = r.Profile.text() + "; " + text
		}
		fmt.Fprintf(w, "- %s (%s): %s.\n", label(r.Module), digits(r.Ratio), text)
	}
}

func (p *profile) text() string {
	var rest []string
	for _, f := range p.Other {
		rest = append(rest, fmt.Sprintf("%s %.0f %%", f.Function, 100*f.Share))
	}
	text := fmt.Sprintf("%.0f %% of its time is in C", 100*p.C)
	if len(rest) > 0 {
		text += ", then " + strings.Join(rest, ", ")
	}
	return text
}

// otherGains says what is known of gains that crossings do not explain.
func otherGains(w io.Writer, all []*result) {
	first := true
	for _, r := range all {
		if r.uncounted() || r.predicted() >= little || r.CI[0] < little*r.predicted() || r.Switches[0] <= 2*r.Switches[1] {
			continue
		}
		if first {
			fmt.Fprint(w, "\nMore was gained than crossings cost where a program is mostly in C: "+
				"through cgo Go's monitor finds it in a system call, takes its P each 10 ms, and then polls every 20 us. "+
				"It shows in how often threads switch in one operation.\n\n")
			first = false
		}
		fmt.Fprintf(w, "- %s (%s, predicted %s): %s switches through cgo, %s by wherry.\n", label(r.Module), digits(r.Ratio),
			digits(r.predicted()), digits(r.Switches[0]), digits(r.Switches[1]))
	}
}

// table says whether crossings are a package's cost, and if so whether the gain is there.
func (r *result) table() string {
	switch most := r.predicted(); {
	case most < little:
		return fmt.Sprintf("crossings are not its cost: %.1f %%, and without them and what they allocate it would be %s",
			100*r.Share, digits(most))
	case most <= r.CI[1]:
		return fmt.Sprintf("crossings are %.1f %%, and the %s that can be had are in the interval, %s to %s",
			100*r.Share, digits(most), digits(r.CI[0]), digits(r.CI[1]))
	default:
		return fmt.Sprintf("crossings are %.1f %%, and of the %s that can be had something is left on the table", 100*r.Share, digits(most))
	}
}
