package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"sort"
	"strings"
)

// results are what the tests of a suite ended in: pass, fail or skip, by
// package and name. The package itself has the empty name.
type results map[[2]string]string

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
			all[name] = "no end" // until its end comes
		}
	}
	return all, lines.Err()
}

// count returns how many tests and subtests ended in each way.
func (r results) count() (pass, fail, skip int) {
	for name, action := range r {
		switch {
		case name[1] == "":
		case action == "pass":
			pass++
		case action == "skip":
			skip++
		default:
			fail++
		}
	}
	return pass, fail, skip
}

// differences lists what ended differently, in order. A test that only one of
// the two has is a difference too.
func differences(plain, wherry results) []string {
	var all []string
	for name := range union(plain, wherry) {
		p, w := plain[name], wherry[name]
		if p == w {
			continue
		}
		if p == "" {
			p = "did not run"
		}
		if w == "" {
			w = "did not run"
		}
		all = append(all, fmt.Sprintf("%s %s: plain cgo: %s, wherry: %s", name[0], name[1], p, w))
	}
	sort.Strings(all)
	return all
}

func union(a, b results) map[[2]string]bool {
	all := map[[2]string]bool{}
	for name := range a {
		all[name] = true
	}
	for name := range b {
		all[name] = true
	}
	return all
}

// unsteady takes the tests out of both that did not end alike in two plain
// runs, and gives their number: they tell nothing about wherry.
func unsteady(first, second results, from ...results) int {
	n := 0
	for name := range union(first, second) {
		if first[name] == second[name] {
			continue
		}
		n++
		for _, r := range from {
			delete(r, name)
		}
	}
	return n
}

// differing is a pattern of the tests that ended differently.
func differing(plain, wherry results) string {
	var names []string
	for name := range union(plain, wherry) {
		if test, _, _ := strings.Cut(name[1], "/"); test != "" && plain[name] != wherry[name] && !slices.Contains(names, test) {
			names = append(names, test)
		}
	}
	sort.Strings(names)
	return "^(" + strings.Join(names, "|") + ")$"
}

// otherwise takes the tests out of both that plain cgo, in a further run of some,
// ended as wherry did, and returns their number. A package ends as its tests do.
func otherwise(plain, again, wherry results) int {
	n := 0
	for name := range union(plain, wherry) {
		if name[1] != "" && plain[name] != wherry[name] && again[name] != "" && again[name] == wherry[name] {
			delete(plain, name)
			delete(wherry, name)
			n++
		}
	}
	for name := range union(plain, wherry) {
		if name[1] == "" && plain[name] != wherry[name] && again[name] == wherry[name] {
			delete(plain, name)
			delete(wherry, name)
		}
	}
	return n
}
