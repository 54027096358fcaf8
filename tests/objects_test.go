package tests

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// withCompiler has a module's builds use a gcc that writes its command lines to a file. Their
// objects are their own, since what is kept goes by the folder.
func withCompiler(t *testing.T, m *module) (log string) {
	t.Helper()
	log = m.path("compiled")
	m.inFront("gcc", "printf '%s\\n' \"$*\" >> '"+log+"'; exec \"$real\" \"$@\"\n")
	m.env = append(m.env, "CC=gcc")
	return log
}

// inFront has a module's commands find a script in the place of a program, $real.
func (m *module) inFront(program, script string) {
	m.t.Helper()
	real, err := exec.LookPath(program)
	if err != nil {
		m.t.Skip(err)
	}
	m.write("bin/"+program, "#!/bin/sh\nreal='"+real+"'\n"+script)
	m.must("chmod", "+x", m.path("bin/"+program))
	m.env = append(m.env, "PATH="+m.path("bin")+string(filepath.ListSeparator)+os.Getenv("PATH"))
}

// A build asks the compiler nothing that an earlier one has asked, nor does Go's linker. It needs a list of packages to
// say what a list says only where neither it nor an earlier one of the kind has compiled or linked
// them, and where the go command has not written down what it did.
func TestBuildsAskOnce(t *testing.T) {
	t.Parallel()
	onEachGo(t, func(t *testing.T, env string) {
		m := testdata(t, "small")
		m.write("shout.go", `package main

// static int slow(int n) { for (int i = 0; i < 1 << 30; i++) n ^= i * n; return n; }
import "C"

import _ "example.com/m/pure"

func shout() { C.slow(1) }
`)
		m.must("mkdir", "pure")
		m.write("pure/pure.go", "package pure\n")
		log := withCompiler(t, m)
		m.inFront("go", "echo \"go $*\" >> '"+log+"'; exec \"$real\" \"$@\"\n")
		m.env = append(m.env, env, "GOBIN="+m.path("bin"), "GOFLAGS=") // the linker asks about compressed debug information too
		first := ""
		build := func(what string, lists bool, verb string, args ...string) {
			t.Helper()
			os.Remove(log)
			said := m.must(wherry, append([]string{verb, "-report=json"}, args...)...).stdout
			text, err := os.ReadFile(log)
			if err != nil {
				t.Fatal(err)
			}
			if first == "" {
				first = said
				if n := strings.Count(string(text), "/trivial.c\n"); n < 3 {
					t.Errorf("%s: Go's linker asks %d times, want 3 at least: does it ask in another way?", what, n)
				}
			} else if strings.Contains(string(text), "-fno-caret-diagnostics") || strings.Contains(string(text), "/trivial.c\n") {
				t.Errorf("%s: asked again:\n%s", what, text)
			}
			if said != first || !strings.Contains(said, "example.com/dep") || strings.Contains(string(text), " -deps -export ") != lists {
				t.Errorf("%s: got %s, want %s, of\n%s", what, said, first, text)
			}
		}
		build("the first time", false, "build", "-o", "fast")
		build("nothing changed", false, "build", "-o", "fast")
		m.write("more.go", "package main\n\nfunc init() {}\n")
		build("one package changed", false, "build", "-o", "fast")
		if !firstOrLast(env) {
			return
		}
		build("several packages", false, "build", "./...")
		build("several packages again", false, "build", "./...")
		build("to be installed", false, "install", ".")
		m.write("pure/pure.go", "package pure\n\nfunc init() {}\n")
		build("to be installed again", false, "install", ".")
		build("the go command writes elsewhere", true, "build", "-debug-actiongraph=actions", "-o", "fast")
	})
}

// wherry compare has both builds at work at the same time, and what is the same in both is
// compiled once: C files, and packages without cgo. Of packages whose test binaries have the same name each
// gets its own.
func TestCompareCompilesOnce(t *testing.T) {
	t.Parallel()
	needsFastPath(t)
	m := newModule(t, nil)
	log := withCompiler(t, m)
	if err := errors.Join(os.Remove(m.path("bin/gcc")), os.CopyFS(m.dir, os.DirFS("testdata/once"))); err != nil {
		t.Fatal(err)
	}
	for name, pkg := range map[string]string{"new.go": "m", "shared/new.go": "shared"} { // what the go command keeps is older
		m.write(name, fmt.Sprintf("package %s\n\n// %d\n", pkg, time.Now().UnixNano()))
	}
	gcc, _ := exec.LookPath("gcc")
	m.env = append(m.env, "COMPILED="+log, "GCC="+gcc, "GOFLAGS=-toolexec=tool")
	r := m.must(wherry, "compare", "-count", "1", "-benchtime", "1x", "./...")
	contains(t, "benchmarks", r.stdout, "  Part ", "  One ", "  Two ", "fast (1 of 1 C functions)")
	text, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	wanted, compiled, shared := 0, 0, 0
	for line := range strings.Lines(string(text)) {
		switch {
		case strings.HasSuffix(line, " -E part.c -v\n"):
			wanted++
		case strings.HasSuffix(line, " -c part.c\n"):
			compiled++
		case line == "shared\n":
			shared++
		}
	}
	if wanted < 2 || compiled != 1 {
		t.Errorf("part.c was wanted %d times and compiled %d times, want at least 2 and once", wanted, compiled)
	}
	if shared != 1 {
		t.Errorf("package shared was compiled %d times, want once", shared)
	}
}

