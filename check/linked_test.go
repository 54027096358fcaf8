package check

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
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

// shared builds a shared library of C source.
func shared(t *testing.T, name, source string, flags ...string) string {
	t.Helper()
	dir := t.TempDir()
	file, library := filepath.Join(dir, "source.c"), filepath.Join(dir, name)
	if err := os.WriteFile(file, []byte(source), 0o666); err != nil {
		t.Fatal(err)
	}
	args := append([]string{"-w", "-O2", "-shared", "-fPIC", "-Wl,-soname," + name, "-o", library, file}, flags...)
	if out, err := exec.Command("gcc", args...).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return library
}

// TestInterposition holds that a library's call of an exported function goes
// to the first definition in the program, which is not always its own.
func TestInterposition(t *testing.T) {
	library := shared(t, "libone.so", `
		int helper(int x) { return x + 1; }
		int calls(int x) { return helper(x) * 2; }
		static int local(int x) { return x * 7; }
		int calls_local(int x) { return local(x) * 2; }
		int (*chosen(void))(int) { return local; }
		extern __thread int elsewhere; int (*slot)(int) = local;
		int by_slot(int x) { return slot(x); }
		__attribute__((weak)) int soft(int x) { return x; }
		int calls_soft(int x) { return soft(x) + 1; }`, "-Wl,-z,lazy")
	second := shared(t, "libtwo.so", "int usleep(unsigned); int soft(int x) { return usleep(x); }")
	plain := compile(t, "gcc", "int other(int x) { return x; }", "-O2")
	blocks := compile(t, "gcc", "int usleep(unsigned); int helper(int x) { return usleep(x); }", "-O2")
	judge := func(objects []string, libraries ...string) []Result {
		p, err := OpenObjects(objects, Options{Libraries: libraries})
		if err != nil {
			t.Fatal(err)
		}
		return p.CheckLinked("calls", "calls_local", "by_slot", "calls_soft")
	}
	for _, c := range []struct {
		name    string
		results []Result
		want    []Verdict
	}{
		{"alone", judge([]string{plain}, library), []Verdict{Safe, Safe, Unknown, Safe}},
		{"the program defines it", judge([]string{plain, blocks}, library), []Verdict{Unsafe, Safe, Unknown, Safe}},
		{"another library comes first", judge([]string{plain}, second, library), []Verdict{Safe, Safe, Unknown, Unsafe}},
		{"another library comes later", judge([]string{plain}, library, second), []Verdict{Safe, Safe, Unknown, Safe}},
	} {
		for i, r := range c.results {
			if r.Verdict != c.want[i] {
				t.Errorf("%s: %s: %v, want %v: %v", c.name, r.Name, r.Verdict, c.want[i], r.Hazards)
			}
		}
	}
}

// TestKnownAnswers asks for verdicts that were found by reading the sources.
func TestKnownAnswers(t *testing.T) {
	for _, c := range []struct{ library, safe, not string }{
		{"libz.so.1", "crc32 adler32 crc32_combine zlibVersion", "compress2 gzopen inflateInit_ gzread"},
		{"libm.so.6", "sin cos pow exp log fmod floor sqrt cbrt hypot", ""},
		{"libxxhash.so.0", "XXH64 XXH32 XXH64_reset", "XXH64_createState XXH64_freeState"},
		{"libsqlite3.so.0", "sqlite3_libversion sqlite3_libversion_number", "sqlite3_step sqlite3_open sqlite3_exec sqlite3_malloc sqlite3_finalize"},
		{"liblua5.4.so.0", "lua_pushinteger lua_pushnumber lua_gettop", "lua_pushstring lua_callk lua_newuserdatauv lua_error"},
		{"libc.so.6", "strlen memcpy memset strchr abs labs toupper", "printf malloc free read write sleep qsort system dlopen pthread_mutex_lock setjmp longjmp exit getaddrinfo rand fork vfork sem_wait sched_yield"},
	} {
		p, err := Open(filepath.Join("/lib/x86_64-linux-gnu", c.library), Options{})
		if err != nil {
			t.Logf("not checked: %v", err)
			continue
		}
		for _, name := range strings.Fields(c.safe + " " + c.not) {
			r, err := p.Check(name)
			if err != nil {
				continue // another version of the library
			}
			if want := slices.Contains(strings.Fields(c.safe), name); (r[0].Verdict == Safe) != want {
				t.Errorf("%s: %s: %v, want safe: %v: %v", c.library, name, r[0].Verdict, want, r[0].Hazards)
			}
		}
	}
}
