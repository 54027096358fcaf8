package check

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// compile returns an object of C source.
func compile(t testing.TB, cc, source string, flags ...string) string {
	t.Helper()
	dir := t.TempDir()
	file, object := filepath.Join(dir, "source.c"), filepath.Join(dir, "object.o")
	if err := os.WriteFile(file, []byte(source), 0o666); err != nil {
		t.Fatal(err)
	}
	args := append(append([]string{"-w", "-c", "-o", object}, flags...), file)
	if out, err := exec.Command(cc, args...).CombinedOutput(); err != nil {
		t.Fatalf("%s %v: %v\n%s", cc, flags, err, out)
	}
	return object
}

// TestObjectsOfOnePackage judges across objects and shared libraries, as a
// build does.
func TestObjectsOfOnePackage(t *testing.T) {
	one := compile(t, "gcc", "int inner(int); int outer(int x) { return inner(x) + 1; } double sine(double x) { double sin(double); return "+
		"sin(x) + 1; }", "-O1")
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
		{"libsqlite3.so.0", "sqlite3_libversion sqlite3_libversion_number",
			"sqlite3_step sqlite3_open sqlite3_exec sqlite3_malloc sqlite3_finalize"},
		{"liblua5.4.so.0", "lua_pushinteger lua_pushnumber lua_gettop", "lua_pushstring lua_callk lua_newuserdatauv lua_error"},
		{"libc.so.6", "strlen memcpy memset strchr abs labs toupper",
			"printf malloc free read write sleep qsort system dlopen pthread_mutex_lock setjmp longjmp exit getaddrinfo rand fork vfork sem_wait " +
				"sched_yield"},
	} {
		t.Run(c.library, func(t *testing.T) {
			p, err := Open(filepath.Join("/lib/x86_64-linux-gnu", c.library), Options{})
			if err != nil {
				t.Skipf("%v; script/bootstrap installs it on Debian", err)
			}
			found := 0
			for _, name := range strings.Fields(c.safe + " " + c.not) {
				r, err := p.Check(name)
				if err != nil {
					continue // another version of the library
				}
				found++
				if want := slices.Contains(strings.Fields(c.safe), name); (r[0].Verdict == Safe) != want {
					t.Errorf("%s: %v, want safe: %v: %v", name, r[0].Verdict, want, r[0].Hazards)
				}
			}
			if found < 5 {
				t.Errorf("found only %d of the functions", found)
			}
		})
	}
}

// TestCopiedTable judges an executable with a copy of a library's table, which
// is all zero in its file.
func TestCopiedTable(t *testing.T) {
	if runtime.GOARCH != "amd64" {
		t.Skip("executables at fixed addresses, of x86-64")
	}
	library := shared(t, "libkind.so", "const unsigned char kind[4] = {0, 1, 2, 1};")
	source := compile(t, "gcc", `int usleep(unsigned);
		typedef int (*function)(int);
		__attribute__((noinline)) static int one(int x) { return x + 1; }
		__attribute__((noinline)) static int two(int x) { return usleep(x); }
		extern const unsigned char kind[4];
		static const function table[3] = {one, one, two};
		__attribute__((noinline)) int chosen(unsigned k, int x) { return k < 4 ? table[kind[k]](x) + 1 : 0; }
		int main(int c, char **v) { return chosen(c, 3); }`, "-O2", "-fno-pic")
	program := filepath.Join(t.TempDir(), "program")
	if out, err := exec.Command("gcc", "-no-pie", "-o", program, source, library).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	p, err := Open(program, Options{LibraryPath: []string{filepath.Dir(library)}})
	if err != nil {
		t.Fatal(err)
	}
	results, err := p.Check("chosen")
	if err != nil {
		t.Fatal(err)
	}
	if results[0].Verdict == Safe {
		t.Errorf("chosen, which may call usleep: %v", results[0].Verdict)
	}
}

