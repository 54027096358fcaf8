package tests

import (
	"runtime"
	"strings"
	"testing"
)

// A fault inside C kills the process as with cgo: the same exit status, no
// recover, and a trace that shows the goroutine's Go functions.
func TestCrashInC(t *testing.T) {
	onEach(t, func(t *testing.T, on target) {
		m := testdata(t, "crash").on(on)
		if rep := m.build("fast"); rep.fast() != "divide fault peek stop" {
			t.Fatalf("got fast functions %q", rep.fast())
		}
		m.must("go", "build", "-o", "plain")
		faults := []string{"segv", "abort", "always", "always, with errno"}
		if on.name == "native" && runtime.GOARCH == "amd64" {
			faults = append(faults, "fpe") // arm64 divides by zero in silence
		}
		for _, how := range faults {
			plain, fast := m.program("./plain", how), m.program("./fast", how)
			if fast.status != plain.status || fast.status == 0 {
				t.Errorf("%s: got exit status %d, cgo's is %d\n%s", how, fast.status, plain.status, fast.stderr)
			}
			name, _, _ := strings.Cut(plain.stderr, "\n") // SIGSEGV: segmentation violation
			contains(t, how, fast.stderr, name, "goroutine 1", "main.culprit", "main.main()", "main.go:")
			if strings.Contains(fast.stdout, "recovered") {
				t.Errorf("%s: a fault in C was recovered", how)
			}
		}
		if r := m.program("./fast", "go"); !strings.Contains(r.stdout, "recovered: runtime error: invalid memory address") {
			t.Errorf("a fault in Go after a call of C: got %q, %s", r.stdout, r.stderr)
		}
	})
}
