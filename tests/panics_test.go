package tests

import (
	"slices"
	"strings"
	"testing"
)

// Goroutines that nest calls of every mode, callbacks, panics, recovered or not,
// deferred calls of C, Goexit and growing stacks at random see what they see by
// plain cgo, while the world is stopped again and again.
func TestRandomPanicsAgreeWithCgo(t *testing.T) {
	onEach(t, func(t *testing.T, on target) {
		m := testdata(t, "panics").on(on)
		for name, policy := range map[string]string{"./fast": "",
			"./reentrant": "example.com/m visit reentrant\nexample.com/m visitLarge reentrant=1M\n"} {
			m.write("wherry.policy", policy+"example.com/m visitByCgo cgo\n")
			if rep := m.build(name); rep.fast() != "add addSlowly stacksInUse visit visitLarge" {
				t.Fatalf("%s: got functions %q", name, rep.fast())
			}
		}
		m.must("go", "build", "-o", "plain")
		goroutines := "400"
		if on.runner != nil {
			goroutines = "100"
		}
		want := strings.Split(m.mustProgram("./plain", goroutines).stdout, "\n")
		env := m.env
		for _, way := range []struct{ program, env string }{
			{"./fast", ""},
			{"./fast", "WHERRY_CSTACK_LIMIT=1"},
			{"./fast", "GODEBUG=asyncpreemptoff=1"}, // every call is turned before it begins
			{"./reentrant", ""},
		} {
			m.env = append(slices.Clip(env), way.env)
			fast := m.mustProgram(way.program, goroutines)
			for i, line := range strings.Split(fast.stdout, "\n") {
				if i >= len(want) || line != want[i] {
					t.Fatalf("%s %s: goroutine, hash: got %q, plain cgo differs\n%s", way.program, way.env, line, fast.stderr)
				}
			}
		}
	})
}
