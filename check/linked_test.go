package check

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
)

// compile gives an object of C source.
func compile(t testing.TB, cc, source string, flags ...string) string {
	t.Helper()
	dir := t.TempDir()
	file, object := filepath.Join(dir, "source.c"), filepath.Join(dir, "object.o")
	if err := os.WriteFile(file, []byte(source), 0o666); err != nil {
		t.Fatal(err)
	}
	args := append([]string{"-w", "-c", "-o", object, file}, flags...)
	if out, err := exec.Command(cc, args...).CombinedOutput(); err != nil {
		t.Fatalf("%s %v: %v\n%s", cc, flags, err, out)
	}
	return object
}

// TestObjectsOfOnePackage judges across objects and shared libraries, as a
// build does.
func TestObjectsOfOnePackage(t *testing.T) {
	one := compile(t, "gcc", "int inner(int); int outer(int x) { return inner(x) + 1; } double sine(double x) { double sin(double); return sin(x) + 1; }", "-O1")
	two := compile(t, "gcc", "int inner(int x) { return x * 3; } void *nowhere(void); void *lost(void) { return nowhere(); }", "-O1")
	p, err := OpenObjects([]string{one, two}, Options{Libraries: []string{"libm.so.6"}})
	if err != nil {
		t.Fatal(err)
	}
	results := p.CheckLinked("outer", "sine", "lost", "cos", "absent", "malloc")
	want := []Verdict{Safe, Safe, Unknown, Safe, Unknown, Unsafe}
	for i, r := range results {
		if r.Verdict != want[i] {
			t.Errorf("%s: %v, want %v: %v", r.Name, r.Verdict, want[i], r.Hazards)
		}
		libm := slices.ContainsFunc(r.Libraries, func(l Library) bool { return l.Soname == "libm.so.6" && l.BuildID != "" })
		if rests := r.Name == "sine" || r.Name == "cos"; libm != rests {
			t.Errorf("%s: rests on %v, want libm: %v", r.Name, r.Libraries, rests)
		}
	}
	if !results[5].OnlyAllocates() {
		t.Errorf("malloc: %v, want alloc alone", results[5].Hazards)
	}
}
