package tests

import (
	"regexp"
	"strings"
	"testing"
)

// A program says how it was built, stripped or not: by which wherry, with which policy, and
// how many of its C functions are fast. What else it says of its build is what it says if
// plain go has built it, its tags too.
func TestProvenance(t *testing.T) {
	t.Parallel()
	needsFastPath(t)
	m := testdata(t, "provenance")
	for _, flags := range [][]string{{"-tags=one,two"}, {"-ldflags=-s -w"}, {"-buildmode=pie"}} {
		m.must("go", append([]string{"build", "-o", "plain"}, flags...)...)
		m.build("fast", flags...)
		plain, fast := m.must("./plain").stdout, m.must("./fast").stdout
		rest, ok := strings.CutPrefix(fast, plain)
		want := regexp.MustCompile(`^wherry=\S+\nwherry\.policy=[0-9a-f]{12} example\.com/m sub cgo\n` +
			`wherry\.fast=1\nwherry\.cgo=1 example\.com/m\.sub\n$`)
		if !ok || !want.MatchString(rest) {
			t.Errorf("%q: got\n%swant\n%sand what matches %v", flags, fast, plain, want)
		}
		contains(t, "go version -m", m.must("go", "version", "-m", "fast").stdout, "\tbuild\twherry.fast=1\n")
		contains(t, "wherry version", m.must(wherry, "version", "fast", "plain").stdout,
			"\n\tpolicy: ", " example.com/m sub cgo\n\tfast: 1 C functions\n\ton cgo: 1 (example.com/m.sub)\nplain: go",
			", no C function through wherry\n")
	}
	if r := m.run(wherry, "version", "main.go", "missing", "plain"); r.status != 1 || strings.Count(r.stderr, "wherry: version: ") != 2 ||
		!strings.Contains(r.stdout, "plain: go") {
		t.Errorf("files that are no programs: got status %d\n%s%s", r.status, r.stdout, r.stderr)
	}
}

// A program without C of its own is, as before, what plain go makes of it.
func TestNoProvenanceWithoutC(t *testing.T) {
	t.Parallel()
	needsFastPath(t)
	m := newModule(t, map[string]string{"main.go": "package main\n\nfunc main() {}\n"})
	m.must("go", "build", "-trimpath", "-o", "program")
	plain := m.must("go", "version", "-m", "program").stdout
	m.must(wherry, "build", "-trimpath", "-o", "program")
	if fast := m.must("go", "version", "-m", "program").stdout; fast != plain {
		t.Errorf("got\n%swant\n%s", fast, plain)
	}
}
