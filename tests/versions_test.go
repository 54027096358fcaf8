package tests

import (
	"strings"
	"testing"
)

// Each supported Go links programs for both processors, and they run: by wherry build, by
// the plain go command with packages direct, callback and event, and by wherry build with
// these. A linker takes references to the runtime or refuses them, by version and processor.
func TestTargets(t *testing.T) {
	t.Parallel()
	onEachGo(t, func(t *testing.T, env string) {
		onEach(t, func(t *testing.T, on target) {
			m := testdata(t, "targets").on(on)
			m.usesWherry()
			m.usesEvents("packages")
			m.env = append(m.env, env, "WHERRY_VERBOSE=1") // it says if calls go through cgo
			m.must("go", "build", "-o", "bin/plain", "./packages")
			if got := m.build("bin/", "./cgo", "./packages").mode("on_thread"); got != "fast" {
				t.Errorf("C.on_thread is called in mode %q, want fast", got)
			}
			c := "call 3000 through cgo false\ncallback 13495500\nturned by a signal 7\nturned to wait 7\nthread 13495500\n"
			all := strings.Replace(c+"events 4498500\n", "callback", "callback 13495500", 1)
			for program, want := range map[string]string{"./bin/cgo": c, "./bin/packages": all, "./bin/plain": all} {
				if r := m.mustProgram(program); r.stdout != want+want || r.stderr != "" {
					t.Errorf("%s: got\n%s%swant twice\n%s", program, r.stdout, r.stderr, want)
				}
			}
		})
	})
}

// Each supported Go accelerates with the usual flags, survives stress, and shows the Go
// caller of a fault in C.
func TestGoVersions(t *testing.T) {
	t.Parallel()
	onEachGo(t, func(t *testing.T, env string) {
		sparesThisGo(t, env, "TestBuildFlags, TestStatCounts, TestNothingBesideUsersFiles, TestStress and TestCrashInC")
		m := testdata(t, "small")
		m.env = []string{env}
		contains(t, "stat", m.must(wherry, "stat", ".").stderr, "C.add", "example.com/m", "C.twice", "example.com/dep")
		m.must("go", "mod", "vendor")
		if got := m.build("fast", "-trimpath", "-buildmode=pie", "-mod=vendor").fast(); got != smallFast {
			t.Errorf("got fast functions %q, want %q", got, smallFast)
		}
		if got := m.must("./fast").stdout; got != "3 42\n" || !m.accelerated("fast") {
			t.Errorf("got output %q, accelerated %v", got, m.accelerated("fast"))
		}
		contains(t, "doctor", m.must(wherry, "doctor").stdout, "the fast path is on")

		stress := testdata(t, "stress")
		stress.usesWherry()
		stress.env = []string{env, "GOGC=1"}
		stress.build("fast")
		if _, err := stress.stress("./fast", "1s"); err != nil {
			t.Errorf("stress: %v", err)
		}
		crash := testdata(t, "crash")
		crash.usesWherry()
		crash.env = []string{env}
		crash.build("fast")
		contains(t, "crash", crash.run("./fast", "segv").stderr, "SIGSEGV", "main.culprit")
	})
}
