package tests

import (
	"fmt"
	"strings"
	"testing"
)

// No call, callback or conversion allocates more than through cgo.
func TestAllocationsLikeCgo(t *testing.T) {
	onEach(t, func(t *testing.T, on target) {
		m := testdata(t, "allocations").on(on)
		if rep := m.build("fast"); len(strings.Fields(rep.fast())) < 15 {
			t.Fatalf("got fast functions %q", rep.fast())
		}
		m.must("go", "build", "-o", "plain")
		plain, fast := allocations(t, m.mustProgram("./plain").stdout), allocations(t, m.mustProgram("./fast").stdout)
		fewer := 0
		for name, n := range plain {
			switch got, ok := fast[name]; {
			case !ok || got > n:
				t.Errorf("%s: %v allocations, %v through cgo", name, got, n)
			case got < n:
				fewer++
			}
		}
		if len(plain) < 30 || len(fast) != len(plain) || fewer == 0 {
			t.Errorf("%d and %d measurements, %d with fewer allocations: want 30, as many, and some", len(plain), len(fast), fewer)
		}
	})
}

func allocations(t *testing.T, output string) map[string]float64 {
	t.Helper()
	found := map[string]float64{}
	for _, line := range strings.Split(strings.TrimSpace(output), "\n") {
		name, text, ok := strings.Cut(line, ": ")
		var n float64
		if _, err := fmt.Sscan(text, &n); !ok || err != nil {
			t.Fatalf("line %q of\n%s", line, output)
		}
		found[name] = n
	}
	return found
}
