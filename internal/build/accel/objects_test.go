package accel

import (
	"debug/elf"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// hostileObject assembles testdata/hostile.S, with a weak function of that name.
func hostileObject(t testing.TB, name string) string {
	t.Helper()
	object := filepath.Join(t.TempDir(), "hostile.o")
	named := `-DNAME="` + strings.ReplaceAll(name, `\`, `\\`) + `"`
	if output, err := exec.Command("cc", "-c", named, "-o", object, "testdata/hostile.S").CombinedOutput(); err != nil {
		t.Skipf("%v\n%s", err, output)
	}
	return object
}

// What symbols say of their size is not believed.
func TestAlignmentsOfHostileObject(t *testing.T) {
	found, err := readAlignments(hostileObject(t, "f"))
	if err != nil {
		t.Fatal(err)
	}
	if f := found["_wherry_align_1_Cfunc_f"]; string(f) != "\x08\x04" {
		t.Errorf("got %v, want 8 and 4", f)
	}
	if g := found["_wherry_align_1_Cfunc_g"]; len(g) > 0 {
		t.Errorf("got %v, want nothing", g)
	}
}

// The checker reads a weak function's name in a line of words, in which it could say more.
func TestNamesOfWeakFunctions(t *testing.T) {
	for name, fine := range map[string]bool{"plain": true, "_Z3fooIiEvv": true, "a.cold": true, "a$b": true, "größe": true, "noreturn": false,
		"stack=0": false, "two words": false, "two\u00a0words": false, "two\vwords": false, "f#": false, "f*": false, "[": false, `\`: false} {
		names, err := weakFunctions(hostileObject(t, name))
		if err != nil || !slices.Equal(names, []string{name}) {
			t.Errorf("got %q, %v, want %q", names, err, name)
		}
		line, err := unresolved(append([]string{"before"}, names...))
		if (err == nil) != fine || fine && line != "\nhazard unresolved before "+name {
			t.Errorf("%q: got %q, %v", name, line, err)
		}
	}
}

// What a report names is opened only if it is a regular file, and read only if it is a library.
func TestIdentityOfNoLibrary(t *testing.T) {
	dir := t.TempDir()
	pipe, large := filepath.Join(dir, "pipe"), filepath.Join(dir, "large")
	if err := errors.Join(syscall.Mkfifo(pipe, 0o666), os.WriteFile(large, nil, 0o666), os.Truncate(large, 1<<40)); err != nil {
		t.Fatal(err)
	}
	var report Report
	for _, path := range []string{pipe, large, dir, "/dev/zero", "/dev/stdin", "/proc/self/environ", filepath.Join(dir, "none"), ""} {
		report.Libraries = append(report.Libraries, Library{path, ""})
	}
	done := make(chan []Library, 1)
	go func() { done <- report.Changed() }()
	select {
	case changed := <-done:
		if len(changed) > 0 {
			t.Errorf("of what is no library, %v have an identity", changed)
		}
	case <-time.After(time.Minute):
		t.Fatal("reading what is no library takes a minute")
	}
}

// Whatever the objects and libraries of a package are, they are read soon, or are an error.
func FuzzObjects(f *testing.F) {
	object, err := os.ReadFile(hostileObject(f, "noreturn"))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(object)
	f.Add([]byte(elf.ELFMAG))
	file := filepath.Join(f.TempDir(), "_cgo_.o")
	f.Fuzz(func(t *testing.T, content []byte) {
		if err := os.WriteFile(file, content, 0o666); err != nil {
			t.Fatal(err)
		}
		begin := time.Now()
		identity := identify(file)
		if again := identify(file); again != identity || len(identity) > 2*longestIdentity || strings.ContainsAny(identity, "\n\x1b") {
			t.Errorf("the identity is %q, then %q", identity, again)
		}
		relocatable(file)
		undefined(file)
		readAlignments(file)
		if elf, err := elf.Open(file); err == nil {
			mentionsIn(elf, map[string]bool{"f": true}, map[string]bool{})
			elf.Close()
		}
		if names, err := weakFunctions(file); err == nil {
			line, err := unresolved(names)
			if words := strings.Fields(line); err == nil && len(names) > 0 && (len(words) != 2+len(names) || strings.Count(line, "\n") != 1) {
				t.Errorf("%q are told as %q", names, line)
			}
		}
		if d := time.Since(begin); d > 10*time.Second {
			t.Errorf("%d bytes took %v", len(content), d)
		}
	})
}
