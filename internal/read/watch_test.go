package read

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
	withEachCompiler(t, string(text), func(t *testing.T, b build, program string) {
		p := open(t, program)
		names := p.files.Functions()
		functions, err := p.Read(names...)
		if err != nil {
			t.Fatal(err)
		}
		waiting, ending := 0, 0
		for i, f := range functions {
			switch {
			case strings.HasPrefix(names[i], "waits_"):
				waiting++
				if !f.Watches && !does(f, Lock) && !does(f, Recursion) {
					t.Errorf("%s: FALSE: its loops end by themselves", names[i])
				}
			case strings.HasPrefix(names[i], "ends_"):
				ending++
				if f.Watches && (b.flags == "-O2" || b.flags == "-O3") && names[i] != "ends_matrix" {
					t.Errorf("%s: its loops may wait for another thread, as far as is seen", names[i])
				}
			}
		}
		if waiting < 22 || ending < 14 {
			t.Errorf("%d and %d functions, want 22 and 14", waiting, ending)
		}
	})
}
