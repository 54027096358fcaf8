package read

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
	withEachCompiler(t, string(text), func(t *testing.T, b build, program string) {
		p := open(t, program)
		names := p.files.Functions()
		functions, err := p.Read(names...)
		if err != nil {
			t.Fatal(err)
		}
		strict, loose := 0, 0
		for i, f := range functions {
			switch {
			case strings.HasPrefix(names[i], "strict_"):
				strict++
				if want := p.files.Arch.Name() == "x86-64"; f.Strict != want {
					t.Errorf("%s: demands alignment: %v, want %v", names[i], f.Strict, want)
				}
			case strings.HasPrefix(names[i], "loose_"):
				if loose++; f.Strict && b.flags != "-O0" { // clang keeps addresses in memory then
					t.Errorf("%s: demands alignment, as far as is seen", names[i])
				}
			}
		}
		if strict != 6 || loose != 7 {
			t.Errorf("%d and %d functions, want 6 and 7", strict, loose)
		}
	})
}
