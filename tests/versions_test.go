package tests

import "testing"

// Each supported Go builds, accelerates, books profiles and survives stress.
func TestGoVersions(t *testing.T) {
	t.Parallel()
	onEachGo(t, func(t *testing.T, env string) {
		sparesThisGo(t, env, "TestBuildFlags, TestStatCounts, TestNothingBesideUsersFiles, TestStress and TestCrashInC")
		m := newModule(t, small)
		m.env = []string{env}
		built := func(flags ...string) {
			t.Helper()
			if got := m.build("fast", flags...).fast(); got != smallFast {
				t.Errorf("%q: got fast functions %q, want %q", flags, got, smallFast)
			}
			if got := m.must("./fast").stdout; got != "3 42\n" || !m.accelerated("fast") {
				t.Errorf("%q: got output %q, accelerated %v", flags, got, m.accelerated("fast"))
			}
		}
		built()
		contains(t, "stat", m.must(wherry, "stat", ".").stderr, "C.add", "example.com/m", "C.twice", "example.com/dep")
		m.must("go", "mod", "vendor")
		built("-trimpath", "-buildmode=pie", "-mod=vendor")
		contains(t, "doctor", m.must(wherry, "doctor").stdout, "the fast path is on")

		stress := newModule(t, map[string]string{"main.go": stressed})
		stress.env = []string{env, "GOGC=1"}
		stress.build("fast")
		if _, err := stress.stress("./fast", "3s"); err != nil {
			t.Errorf("stress: %v", err)
		}
		crash := newModule(t, map[string]string{"main.go": crashing})
		crash.env = []string{env}
		crash.build("fast")
		contains(t, "crash", crash.run("./fast", "segv").stderr, "SIGSEGV", "main.culprit")
	})
}