// TestOutlinedAtomics judges a library for arm64 by what its compiler linked
// into it for atomic operations.
func TestOutlinedAtomics(t *testing.T) {
	const cc = "aarch64-linux-gnu-gcc"
	if _, err := exec.LookPath(cc); err != nil {
		t.Skip(err)
	}
	object := compile(t, cc, "int add(int *p) { return __atomic_add_fetch(p, 1, 5); } int swap(int *p) { return __atomic_exchange_n(p, 1, "+
		"2); }", "-O2", "-fPIC", "-moutline-atomics")
	library := filepath.Join(t.TempDir(), "libatomics.so")
	if out, err := exec.Command(cc, "-shared", "-o", library, object).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	p, err := Open(library, Options{})
	if err != nil {
		t.Fatal(err)
	}
	results, err := p.Check("add", "swap")
	if err != nil {
		t.Fatal(err)
	}
	if results[0].Verdict != Safe || results[1].Verdict != Unsafe {
		t.Errorf("add: %v %v, want safe; swap: %v, want unsafe", results[0].Verdict, results[0].Hazards, results[1].Verdict)
	}
}

// TestWeak holds that a weak function of an object is not judged by its code:
// another object's may take its place. Of an inline function in C++ all are
// the same.
func TestWeak(t *testing.T) {
	weak := compile(t, "gcc", `__attribute__((weak)) int soft(int x) { return x; }
		int calls(int x) { return soft(x) + 1; }
		int hard(int x) { return x; }
		int alias(int x) __attribute__((weak, alias("hard")));`, "-O2")
	strong := compile(t, "gcc", "int soft(int x) { return x + 2; }", "-O2")
	results := func(files ...string) (verdicts []Verdict) {
		p, err := OpenObjects(files, Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range p.CheckLinked("calls", "hard", "alias") {
			verdicts = append(verdicts, r.Verdict)
		}
		return verdicts
	}
	if got, want := results(weak), []Verdict{Unknown, Unknown, Unknown}; !slices.Equal(got, want) {
		t.Errorf("alone: %v, want %v", got, want)
	}
	if got, want := results(weak, strong), []Verdict{Safe, Unknown, Unknown}; !slices.Equal(got, want) {
		t.Errorf("beside a strong one: %v, want %v", got, want)
	}
	if _, err := exec.LookPath("g++"); err != nil {
		t.Skip(err)
	}
	inline := compile(t, "g++", `__attribute__((noinline)) inline int same(int x) { return x + 1; }
		extern "C" int calls(int x) { return same(x); }`, "-O2", "-xc++")
	p, err := Open(inline, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if r := p.CheckLinked("calls")[0]; r.Verdict != Safe {
		t.Errorf("inline: %v %v", r.Verdict, r.Hazards)
	}
}

// TestCompilersLibrary finds the functions that compilers call on their own.
func TestCompilersLibrary(t *testing.T) {
	p, err := Open(compile(t, "gcc", `unsigned __int128 divide(unsigned __int128 a, unsigned __int128 b) { return a / b + 1; }
		int count(unsigned long x) { return __builtin_popcountl(x) + 1; }`, "-O2"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	results, err := p.Check("divide", "count")
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range results {
		if r.Verdict != Safe {
			t.Errorf("%s: %v: %v", r.Name, r.Verdict, r.Hazards)
		}
	}
}

// TestHandlersOfExceptions allows a C++ function to throw, but does not judge
// it by the code without the handlers.
func TestHandlersOfExceptions(t *testing.T) {
	if _, err := exec.LookPath("g++"); err != nil {
		t.Skip(err)
	}
	object := compile(t, "g++", `extern "C" int usleep(unsigned);
		extern "C" __attribute__((noinline)) int thrower(int x) { if (x > 3) throw x; return x; }
		extern "C" __attribute__((noinline)) int catches(int x) { try { return thrower(x) + 1; } catch (...) { return usleep(x); } }
		extern "C" __attribute__((noinline)) int passes(int x) { return thrower(x) + 1; }`, "-O2", "-xc++")
	facts, err := ReadAnnotations(strings.NewReader("allow jump\nleaf __cxa_allocate_exception stack=1024"), "facts")
	if err != nil {
		t.Fatal(err)
	}
	p, err := Open(object, Options{Annotations: []*Annotations{facts}})
	if err != nil {
		t.Fatal(err)
	}
	results, err := p.Check("thrower", "passes", "catches")
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []Verdict{Safe, Safe, Unknown} {
		if r := results[i]; r.Verdict != want {
			t.Errorf("%s: %v, want %v: %v", r.Name, r.Verdict, want, r.Hazards)
		}
	}
}
