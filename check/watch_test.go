package check

import (
	"os"
	"strings"
	"testing"
)

// No loop that waits for another thread is taken for one that ends by itself. The other way
// round is seen only where values are kept in registers; clang for arm64 keeps a counter of
// ends_matrix in memory.
func TestWatches(t *testing.T) {
	text, err := os.ReadFile("testdata/watch.c")
	if err != nil {
		t.Fatal(err)
	}
	withEachCompiler(t, string(text), func(t *testing.T, b build, object string) {
		p, err := Open(object, Options{})
		if err != nil {
			t.Fatal(err)
		}
		results, err := p.Check(p.AllFunctions()...)
		if err != nil {
			t.Fatal(err)
		}
		waiting, ending := 0, 0
		for _, r := range results {
			switch {
			case strings.HasPrefix(r.Name, "waits_"):
				waiting++
				if lock := len(r.Hazards) > 0 && r.Hazards[0].Class == Lock; !r.Watches && !lock {
					t.Errorf("%s: FALSE: its loops end by themselves", r.Name)
				}
			case strings.HasPrefix(r.Name, "ends_"):
				ending++
				if r.Watches && (b.flags == "-O2" || b.flags == "-O3") && r.Name != "ends_matrix" {
					t.Errorf("%s: its loops may wait for another thread, as far as is seen", r.Name)
				}
			}
		}
		if waiting < 22 || ending < 15 {
			t.Errorf("%d and %d functions, want 22 and 15", waiting, ending)
		}
	})
}
