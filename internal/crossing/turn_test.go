package crossing

import (
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// Turning works by itself, in a world that is like that of Go's runtime.
func TestTurns(t *testing.T) {
	for _, c := range compilers {
		t.Run(c.name(), func(t *testing.T) {
			t.Parallel()
			if strings.Contains(c.name(), "thread") {
				t.Skip("ThreadSanitizer's own start calls functions that stand before others")
			}
			run := c.compile(t, Target{}, "turns.c", "watching.c")
			for _, test := range []string{"names", "blocking", "prints", "turns", "judging", "learning", "watching", "installing", "signals",
				"masking", "moving", "displaced"} {
				t.Run(test, func(t *testing.T) {
					if out, err := run("", test); err != nil || out != "ok\n" {
						t.Errorf("%v\n%s", err, out)
					}
				})
			}
			for _, off := range []string{"on", "off"} {
				if out, err := run("", off); err != nil || out != "ok\n" {
					t.Errorf("preemption %s: %v\n%s", off, err, out)
				}
			}
			const lacks = "wherry: the C library at hand has no function no_such_function: "
			if out, err := run("", "lacking"); err == nil || !strings.HasPrefix(out, lacks) {
				t.Errorf("a function that is not there: %v\n%s", err, out)
			}
			if out, err := run("WHERRY=off", "switched"); err != nil || out != "ok\n" {
				t.Errorf("WHERRY=off: %v\n%s", err, out)
			}
			if out, err := run("WHERRY_VERBOSE=1", "without a handler of Go's"); err != nil ||
				out != "wherry: calls go through cgo: Go's handler of SIGURG is not there\nok\n" {
				t.Errorf("without a handler of Go's: %v\n%s", err, out)
			}
		})
	}
}

// The text compiles for all kinds of programs without a warning.
func TestWarnings(t *testing.T) {
	all := slices.Clone(compilers)
	if _, err := exec.LookPath("musl-gcc"); err == nil {
		all = append(all, compiler{goarch: runtime.GOARCH, words: []string{"musl-gcc"}})
	} else {
		t.Logf("not with musl: %v (Debian: musl-tools)", err)
	}
	for _, c := range all {
		if c.sanitizes() {
			continue
		}
		t.Run(c.name(), func(t *testing.T) {
			t.Parallel()
			flags := []string{"-fPIC", "-c"}
			if c.words[0] == "clang" { // whose warnings do not depend on the level, as gcc's do
				flags = append(flags, "-O0")
			}
			for name, target := range map[string]Target{"static": {Static: true}, "library": {Hidden: true},
				"counting": {Counts: true, Wraps: true}} {
				t.Run(name, func(t *testing.T) {
					t.Parallel()
					c.build(t, target, "", flags...)
				})
			}
		})
	}
}
