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

	"github.com/wherrygo/wherry/internal/printable"
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

// A weak function is one that may do everything, whatever its name is.
func TestNamesOfWeakFunctions(t *testing.T) {
	for _, name := range []string{"plain", "_Z3fooIiEvv", "a.cold", "a$b", "größe", "noreturn", "stack=0", "two words",
		"two\u00a0words", "two\vwords", "f#", "f*", "[", `\`} {
		object := hostileObject(t, name)
		names, err := weakFunctions(object)
		if err != nil || !slices.Equal(names, []string{name}) {
			t.Errorf("got %q, %v, want %q", names, err, name)
		}
		if output, err := exec.Command("cc", "-shared", "-nostdlib", "-o", object+".so", object).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, output)
		}
		linked, err := openCode(object+".so", append([]string{"before"}, names...), nil, nil, false)
		if err != nil {
			t.Fatal(err)
		}
		found, err := linked.program.Read(printable.Line(name))
		if err != nil {
			t.Fatal(err)
		}
		if f := factsOf(&found[0], "f"); f.noCallback || f.beyond != codeOfOthers {
			t.Errorf("%q: got %+v", name, f)
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
		names, _ := weakFunctions(file)
		if linked, err := openCode(file, names, nil, nil, false); err == nil {
			functions := linked.functions()
			functions = functions[:min(len(functions), 20)]
			if _, err := linked.program.Read(functions...); err != nil {
				t.Error(err)
			}
			linked.program.ComparesStack()
		}
		if d := time.Since(begin); d > 10*time.Second {
			t.Errorf("%d bytes took %v", len(content), d)
		}
	})
}