// What cgo asks the compiler about many names is asked once, whatever the policy says
// and also for wherry stat; and again when the names mean something else.
func TestPolicyAsksNoC(t *testing.T) {
	t.Parallel()
	needsFastPath(t)
	const names = 200 // short questions are not kept
	var header, body strings.Builder
	for i := range names {
		fmt.Fprintf(&header, "static inline int f%d(void) { return %d + MORE; }\n#define N%d %d\n", i, i, i, i)
		fmt.Fprintf(&body, "\tn += int(C.f%d()) - C.N%d\n", i, i)
	}
	unique := fmt.Sprintf("// %d\n", time.Now().UnixNano())
	m := newModule(t, map[string]string{"main.go": "package main\n\n// #include \"all.h\"\nimport \"C\"\n\nimport \"fmt\"\n\n" +
		"func main() {\n\tn := 0\n" + body.String() + "\tfmt.Println(n)\n}\n" + unique, "all.h": "#define MORE 1\n" + header.String()})
	log := withCompiler(t, m)
	build := func(what string, asked bool, want string, command ...string) {
		t.Helper()
		os.Remove(log)
		m.must(wherry, command...)
		text, err := os.ReadFile(log)
		if err != nil {
			t.Fatal(err) // the compiler is always asked for something
		}
		n := 0
		for _, line := range strings.Split(string(text), "\n") {
			if strings.Contains(line, "cgo-gcc-input-") && strings.Contains(line, " -c ") {
				n++
			}
		}
		if n > 0 != asked {
			t.Errorf("%s: cgo asked the compiler %d times, want that it asks: %v", what, n, asked)
		}
		if got := m.mustProgram("./fast").stdout; got != want {
			t.Errorf("%s: got %q, want %q", what, got, want)
		}
	}
	build("the first time", true, "200\n", "build", "-o", "fast")
	m.write("wherry.policy", "example.com/m f1 cgo\n")
	build("with a policy", false, "200\n", "build", "-o", "fast")
	build("to count", false, "200\n", "stat", "-build", "fast", ".")
	build("and to say what is allocated", false, "200\n", "build", "-gcflags=-m", "-o", "fast")
	m.write("all.h", "#define MORE 2\n"+header.String())
	build("with another header", true, "400\n", "build", "-o", "fast")
	m.write("all.h", "#define MORE 2\n"+strings.Replace(header.String(), "f1(void)", "f1(int n)", 1))
	if r := m.run(wherry, "build", "-o", "fast"); r.status == 0 || !strings.Contains(r.stderr, "f1") {
		t.Errorf("a mistake in Go: exit status %d\n%s", r.status, r.stderr)
	}
}

// wherry's own C is compiled once for all packages and builds of a configuration.
func TestOwnCIsKept(t *testing.T) {
	t.Parallel()
	needsFastPath(t)
	m := smallest(t)
	m.must("mkdir", "headers")
	m.env = append(m.env, unseenByCache()+" '-isystem"+m.path("headers")+"'")
	log := withCompiler(t, m)
	compiled := func() (files []string) {
		os.Remove(log)
		m.must(wherry, "build", "-o", "fast")
		text, err := os.ReadFile(log)
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range strings.Split(string(text), "\n") {
			if file := filepath.Base(line); strings.HasPrefix(file, "wherry_") && strings.Contains(line, " -c ") {
				files = append(files, file)
			}
		}
		slices.Sort(files)
		return files
	}
	all := "wherry_asm.S wherry_c.c wherry_names.c wherry_stubs.S wherry_stubs.S" // of two packages
	if got := strings.Join(compiled(), " "); got != all {
		t.Fatalf("the first time: compiled %q, want %q", got, all)
	}
	m.write("main.go", m.read("main.go")+"\nvar _ = 1\n")
	// cgo's names in the package, and so its stubs, are others then.
	if got := strings.Join(compiled(), " "); got != "wherry_stubs.S" {
		t.Errorf("with another line of Go: compiled %q", got)
	}
	m.write("headers/errno.h", "#include_next <errno.h>\n") // before the C library's
	m.write("main.go", m.read("main.go")+"\nvar _ = 2\n")
	if got, want := strings.Join(compiled(), " "), "wherry_c.c wherry_names.c wherry_stubs.S"; got != want {
		t.Errorf("with another header: compiled %q, want %q", got, want)
	}
	m.write("headers/errno.h", "#include_next <errno.h>\n\n")
	m.write("main.go", m.read("main.go")+"\nvar _ = 3\n")
	var other sync.WaitGroup
	other.Add(1)
	go func() {
		defer other.Done()
		m.run(wherry, "build", "-o", "other")
	}()
	m.must(wherry, "build", "-o", "fast")
	other.Wait()
	if text, err := os.ReadFile(log); err != nil || strings.Count(string(text), "/wherry_c.c\n") != 2 {
		t.Errorf("two builds at once, after another header: all builds have compiled %d times wherry_c.c, want 2 (%v)",
			strings.Count(string(text), "/wherry_c.c\n"), err)
	}
}

