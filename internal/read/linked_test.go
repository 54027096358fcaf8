package read

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
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
	run(t, cc, append(append([]string{"-w", "-c", "-o", object}, flags...), file)...)
	return object
}

// linked returns a program of objects and libraries. What they want and do not have, stands in
// a file beside it, and open says so.
func linked(t testing.TB, cc string, files ...string) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), "program")
	flags := append(append([]string{"-nostartfiles", "-Wl,-e,0", "-w", "-o", program}, files...), "-lm")
	out, err := exec.Command(cc, append(flags, "-Wl,--warn-unresolved-symbols")...).CombinedOutput()
	if err != nil {
		t.Fatalf("%s %v: %v\n%s", cc, flags, err, out)
	}
	var missing, source strings.Builder
	seen := map[string]bool{}
	for _, m := range undefined.FindAllStringSubmatch(string(out), -1) {
		if name := m[1]; !seen[name] {
			seen[name] = true
			missing.WriteString(name + " ")
			source.WriteString("__asm__(\".globl " + name + "\\n" + name + ": .quad 0\");\n")
		}
	}
	if len(seen) > 0 {
		if err := os.WriteFile(program+".missing", []byte(missing.String()), 0o666); err != nil {
			t.Fatal(err)
		}
		run(t, cc, append(flags, compile(t, cc, source.String()))...)
	}
	return program
}

var undefined = regexp.MustCompile("undefined reference to `([^']*)'")

// shared returns a shared library of C source.
func shared(t testing.TB, name, source string, flags ...string) string {
	t.Helper()
	library := filepath.Join(t.TempDir(), name)
	run(t, "gcc", append([]string{"-shared", "-Wl,-soname," + name, "-o", library, compile(t, "gcc", source, "-O2", "-fPIC")}, flags...)...)
	return library
}

func run(t testing.TB, command string, args ...string) {
	t.Helper()
	if out, err := exec.Command(command, args...).CombinedOutput(); err != nil {
		t.Fatalf("%s %v: %v\n%s", command, args, err, out)
	}
}

func open(t testing.TB, program string, path ...string) *Program {
	t.Helper()
	missing, _ := os.ReadFile(program + ".missing") // or nothing is
	options := Options{Path: path}
	for _, name := range strings.Fields(string(missing)) {
		if byName().about(name) == nil {
			options.Elsewhere = append(options.Elsewhere, name)
		} else {
			options.Go = append(options.Go, name)
		}
	}
	p, err := Open(program, options)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func readOne(t testing.TB, p *Program, name string) Function {
	t.Helper()
	functions, err := p.Read(name)
	if err != nil {
		t.Fatal(err)
	}
	return functions[0]
}

func does(f Function, c Class) bool {
	return slices.ContainsFunc(f.Does, func(r Reason) bool { return r.Class == c })
}

// TestInterposition holds that a library's call of an exported function goes
// to the first definition in the program, which is not always its own.
func TestInterposition(t *testing.T) {
	library := shared(t, "libone.so", `
		int helper(int x) { return x + 1; }
		int calls(int x) { return helper(x) * 2; }
		static int local(int x) { return x * 7; }
		int calls_local(int x) { return local(x) * 2; }
		int (*slot)(int) = local;
		int by_slot(int x) { return slot(x); }
		__attribute__((weak)) int soft(int x) { return x; }
		int calls_soft(int x) { return soft(x) + 1; }`, "-Wl,-z,lazy")
	second := shared(t, "libtwo.so", "int usleep(unsigned); int soft(int x) { return usleep(x); }")
	main := compile(t, "gcc", `int calls(int), calls_local(int), by_slot(int), calls_soft(int), soft(int);
		int uses(int x) { return calls(x) + soft(x); } int a(int x) { return calls(x); } int b(int x) { return calls_local(x); }
		int c(int x) { return by_slot(x); } int d(int x) { return calls_soft(x); }`, "-O2", "-fno-optimize-sibling-calls")
	blocks := compile(t, "gcc", "int usleep(unsigned); int helper(int x) { return usleep(x); }", "-O2")
	for _, c := range []struct {
		name  string
		files []string
		want  string // of a to d: whether it waits, or comes to an unknown address
	}{
		{"alone", []string{main, library}, "..?."},
		{"the program defines it", []string{main, blocks, library}, "w.?."},
		{"another library comes first", []string{main, "-Wl,--no-as-needed", second, library}, "..?w"},
		{"another library comes later", []string{main, "-Wl,--no-as-needed", library, second}, "..?."},
	} {
		p := open(t, linked(t, "gcc", append(c.files, "-rdynamic")...), filepath.Dir(library), filepath.Dir(second))
		got := ""
		for _, name := range []string{"a", "b", "c", "d"} {
			f := readOne(t, p, name)
			switch {
			case does(f, Block):
				got += "w"
			case does(f, Indirect):
				got += "?"
			case len(f.Does) == 0 && len(f.Files) > 0:
				got += "."
			default:
				t.Errorf("%s: %s: %+v", c.name, name, f)
			}
		}
		if got != c.want {
			t.Errorf("%s: got %s, want %s", c.name, got, c.want)
		}
	}
}

// TestKnownAnswers asks for answers that were found by reading the sources.
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
				f, err := p.Read(name)
				if err != nil {
					continue // another version of the library
				}
				found++
				if want := slices.Contains(strings.Fields(c.safe), name); (len(f[0].Does) == 0) != want {
					t.Errorf("%s: want safe: %v: %v", name, want, f[0].Does)
				}
			}
			if found < 5 {
				t.Errorf("found only %d of the functions", found)
			}
		})
	}
}

