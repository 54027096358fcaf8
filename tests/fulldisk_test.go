package tests

import (
	"os"
	"strings"
	"testing"
)

// A build that may not write what it has to, as on a disk that is full, fails as go build does. What it
// left is of no harm to the next one. With -a what is kept is not used: own C is compiled again, and the
// linker asked again which flags it knows.
func TestFullDisk(t *testing.T) {
	t.Parallel()
	needsFastPath(t)
	m := smallest(t)
	m.env = []string{unseenByCache()}
	log := withCompiler(t, m)
	for _, blocks := range []string{"1", "20", "200", "2000"} {
		r := m.run("sh", "-c", "ulimit -f "+blocks+"; exec '"+wherry+"' build -trimpath -o fast")
		if plain := m.run("sh", "-c", "ulimit -f "+blocks+"; exec go build -trimpath -o plain"); r.status == 0 || plain.status == 0 {
			t.Errorf("files of %s blocks: got exit status %d, and %d of go build\n%s", blocks, r.status, plain.status, r.stderr)
		}
	}
	m.must(wherry, "build", "-trimpath", "-o", "fast")
	os.Remove(log)
	m.must(wherry, "build", "-a", "-trimpath", "-o", "again")
	text, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{"/wherry_c.c\n", "/wherry_names.c\n", "/wherry_asm.S\n", "/trivial.c\n"} {
		if !strings.Contains(string(text), file) {
			t.Errorf("with -a %q is not compiled", file)
		}
	}
	if m.read("fast") != m.read("again") {
		t.Error("the program differs from one of which nothing was kept")
	}
}
