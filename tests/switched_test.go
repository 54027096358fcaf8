package tests

import (
	"slices"
	"strings"
	"testing"
)

// with returns the module with more in its environment.
func (m *module) with(env ...string) *module {
	other := *m
	other.env = append(slices.Clone(m.env), env...)
	return &other
}

// A program that is switched off makes each call through cgo: cgo counts as many as in the program
// that go has built. Those that promise not to call back are turned before they begin, which
// keeps the promise; the count does not see them.
func TestSwitchedOff(t *testing.T) {
	onEach(t, func(t *testing.T, on target) {
		m := testdata(t, "switched").on(on)
		m.must("go", "build", "-o", "plain")
		want := m.mustProgram("./plain").stdout
		for _, name := range []string{"by a rule without callbacks", "as cgo's directives promise"} {
			want = strings.Replace(want, name+": 200 calls", name+": 0 calls", 1)
		}
		for mode, flags := range map[string][]string{"": nil, "static": {"-ldflags=-extldflags=-static"}, "pie": {"-buildmode=pie"}} {
			if mode != "" && len(on.runner) > 0 {
				continue // how it is linked does not depend on the machine
			}
			m.must(wherry, append([]string{"build", "-o", "fast"}, flags...)...)
			off := m.with("WHERRY=off")
			if got := off.mustProgram("./fast").stdout; got != want {
				t.Errorf("%s: got\n%s\nwant\n%s", mode, got, want)
			}
			if got := m.with("WHERRY=on").mustProgram("./fast").stdout; !strings.HasPrefix(got, "short: 0 calls") {
				t.Errorf("%s WHERRY=on: got %.100q, want a program whose short calls cgo does not make", mode, got)
			}
			const panics = "panic: runtime: function marked with #cgo nocallback called back into Go"
			if got := off.program("./fast", "breaks"); got.status != 2 || !strings.Contains(got.stderr, panics) {
				t.Errorf("%s: a broken promise: got status %d and %.300q, want %q", mode, got.status, got.stderr, panics)
			}
		}
		const message = "wherry: WHERRY=Off: want off or on; this program goes on without it\n"
		if got := m.with("WHERRY=Off").mustProgram("./fast"); got.stderr != message {
			t.Errorf("WHERRY=Off: got %q, want %q", got.stderr, message)
		}
	})
}

// The functions of runtime.SetCgoTraceback are asked as plainly: each callback has a context,
// and a crash and a profile have C's frames. By wherry they were asked for few calls.
func TestTracebackFunctions(t *testing.T) {
	compare := func(t *testing.T, m *module) {
		m.must("go", "build", "-o", "plain")
		m.must(wherry, "build", "-o", "fast")
		want := m.mustProgram("./plain").stdout
		if !strings.HasPrefix(want, "contexts 14420 14420 frames 35020 ") {
			t.Fatalf("the plain program: got %q", want)
		}
		if got := m.mustProgram("./fast").stdout; got != want {
			t.Errorf("got %q, want %q", got, want)
		}
		for _, name := range []string{"./plain", "./fast"} {
			got := m.program(name, "dies").stderr
			if !strings.Contains(got, "[syscall]:\nin_call\n\ttraced.c:0 pc=0x1000\nruntime.cgocall(") {
				t.Errorf("%s: got %.1000s\nwant C's frames before Go's", name, got)
			}
		}
	}
	onEach(t, func(t *testing.T, on target) { compare(t, testdata(t, "traced").on(on)) })
	t.Run("versions", func(t *testing.T) {
		onEachGo(t, func(t *testing.T, env string) {
			sparesThisGo(t, env, "the native run")
			compare(t, testdata(t, "traced").with(env))
		})
	})
}
