package check

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestComparesStack asks of each function of a corpus whether it compares its stack pointer
// with an address in memory.
func TestComparesStack(t *testing.T) {
	source := filepath.Join(t.TempDir(), "stack.c")
	var text []byte
	for _, name := range []string{"testdata/corpus.h", "testdata/stack.c"} {
		part, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		text = append(text, part...)
	}
	if err := os.WriteFile(source, text, 0o666); err != nil {
		t.Fatal(err)
	}
	for _, b := range builds {
		t.Run(b.cc+" "+b.flags, func(t *testing.T) {
			if b.long && os.Getenv("WHERRY_LONG") == "" {
				t.Skip("WHERRY_LONG=1 runs all compilers and levels")
			}
			cc := strings.Fields(b.cc)
			if _, err := exec.LookPath(cc[0]); err != nil {
				t.Skip(err)
			}
			object := filepath.Join(t.TempDir(), "stack.o")
			args := append(append(cc[1:], strings.Fields(b.flags)...), "-w", "-c", "-o", object, source)
			if out, err := exec.Command(cc[0], args...).CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			comparing(t, object, !strings.Contains(b.flags, "-O0") && !strings.Contains(b.flags, "-fsanitize"))
		})
	}
}

func comparing(t *testing.T, object string, optimized bool) {
	p, err := Open(object, Options{})
	if err != nil {
		t.Fatal(err)
	}
	found := p.ComparesStack()
	yes, no := 0, 0
	for _, name := range p.AllFunctions() {
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
	if _, err := p.Check(p.AllFunctions()...); err != nil {
		t.Fatal(err)
	}
	if all := p.ComparesStack(); !slices.Equal(all, found) {
		t.Errorf("with all functions analysed got %v, want %v", all, found)
	}
}
