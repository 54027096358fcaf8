package tests

import (
	"runtime"
	"strings"
	"testing"
)

// A fault inside C kills the process as with cgo: the same exit status, no
// recover, and a trace that shows the goroutine's Go functions. So it does in C that
// package direct calls, in a plain program too.
func TestCrashInC(t *testing.T) {
	onEach(t, func(t *testing.T, on target) {
		m := testdata(t, "crash").on(on)
		m.usesWherry()
		if rep := m.build("fast"); !strings.HasPrefix(rep.fast(), "address divide fault peek stop ") { // package direct's come after
			t.Fatalf("got fast functions %q", rep.fast())
		}
		m.must("go", "build", "-o", "plain")
		faults := []string{"segv", "abort", "always", "always, with errno", "bound segv", "bound abort"}
		if on.name == "native" && runtime.GOARCH == "amd64" {
			faults = append(faults, "fpe") // arm64 divides by zero in silence
		}
		for _, how := range faults {
			kind, bound := strings.CutPrefix(how, "bound ")
			programs := []string{"./fast"}
			if bound {
				programs = append(programs, "./plain")
			}
			cgo := m.program("./plain", kind)
			name, _, _ := strings.Cut(cgo.stderr, "\n") // SIGSEGV: segmentation violation
			for _, program := range programs {
				r := m.program(program, how)
				if r.status != cgo.status || r.status == 0 {
					t.Errorf("%s, %s: got exit status %d, cgo's is %d\n%s", program, how, r.status, cgo.status, r.stderr)
				}
				contains(t, program+", "+how, r.stderr, name, "goroutine 1", "main.culprit", "main.main()", "main.go:")
				if strings.Contains(r.stdout, "recovered") {
					t.Errorf("%s, %s: a fault in C was recovered", program, how)
				}
			}
		}
		for range 20 { // a signal comes at any instruction of a callback's beginning
			if r := m.program("./fast", "visits"); r.status != 2 || !strings.Contains(r.stderr, "SIGABRT: abort") ||
				!strings.Contains(r.stderr, "main.culprit") {
				t.Errorf("SIGABRT between C and Go: got exit status %d, want 2, and a trace\n%.1000s", r.status, r.stderr)
			}
		}
		if r := m.program("./fast", "go"); !strings.Contains(r.stdout, "recovered: runtime error: invalid memory address") {
			t.Errorf("a fault in Go after a call of C: got %q, %s", r.stdout, r.stderr)
		}
	})
}
