package tests

import (
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// C++ exceptions that stay between two crossings are thrown, caught, carried and
// unwound as through plain cgo, with callbacks in destructors and handlers; one that
// leaves C++ ends the process as it does there.
func TestExceptions(t *testing.T) {
	onEach(t, func(t *testing.T, on target) {
		if on.name == arm64.name {
			if _, err := exec.LookPath("aarch64-linux-gnu-g++"); err != nil {
				t.Skip("aarch64-linux-gnu-g++ is not installed (Debian: g++-aarch64-linux-gnu)")
			}
			on.env = append(on.env[:len(on.env):len(on.env)], "CXX=aarch64-linux-gnu-g++")
		}
		m := testdata(t, "exceptions").on(on)
		m.must("go", "build", "-o", "plain")
		if got := m.build("./fast").mode("descend"); got != "fast" {
			t.Fatalf("descend is %q, want fast", got)
		}
		m.write("wherry.policy", "example.com/m * reentrant\nexample.com/m alive fast\n")
		if got := m.build("./reentrant").mode("descend"); got != "reentrant" {
			t.Fatalf("descend is %q, want reentrant", got)
		}
		want := m.mustProgram("./plain").stdout
		ways := []struct{ program, env string }{
			{"./fast", ""},
			{"./fast", "WHERRY_CSTACK_LIMIT=1"},
			{"./fast", "GODEBUG=asyncpreemptoff=1"}, // every call is turned before it begins
			{"./reentrant", ""},
		}
		env := m.env
		for _, way := range ways {
			m.env = append(slices.Clip(env), way.env)
			if got := m.mustProgram(way.program).stdout; got != want || !strings.HasSuffix(want, " 0\n") {
				t.Errorf("%s %s: got %q, want %q as through plain cgo, and no living object", way.program, way.env, got, want)
			}
		}
		env = append(slices.Clip(env), "GOTRACEBACK=none")
		told := regexp.MustCompile(`terminate called.*\n  what\(\):.*`)
		for _, n := range []string{"0", "1", "3"} {
			m.env = env
			plain := m.program("./plain", n)
			for _, way := range ways {
				m.env = append(slices.Clip(env), way.env)
				fast := m.program(way.program, n)
				if fast.status != plain.status || told.FindString(fast.stderr) != told.FindString(plain.stderr) ||
					plain.status == 0 || fast.stdout != "" {
					t.Errorf("%s %s: thrown below %s Go frames: got exit status %d, %.1000q, want %d, %.1000q", way.program, way.env, n, fast.status,
						fast.stderr, plain.status, plain.stderr)
				}
			}
		}
	})
}
