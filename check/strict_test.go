package check

import (
	"os"
	"strings"
	"testing"
)

// No instruction that demands alignment is overlooked, but where it is for the function's own
// frame and for what is at a fixed place: those demand nothing of a caller.
func TestStrict(t *testing.T) {
	text, err := os.ReadFile("testdata/strict.c")
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
		strict, loose := 0, 0
		for _, r := range results {
			switch {
			case strings.HasPrefix(r.Name, "strict_"):
				strict++
				if want := p.files.Arch.Name() == "x86-64"; r.Strict != want {
					t.Errorf("%s: demands alignment: %v, want %v", r.Name, r.Strict, want)
				}
			case strings.HasPrefix(r.Name, "loose_"):
				if loose++; r.Strict && b.flags != "-O0" { // clang keeps addresses in memory then
					t.Errorf("%s: demands alignment, as far as is seen", r.Name)
				}
			}
		}
		if strict != 6 || loose != 7 {
			t.Errorf("%d and %d functions, want 6 and 7", strict, loose)
		}
	})
}
