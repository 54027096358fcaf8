package tests

import (
	"runtime"
	"testing"
)

// What pointer arguments point at stays where it is, and lives, while a
// callback moves the stack and collects.
func TestReentrantArgumentsLive(t *testing.T) {
	t.Parallel()
	needsFastPath(t)
	for _, test := range []struct{ name, policy, settings string }{
		{"reentrant", "example.com/m * reentrant\n", ""},
		{"by default", "", ""},
		{"on the system stack", "example.com/m * fast\n", ""},
		{"through cgo", "", ",asyncpreemptoff=1"},
	} {
		m := testdata(t, "arguments")
		m.write("wherry.policy", test.policy)
		m.env = []string{"GODEBUG=clobberfree=1,cgocheck=0" + test.settings}
		m.build("fast")
		if r := m.program("./fast"); r.status != 0 || r.stdout != "ok\n" {
			t.Errorf("%s: exit status %d, output %q\n%.2000s", test.name, r.status, r.stdout, r.stderr)
		}
	}
}

// Calls that keep cgo's frame, at every depth of a new goroutine's stack: it
// grows in the middle of some of them.
func TestReentrantOnFreshStacks(t *testing.T) {
	onEach(t, func(t *testing.T, on target) {
		for _, policy := range []string{"", "example.com/m * reentrant\n"} {
			m := testdata(t, "fresh").on(on)
			m.write("wherry.policy", policy)
			if rep := m.build("fast"); rep.fast() != "add hook two" {
				t.Fatalf("got functions %q", rep.fast())
			}
			if r := m.mustProgram("./fast"); r.stdout != "bad 0\n" {
				t.Errorf("%q: got %q", policy, r.stdout)
			}
		}
	})
}

// Packages with exports build as through plain cgo: with a plugin's flags, and with
// C flags that keep their functions on cgo.
func TestExportsUnderOtherFlags(t *testing.T) {
	t.Parallel()
	needsFastPath(t)
	m := testdata(t, "fresh")
	contains(t, "plugin", m.must(wherry, "build", "-buildmode=plugin", "-o", "p.so").stderr, "plain build: -buildmode=plugin")
	if runtime.GOARCH == "amd64" {
		m.env = []string{"CGO_CFLAGS=-O2 -masm=intel"}
		m.build("fast")
		if got := m.must("./fast").stdout; got != "bad 0\n" {
			t.Errorf("-masm=intel: got %q", got)
		}
	}
}
