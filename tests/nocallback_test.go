package tests

import (
	"strings"
	"testing"
)

// A function of which nobody says anything may call back, as through plain cgo. Where somebody says
// that it does not, a line says who, and the runtime panics as with #cgo nocallback, wherever the
// call stands.
func TestBrokenNoCallback(t *testing.T) {
	onEach(t, func(t *testing.T, on target) {
		m := testdata(t, "nocallback").on(on)
		m.must("go", "build", "-o", "plain")
		rep := m.build("fast")
		for _, function := range []string{"byPolicy", "byDirective", "byPragma", "seldom", "unsaid"} {
			if rep.nocallback(function) != (function != "unsaid") {
				t.Fatalf("%s: %q", function, rep.why(function))
			}
		}
		line := func(function, who string) string {
			return "wherry: C." + function + " of example.com/m calls back into Go, though " + who + " says that it does not\n"
		}
		byPolicy := line("byPolicy", `the line "example.com/m byP* nocallback" of wherry.policy`)
		const panics = "recovered: runtime: function marked with #cgo nocallback called back into Go\n"
		for _, c := range []struct{ when, who, stderr string }{
			{"at once", "nobody", ""},
			{"at once", "policy", byPolicy},
			{"at once", "directive", line("byDirective", "//wherry:nocallback in main.go:36")},
			{"at once", "pragma", line("byPragma", "#cgo nocallback")},
			{"after waiting", "nobody", ""},
			{"after waiting", "policy", byPolicy},
			{"after waiting", "pragma", line("byPragma", "#cgo nocallback")},
			{"twice", "policy", byPolicy + byPolicy},
			{"in a callback", "policy", byPolicy},
			{"in a callback from a C stack", "policy", byPolicy},
			{"after a signal", "policy", byPolicy},
			{"known to last", "policy", line("seldom", `the line "example.com/m seldom nocallback" of wherry.policy`)},
			{"on a C thread", "policy", byPolicy},
		} {
			if on.runner != nil && c.when == "in a callback" {
				break // the rest is the same there
			}
			threads := []string{"4", "100000"} // on few callbacks the thread does not hold its P
			if c.when != "on a C thread" {
				threads = threads[:1]
			}
			for _, n := range threads {
				r := m.program("./fast", c.when, c.who, n)
				ended := strings.Repeat(panics, strings.Count(c.stderr, "\n"))
				if c.who == "nobody" {
					ended = "in Go\nrecovered: <nil>\n"
				}
				ended += "the program goes on\n"
				ok := r.status == 0 && r.stdout == ended && r.stderr == c.stderr
				if strings.HasPrefix(c.when, "in a callback") || c.when == "on a C thread" {
					ok = r.status == 2 && r.stdout == "" &&
						strings.HasPrefix(r.stderr, c.stderr+"panic: runtime: function marked with #cgo nocallback called back into Go\n")
				}
				if !ok {
					t.Errorf("%s, %s, %s callbacks: got status %d, %q and %.600q, want %q first on standard error",
						c.when, c.who, n, r.status, r.stdout, r.stderr, c.stderr)
				}
				if c.who != "nobody" && c.who != "pragma" {
					continue // of which plain cgo knows nothing
				}
				if plain := m.mustProgram("./plain", c.when, c.who, n); plain.stdout != ended {
					t.Errorf("plain cgo, %s, %s: got %q, want %q", c.when, c.who, plain.stdout, ended)
				}
			}
		}
	})
}
