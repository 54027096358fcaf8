package tests

import (
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"
)

// A target is a machine for which a test's programs are built and on which
// they run: this one, or arm64 under qemu-user.
type target struct {
	name   string
	env    []string
	runner []string // runs a program, "" directly
}

var (
	native = target{name: "native"}
	arm64  = target{
		name:   "arm64",
		env:    []string{"GOARCH=arm64", "CGO_ENABLED=1", "CC=aarch64-linux-gnu-gcc"},
		runner: []string{"qemu-aarch64", "-L", "/usr/aarch64-linux-gnu"},
	}
)

// onEach runs a test on this machine and on arm64, beside other tests.
func onEach(t *testing.T, test func(t *testing.T, on target)) {
	t.Parallel()
	onEachAlone(t, func(t *testing.T, on target) {
		t.Parallel()
		test(t, on)
	})
}

// onEachAlone is for tests that measure: nothing else runs meanwhile.
func onEachAlone(t *testing.T, test func(t *testing.T, on target)) {
	needsFastPath(t)
	for _, on := range []target{native, arm64} {
		t.Run(on.name, func(t *testing.T) {
			if on.runner != nil && runtime.GOARCH == on.name {
				t.Skip("this machine is arm64: the native run is it")
			}
			for _, tool := range on.tools() {
				if _, err := exec.LookPath(tool); err != nil {
					t.Skipf("%s is not installed (Debian: qemu-user, gcc-aarch64-linux-gnu)", tool)
				}
			}
			test(t, on)
		})
	}
}

// tools are the programs that the target needs on this machine.
func (on target) tools() []string {
	if on.runner == nil {
		return nil
	}
	return []string{on.cc(), on.runner[0]}
}

// cc is the target's C compiler.
func (on target) cc() string {
	for _, word := range on.env {
		if cc, ok := strings.CutPrefix(word, "CC="); ok {
			return cc
		}
	}
	return "gcc"
}

// on makes a module that builds for a target.
func (m *module) on(target target) *module {
	m.env = append(m.env, target.env...)
	m.runner = target.runner
	return m
}

// program runs a program of the module's, where it was built for.
func (m *module) program(name string, args ...string) result {
	m.t.Helper()
	words := append(append(append([]string(nil), m.runner...), name), args...)
	return m.run(words[0], words[1:]...)
}

func (m *module) mustProgram(name string, args ...string) result {
	m.t.Helper()
	r := m.program(name, args...)
	if r.status != 0 {
		m.t.Fatalf("%s %q: exit status %d\n%s%s", name, args, r.status, r.stdout, r.stderr)
	}
	return r
}

// The oldest and the newest Go that wherry knows, and those between. The
// newest patch releases that the tests have seen; GOTOOLCHAIN fetches them.
var goVersions = []string{"go1.24.9", "go1.25.3", "go1.26.8", "go1.27.0"}

// onEachGo runs a test with each supported Go. WHERRY_TEST_GO narrows them to
// a comma-separated list.
func onEachGo(t *testing.T, test func(t *testing.T, env string)) {
	needsFastPath(t)
	versions := goVersions
	if text := os.Getenv("WHERRY_TEST_GO"); text != "" {
		versions = strings.Split(text, ",")
	}
	for _, version := range versions {
		t.Run(version, func(t *testing.T) {
			cmd := exec.Command("go", "version")
			cmd.Env = append(os.Environ(), "GOTOOLCHAIN="+version)
			if out, err := cmd.CombinedOutput(); err != nil || !strings.Contains(string(out), version) {
				t.Skipf("%s cannot be had here: %v\n%s", version, err, out)
			}
			test(t, "GOTOOLCHAIN="+version)
		})
	}
}

// firstOrLast reports whether a test is with the oldest Go or the newest, which do what the others
// need not, unless WHERRY_TEST_GO asks for it.
func firstOrLast(env string) bool {
	version := strings.TrimPrefix(env, "GOTOOLCHAIN=")
	return version == goVersions[0] || version == goVersions[len(goVersions)-1] || os.Getenv("WHERRY_TEST_GO") != ""
}

// sparesThisGo skips what other tests, by name, do with the Go at hand, unless
// WHERRY_TEST_GO asks for it.
func sparesThisGo(t *testing.T, env, others string) {
	t.Helper()
	if env == "GOTOOLCHAIN="+runtime.Version() && os.Getenv("WHERRY_TEST_GO") == "" {
		t.Skipf("with the Go at hand %s do this", others)
	}
}
