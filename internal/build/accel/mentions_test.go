package accel

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// A function that calls an exported one, or passes it on, is found, and no other.
func TestMentions(t *testing.T) {
	if _, err := exec.LookPath("gcc"); err != nil {
		t.Skip("no gcc: ", err)
	}
	dir := t.TempDir()
	source := filepath.Join(dir, "c.c")
	text := `
extern int back(int), other(int);
extern void each(int (*)(int));
int calls(int n) { return back(n) + 1; }
void passes(void) { each(back); }
int neither(int n) { return other(n) + 1; }
`
	if err := os.WriteFile(source, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, flags := range [][]string{{"-O2"}, {"-O0", "-fPIC"}} {
		if out, err := exec.Command("gcc", append(flags, "-c", "-o", filepath.Join(dir, "c.o"), source)...).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		found := parseText(t, "package p\n\nfunc _cgoexp_0123456789ab_back(a *struct{ p0 int32; r0 int32 }) { a.r0 = back(a.p0) "+
			"}\n").mentions(dir)
		if len(found) != 2 || !found["calls"] || !found["passes"] {
			t.Errorf("%v: got %v, want calls and passes", flags, found)
		}
	}
}
