package read

import (
	"os"
	"slices"
	"strings"
	"testing"
)

// TestComparesStack asks of each function of a corpus whether it compares its stack pointer
// with an address in memory.
func TestComparesStack(t *testing.T) {
	var text []byte
	for _, name := range []string{"testdata/corpus.h", "testdata/stack.c"} {
		part, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		text = append(text, part...)
	}
	withEachCompiler(t, string(text), func(t *testing.T, b build, program string) {
		comparing(t, program, !strings.Contains(b.flags, "-O0") && !strings.Contains(b.flags, "-fsanitize"))
	})
}

func comparing(t *testing.T, program string, optimized bool) {
	p := open(t, program)
	found := p.ComparesStack()
	yes, no := 0, 0
	for _, name := range p.files.Functions() {
		got := slices.Contains(found, name)
		switch kind, _, _ := strings.Cut(name, "_"); {
		case kind == "compares", kind == "optimized" && optimized:
			if yes++; !got {
				t.Errorf("%s: not noticed", name)
			}
		case kind == "ordinary":
			if no++; got {
				t.Errorf("%s: noticed, though it compares nothing with its stack pointer that is remembered", name)
			}
		}
	}
	if yes < 10 || no < 11 {
		t.Errorf("%d functions that compare, %d that do not: the corpus has more", yes, no)
	}
	if _, err := p.Read(p.files.Functions()...); err != nil {
		t.Fatal(err)
	}
	if all := p.ComparesStack(); !slices.Equal(all, found) {
		t.Errorf("with all functions analysed got %v, want %v", all, found)
	}
}
