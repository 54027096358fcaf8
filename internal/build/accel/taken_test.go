package accel

import (
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
)

// Names that a program has for variables of each thread are found in objects and in archives,
// and no others.
func TestTaken(t *testing.T) {
	for _, tool := range []string{"gcc", "ar"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("%s is not installed", tool)
		}
	}
	dir := t.TempDir()
	path := func(name string) string { return filepath.Join(dir, name) }
	for _, words := range [][]string{
		{"gcc", "-c", "-o", path("taken.o"), "testdata/taken.c"},
		{"ar", "rc", path("taken.a"), path("taken.o")},
	} {
		if out, err := exec.Command(words[0], words[1:]...).CombinedOutput(); err != nil {
			t.Fatalf("%q: %v\n%s", words, err, out)
		}
	}
	want := []string{"poll", "send"}
	for _, c := range []struct {
		archives []string
		flags    string
	}{
		{[]string{path("taken.a")}, ""},
		{nil, "-O2 " + path("taken.o") + " -lm"},
		{nil, path("none.a") + " " + path("taken.a")},
	} {
		if got, err := taken(c.archives, c.flags); err != nil || !slices.Equal(got, want) {
			t.Errorf("taken(%q, %q): got %q, %v, want %q", c.archives, c.flags, got, err, want)
		}
	}
	if _, err := taken([]string{path("taken.o.none")}, ""); err == nil {
		t.Error("an archive that is not there has no error")
	}
}