// TestCopiedTable reads an executable with a copy of a library's table, which
// is all zero in its file.
func TestCopiedTable(t *testing.T) {
	if runtime.GOARCH != "amd64" {
		t.Skip("executables at fixed addresses, of x86-64")
	}
	library := shared(t, "libkind.so", "const unsigned char kind[4] = {0, 1, 2, 1};")
	object := compile(t, "gcc", `int usleep(unsigned);
		typedef int (*function)(int);
		__attribute__((noinline)) static int one(int x) { return x + 1; }
		__attribute__((noinline)) static int two(int x) { return usleep(x); }
		extern const unsigned char kind[4];
		static const function table[3] = {one, one, two};
		__attribute__((noinline)) int chosen(unsigned k, int x) { return k < 4 ? table[kind[k]](x) + 1 : 0; }`, "-O2", "-fno-pic")
	p := open(t, linked(t, "gcc", "-no-pie", object, library), filepath.Dir(library))
	if f := readOne(t, p, "chosen"); len(f.Does) == 0 {
		t.Errorf("chosen, which may call usleep: %+v", f)
	}
}

// TestOutlinedAtomics reads a library for arm64 by what its compiler linked
// into it for atomic operations.
func TestOutlinedAtomics(t *testing.T) {
	const cc = "aarch64-linux-gnu-gcc"
	if _, err := exec.LookPath(cc); err != nil {
		t.Skip(err)
	}
	p := open(t, linked(t, cc, compile(t, cc, "int add(int *p) { return __atomic_add_fetch(p, 1, 5); } "+
		"int swap(int *p) { return __atomic_exchange_n(p, 1, 2); }", "-O2", "-moutline-atomics")))
	if f := readOne(t, p, "add"); len(f.Does) > 0 {
		t.Errorf("add: %v, want nothing", f.Does)
	}
	if f := readOne(t, p, "swap"); !does(f, Lock) {
		t.Errorf("swap: %v, want a lock", f.Does)
	}
}

// TestCompilersLibrary finds the functions that compilers call on their own.
func TestCompilersLibrary(t *testing.T) {
	p := open(t, linked(t, "gcc", compile(t, "gcc", `unsigned __int128 divide(unsigned __int128 a, unsigned __int128 b) { return a / b + 1; }
		int count(unsigned long x) { return __builtin_popcountl(x) + 1; }`, "-O2")))
	for _, name := range []string{"divide", "count"} {
		if f := readOne(t, p, name); len(f.Does) > 0 {
			t.Errorf("%s: %v", name, f.Does)
		}
	}
}
