package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"runtime"
	"strings"
)

// writeTable writes the packages' table from the results: whole for REALWORLD.md,
// short for README.md.
func writeTable(w io.Writer, kind string) error {
	var measured, tested []*result
	var missing []string
	for _, s := range suites {
		r, err := s.read()
		switch {
		case errors.Is(err, fs.ErrNotExist):
			missing = append(missing, s.module)
			continue
		case err != nil:
			return err
		}
		if r.Ratio > 0 {
			measured = append(measured, r)
		}
		if r.Passed > 0 {
			tested = append(tested, r)
		}
		if r.Ratio == 0 || r.Passed == 0 {
			missing = append(missing, s.module) // at least one of the two
		}
	}
	if len(measured) == 0 {
		return fmt.Errorf("realworld: %s has no result", *dir)
	}
	ordered(measured)
	ordered(tested)
	switch kind {
	case "short":
		short(w, measured)
		return nil
	case "whole":
		long(w, measured)
		elsewhere(w, measured)
		tests(w, tested)
	default:
		return fmt.Errorf("realworld: -table %s: want whole or short", kind)
	}
	if len(missing) > 0 {
		fmt.Fprintf(w, "\nNot yet measured, or their tests not yet run: %s.\n", strings.Join(missing, ", "))
	}
	return nil
}

// short leaves out the rows of packages where no difference was shown, and names them; how many are slower it says,
// since a table without losses looks as if they had been left out.
func short(w io.Writer, all []*result) {
	fmt.Fprintln(w, "| package | main job | faster | 95 % interval | C functions fast | allocations, cgo and wherry |")
	fmt.Fprintln(w, "| --- | --- | ---: | --- | --- | --- |")
	var same []string
	slower := 0
	for _, r := range all {
		if r.CI[0] <= 1 && r.CI[1] >= 1 {
			same = append(same, fmt.Sprintf("%s (%s to %s)", label(r.Module), digits(r.CI[0]), digits(r.CI[1])))
			continue
		}
		if r.CI[1] < 1 {
			slower++
		}
		fmt.Fprintf(w, "| %s | %s | %s | %s | %s | %s |\n", label(r.Module), r.Work, digits(r.Ratio), interval(r.CI),
			of(r.Fast, r.Cgo), r.allocations())
	}
	fmt.Fprintf(w, "\nSlower: %d of %d.", slower, len(all))
	if len(same) > 0 {
		fmt.Fprintf(w, " No significant difference: %s.", strings.Join(same, ", "))
	}
	fmt.Fprintln(w)
}

func long(w io.Writer, all []*result) {
	fmt.Fprintf(w, "%s, %s/%s, %d processors; processor time, of all threads.\n\n", all[0].Go, runtime.GOOS, runtime.GOARCH,
		runtime.NumCPU())
	fmt.Fprintln(w, "| package | main job | faster | 95 % interval | crossings | C functions fast | allocations, cgo and wherry |")
	fmt.Fprintln(w, "| --- | --- | ---: | --- | ---: | --- | --- |")
	for _, r := range all {
		fmt.Fprintf(w, "| %s | %s | %s | %s | %.0f %% | %s | %s |\n", label(r.Module), r.Work, digits(r.Ratio), interval(r.CI), 100*r.Share,
			of(r.Fast, r.Cgo), r.allocations())
	}
	s := summarize(all)
	fmt.Fprintf(w, "\n%d packages; %d of their tests end otherwise than through plain cgo. %d jobs are slower (interval wholly below 0.97), "+
		"%d have an interval wholly above 1.10. ", s.packages, s.otherwise, s.slower, s.clear)
	fmt.Fprintf(w, "Of the %d where crossings are a tenth of the time or more the geometric mean is %s.\n", s.crossing, digits(s.mean))
}

// elsewhere writes what the time goes to where crossings are little of it.
func elsewhere(w io.Writer, all []*result) {
	fmt.Fprintln(w, "\nWhere crossings are less than a tenth of the time, this is what it goes to: the three functions of Go or C in "+
		"which the program that wherry built is most, by runtime/pprof.")
	fmt.Fprintln(w, "\n| package | faster | processors busy | in functions |")
	fmt.Fprintln(w, "| --- | ---: | ---: | --- |")
	for _, r := range all {
		if r.Share < 0.1 && r.Profile.Busy > 0 {
			fmt.Fprintf(w, "| %s | %s | %s | %s |\n", label(r.Module), digits(r.Ratio), digits(r.Profile.Busy), r.Profile)
		}
	}
}

// tests writes how the packages' own tests ended.
func tests(w io.Writer, all []*result) {
	fmt.Fprintln(w, "\n| module | tests: passed, failed, skipped | against plain cgo | run on | C functions fast |")
	fmt.Fprintln(w, "| --- | --- | --- | --- | --- |")
	for _, r := range all {
		name := r.Module + " " + r.Version
		if r.Note != "" {
			name += " (" + r.Note + ")"
		}
		fmt.Fprintf(w, "| %s | %d, %d, %d | %s | %s | %s |\n", name, r.Passed, r.Failed, r.Skipped, r.against(), r.Date,
			of(r.TestFast, r.TestCgo))
	}
}

// against says how the tests ended, compared with plain cgo.
func (r *result) against() string {
	text := "all the same"
	if n := len(r.Differences); n > 0 {
		text = fmt.Sprintf("**%d end otherwise**: %s", n, strings.ReplaceAll(r.Differences[0], "|", "\\|"))
	}
	if r.Unsteady > 0 {
		text += fmt.Sprintf("; %d left out that differ between two plain runs", r.Unsteady)
	}
	return text
}

func (r *result) allocations() string {
	if r.Allocs[0] == r.Allocs[1] {
		return fmt.Sprintf("%.0f", r.Allocs[0])
	}
	return fmt.Sprintf("%.0f, %.0f", r.Allocs[0], r.Allocs[1])
}

// label is a module without the usual hosts and its major version: uber/h3-go.
func label(module string) string {
	parts := strings.Split(module, "/")
	if last := parts[len(parts)-1]; len(last) == 2 && last[0] == 'v' {
		parts = parts[:len(parts)-1]
	}
	if parts[0] == "github.com" || parts[0] == "gopkg.in" {
		parts = parts[1:]
	}
	return strings.Join(parts, "/")
}

func of(fast, cgo int) string { return fmt.Sprintf("%d of %d", fast, fast+cgo) }

func digits(x float64) string { return fmt.Sprintf("%#.3g", x) }

func interval(ci [2]float64) string {
	text := digits(ci[0]) + " to " + digits(ci[1])
	if ci[0] <= 1 && ci[1] >= 1 {
		return "no significant difference (" + text + ")"
	}
	return text
}
