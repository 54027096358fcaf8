package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/wherrygo/wherry/internal/build/accel"
	"github.com/wherrygo/wherry/internal/build/gotool"
	"github.com/wherrygo/wherry/internal/build/policy"
	"github.com/wherrygo/wherry/internal/goruntime"
)

// reports are those of a build's cgo packages, sorted by import path.
type reports []*accel.Report

// What is wrong the go command says.
var errNotBuilt = errors.New("a package is missing or does not compile")

// reports reads them out of the archives of the packages that a command has built or
// will build, which are in the build cache. Those that rest on libraries that are others
// now are built again.
func (a *acceleration) reports(c *gotool.Command) (found reports, err error) {
	found, ok := a.built(c)
	if !ok {
		if found, err = a.read(c); err != nil {
			return nil, err
		}
	}
	var changed []accel.Library
	for _, report := range found {
		for _, l := range report.Changed() {
			if !slices.Contains(changed, l) {
				changed = append(changed, l)
			}
		}
	}
	if len(changed) > 0 {
		if err := a.renew(changed); err != nil {
			return nil, err
		}
		if found, err = a.read(c); err != nil {
			return nil, err
		}
	}
	return a.sorted(found), nil
}

// read has the go command list the packages.
func (a *acceleration) read(c *gotool.Command) (reports, error) {
	more := []string{"-deps", "-export"}
	if c.Verb == "test" {
		more = append(more, "-test")
	}
	var list []gotool.Package
	err := a.compiling(func() (err error) {
		list, err = c.List(c.Packages, slices.Concat(a.flags, more)...)
		return err
	})
	if err != nil {
		return nil, err
	}
	var found reports
	now := known{}
	for _, p := range list {
		if p.Standard && p.ImportPath == "plugin" {
			a.plain = &goruntime.Unsupported{What: p.ImportPath +
				" opens libraries that must have been built from the same packages, without wherry"}
			return nil, a.plain
		}
		if p.Error != nil && c.Verb == "run" {
			return nil, errNotBuilt
		}
		path, _, _ := strings.Cut(p.ImportPath, " ") // "p [p.test]"
		if p.Standard {
			continue
		}
		if !p.UsesCgo() {
			now[p.BuildID] = nil
			continue
		}
		if p.Export == "" {
			return nil, errNotBuilt
		}
		report, err := accel.ReadReport(p.Export)
		if err != nil {
			return nil, err
		}
		if report == nil {
			report = &accel.Report{Package: path, Warnings: []string{fmt.Sprintf("%s: its generated code was not understood (%s); all on cgo",
				path, a.env.GOVERSION)}}
		}
		now[p.BuildID] = report
		found = found.with(report)
	}
	a.remember(c, now)
	return found, nil
}

func (a *acceleration) sorted(found reports) reports {
	for _, report := range found {
		a.explain(report)
	}
	slices.SortFunc(found, func(x, y *accel.Report) int { return cmp.Compare(x.Package, y.Package) })
	return found
}

// explain puts the place of the rule that decided into the report. The place
// may have moved since the package was built.
func (a *acceleration) explain(report *accel.Report) {
	rules := policy.For(a.rules, report.Package)
	for _, list := range [][]accel.Function{report.Accelerated, report.Kept} {
		for i := range list {
			if rule := policy.Decide(rules, list[i].Name); list[i].ByPolicy && rule != nil &&
				(list[i].Mode != policy.Cgo || rule.Mode == policy.Cgo) {
				list[i].Why = rule.Pos()
			}
		}
		slices.SortFunc(list, func(x, y accel.Function) int { return cmp.Compare(x.Name, y.Name) })
	}
}

func (r reports) writeSummary(w io.Writer) {
	fast, all := 0, 0
	what := policy.Fast.String()
	var parts []string
	for _, report := range r {
		n := len(report.Accelerated)
		fast, all = fast+n, all+n+len(report.Kept)
		for _, f := range report.Accelerated {
			if mode := f.Mode.String(); !strings.Contains(what, mode) {
				what += " or " + mode
			}
		}
		if n > 0 {
			parts = append(parts, fmt.Sprintf("%s %d", report.Package, n))
		}
		for _, warning := range report.Warnings {
			fmt.Fprintf(w, "wherry: warning: %s\n", warning)
		}
	}
	switch {
	case len(r) == 0:
		fmt.Fprintln(w, "wherry: nothing to accelerate: no package outside the standard library uses cgo")
	case all == 0:
		fmt.Fprintln(w, "wherry: nothing to accelerate: no package outside the standard library calls a C function")
	case fast == 0:
		fmt.Fprintf(w, "wherry: 0 of %d C functions are fast\n", all)
	default:
		fmt.Fprintln(w, shortened(fmt.Sprintf("wherry: %d of %d C functions are %s (", fast, all, what), parts, "); -report says which and why"))
	}
}

// longest is how long the summary may be.
const longest = 200

// shortened returns a line with as many of the parts as there is room for.
func shortened(before string, parts []string, after string) string {
	for n := len(parts); ; n-- {
		list := strings.Join(parts[:n], ", ")
		if n < len(parts) {
			list = strings.TrimPrefix(fmt.Sprintf("%s, and %d more", list, len(parts)-n), ", and ")
		}
		if line := before + list + after; len(line) <= longest || n == 0 {
			return line
		}
	}
}

func (r reports) writeText(w io.Writer) error {
	if len(r) == 0 {
		_, err := fmt.Fprintln(w, "no package outside the standard library uses cgo")
		return err
	}
	var errs []error
	for i, report := range r {
		if i > 0 {
			fmt.Fprintln(w)
		}
		fmt.Fprintf(w, "%s: %s%d on cgo\n", report.Package, report.Modes(), len(report.Kept))
		table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
		for _, f := range report.Accelerated {
			why := brief(f.Why)
			if f.Assumed {
				why += ", your assumption; " + f.Code
			}
			fmt.Fprintf(table, "  %s\t%s\t%s\n", f.Mode, f.Name, why)
		}
		for _, f := range report.Kept {
			why := f.Why
			if f.Word != "" {
				why += fmt.Sprintf("; `%s` would change that: %s", f.Word, f.Asks)
			}
			fmt.Fprintf(table, "  cgo\t%s\t%s\n", f.Name, why)
		}
		errs = append(errs, table.Flush())
		if len(report.Missing) > 0 {
			fmt.Fprintf(w, "  its C code needs what other packages define, and wherry has not seen: %s\n", strings.Join(report.Missing, " "))
		}
		for _, warning := range report.Warnings {
			fmt.Fprintf(w, "  warning: %s\n", warning)
		}
	}
	return errors.Join(errs...)
}

// brief leaves out the ways to what a function does, which for a large library are long: of a fast one they
// are of interest only now and then, and in the JSON.
func brief(why string) string {
	rest, read := strings.CutPrefix(why, "read: ")
	if !read {
		return why
	}
	parts := strings.Split(rest, "; ")
	for i := range parts {
		parts[i], _, _ = strings.Cut(parts[i], ": ")
	}
	return "read: " + strings.Join(parts, ", ")
}

// writeJSON prints {"packages":[{"package":…,"accelerated":[…],"kept":[…]}]},
// the same objects as in the output of wherry compare -json.
func (r reports) writeJSON(w io.Writer) error {
	if r == nil {
		r = reports{}
	}
	return writeIndented(w, map[string]any{"packages": r})
}