// The C files of a package are compiled once, whatever the policy says; and again when
// anything changes that they depend on.
func TestPolicyCompilesNoC(t *testing.T) {
	t.Parallel()
	needsFastPath(t)
	m := newModule(t, map[string]string{"main.go": `package main

// #include "part.h"
// static int one(void) { return 1; }
import "C"

import "fmt"

func main() { fmt.Println(C.part(1), C.one()) }
`, "part.h": "#define MORE 10\nint part(int);\n",
		"part.c": fmt.Sprintf("#include \"part.h\"\n#warning \"a warning of part.c\"\n// %d\nint part(int n) { return n + MORE; }\n",
			time.Now().UnixNano())})
	log := withCompiler(t, m)
	build := func(what string, compiles int, want string) {
		t.Helper()
		os.Remove(log)
		r := m.must(wherry, "build", "-o", "fast")
		text, err := os.ReadFile(log)
		if err != nil {
			t.Fatal(err) // the compiler is always asked for something
		}
		n := 0
		for _, line := range strings.Split(string(text), "\n") {
			if strings.HasSuffix(line, " -c part.c") {
				n++
			}
		}
		if n != compiles {
			t.Errorf("%s: part.c was compiled %d times, want %d", what, n, compiles)
		}
		if !strings.Contains(r.stderr, "a warning of part.c") {
			t.Errorf("%s: its warning is lost:\n%s", what, r.stderr)
		}
		if got := m.mustProgram("./fast").stdout; got != want {
			t.Errorf("%s: got %q, want %q", what, got, want)
		}
	}
	build("the first time", 1, "11 1\n")
	m.write("wherry.policy", "example.com/m one cgo\n")
	build("with a policy", 0, "11 1\n")
	m.write("wherry.policy", "example.com/m one nocallback\n")
	build("with another", 0, "11 1\n")
	m.must(wherry, "stat", "-build", "counting", ".")
	m.write("part.h", "#define MORE 20\nint part(int);\n")
	build("with another header", 1, "21 1\n")
	m.env = append(m.env, "CGO_CFLAGS=-O1")
	build("with other flags", 1, "21 1\n")
	m.env = append(m.env, "CGO_CFLAGS=-O1 -DMORE=30")
	m.write("part.h", "int part(int);\n")
	build("with a macro", 1, "31 1\n")

	// Programs find the compilers that the user has.
	m.write("main_test.go", `package main

import (
	"os"
	"strings"
	"testing"
)

func TestPath(t *testing.T) {
	if os.Getenv("WHERRY_COMPILERS") != "" || strings.Contains(os.Getenv("PATH"), "/compilers-") {
		t.Fatal(os.Environ())
	}
}
`)
	if r := m.run(wherry, "test", "."); r.status != 0 {
		t.Errorf("a test sees the build's PATH:\n%s%s", r.stdout, r.stderr)
	}
	m.write("part.c", "int part(int n) { return n + ; }\n")
	if r := m.run(wherry, "build", "-o", "fast"); r.status == 0 || !strings.Contains(r.stderr, "part.c:1") {
		t.Errorf("a mistake in C: exit status %d\n%s", r.status, r.stderr)
	}
	m.env = append(m.env, "CC=no-compiler")
	plain, r := m.run("go", "build", "-o", "plain"), m.run(wherry, "build", "-o", "fast")
	if r.status != plain.status || r.stderr != plain.stderr || r.status == 0 {
		t.Errorf("without a compiler: got exit status %d and\n%s\nwant %d and\n%s", r.status, r.stderr, plain.status, plain.stderr)
	}
}
