package tests

import (
	"strings"
	"testing"
)

// A function calls back although somebody says that it does not: a line says who, and the
// runtime panics as with #cgo nocallback, wherever the call stands.
func TestBrokenNoCallback(t *testing.T) {
	needsFastPath(t)
	m := testdata(t, "nocallback")
	rep := m.build("fast")
	for _, function := range []string{"byPolicy", "byDirective", "byPragma", "seldom"} {
		if !rep.nocallback(function) {
			t.Fatalf("%s: %q", function, rep.why(function))
		}
	}
	line := func(function, who string) string {
		return "wherry: C." + function + " of example.com/m calls back into Go, though " + who + " says that it does not\n"
	}
	byPolicy := line("byPolicy", `the line "example.com/m byPol* nocallback" of wherry.policy`)
	const panics = "recovered: runtime: function marked with #cgo nocallback called back into Go\n"
	for _, c := range []struct{ when, who, stderr string }{
		{"at once", "policy", byPolicy},
		{"at once", "directive", line("byDirective", "//wherry:nocallback in main.go:35")},
		{"at once", "pragma", line("byPragma", "#cgo nocallback")},
		{"after waiting", "policy", byPolicy},
		{"after waiting", "pragma", line("byPragma", "#cgo nocallback")},
		{"after a signal", "policy", byPolicy},
		{"known to last", "policy", line("seldom", `the line "example.com/m seldom nocallback" of wherry.policy`)},
		{"in a callback", "policy", byPolicy},
		{"in a callback from a C stack", "policy", byPolicy},
		{"on a C thread", "policy", byPolicy},
		{"twice", "policy", byPolicy + byPolicy},
	} {
		threads := []string{"4", "100000"} // on few callbacks the thread does not hold its P
		if c.when != "on a C thread" {
			threads = threads[:1]
		}
		for _, n := range threads {
			r := m.program("./fast", c.when, c.who, n)
			ended := strings.Repeat(panics, strings.Count(c.stderr, "\n")) + "the program goes on\n"
			ok := r.status == 0 && r.stdout == ended && r.stderr == c.stderr
			if strings.HasPrefix(c.when, "in a callback") || c.when == "on a C thread" {
				ok = r.status == 2 && r.stdout == "" &&
					strings.HasPrefix(r.stderr, c.stderr+"panic: runtime: function marked with #cgo nocallback called back into Go\n")
			}
			if !ok {
				t.Errorf("%s, %s, %s callbacks: got status %d, %q and %.600q, want %q first on standard error",
					c.when, c.who, n, r.status, r.stdout, r.stderr, c.stderr)
			}
		}
	}
}
