package main

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
)

// results are what the tests of a suite ended in: pass, fail or skip, by
// package and name. The package itself has the empty name.
type results map[[2]string]string

const (
	noEnd     = "no end"
	didNotRun = "did not run"
)

// parse reads what go test -json writes.
func parse(r io.Reader) (results, error) {
	all := results{}
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		if !bytes.HasPrefix(lines.Bytes(), []byte("{")) {
			continue // a test program may write to the go command's output itself
		}
		var event struct{ Action, Package, Test, FailedBuild string }
		if err := json.Unmarshal(lines.Bytes(), &event); err != nil {
			return nil, fmt.Errorf("realworld: go test -json wrote %.80q: %w", lines.Text(), err)
		}
		if event.FailedBuild != "" {
			return nil, fmt.Errorf("realworld: the tests of %s do not build", event.Package) // also if neither side's do
		}
		name := [2]string{event.Package, event.Test}
		switch event.Action {
		case "pass", "fail", "skip":
			all[name] = event.Action
		case "run":
			all[name] = noEnd // until its end comes
		}
	}
	return all, lines.Err()
}

// count returns how many tests and subtests ended in each way, but those to leave out.
func (r results) count(leaveOut func(name [2]string) bool) map[string]int {
	n := map[string]int{}
	for name, action := range r {
		if name[1] != "" && !leaveOut(name) {
			n[action]++
		}
	}
	return n
}

// endings are how tests ended in several plain runs.
type endings map[[2]string]map[string]bool

func (e endings) add(name [2]string, ending string) {
	if e[name] == nil {
		e[name] = map[string]bool{}
	}
	e[name][cmp.Or(ending, didNotRun)] = true
}

// whole is of runs of all tests.
func whole(first, second results) endings {
	all := endings{}
	for _, r := range []results{first, second} {
		for name := range r {
			all.add(name, first[name])
			all.add(name, second[name])
		}
	}
	return all
}

// unsteady reports whether plain cgo ended a test in more than one way, which shows
// nothing about wherry.
func (e endings) unsteady(name [2]string) bool { return len(e[name]) > 1 }

// differing lists, in order, the tests that wherry ended as plain cgo never did. One that
// only one of the two has is among them.
func (e endings) differing(wherry results) (names [][2]string) {
	all := maps.Clone(wherry)
	for name := range e {
		all[name] = wherry[name]
	}
	for name, ending := range all {
		if !e[name][cmp.Or(ending, didNotRun)] {
			names = append(names, name)
		}
	}
	slices.SortFunc(names, func(a, b [2]string) int { return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1])) })
	return names
}

// differences says how they ended.
func (e endings) differences(wherry results) (all []string) {
	for _, name := range e.differing(wherry) {
		plain := strings.Join(slices.Sorted(maps.Keys(e[name])), " or ")
		all = append(all, fmt.Sprintf("%s %s: plain cgo: %s, wherry: %s", name[0], name[1], cmp.Or(plain, didNotRun),
			cmp.Or(wherry[name], didNotRun)))
	}
	return all
}

// pattern matches the tests among names, with their subtests.
func pattern(names [][2]string) string {
	var tests []string
	for _, name := range names {
		if test, _, _ := strings.Cut(name[1], "/"); test != "" && !slices.Contains(tests, test) {
			tests = append(tests, test)
		}
	}
	return "^(" + strings.Join(tests, "|") + ")$"
}
