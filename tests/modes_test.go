package tests

import (
	"debug/elf"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// smallest returns testdata/small without the packages that fmt needs, for builds that
// compile all anew. It prints on standard error.
func smallest(t *testing.T) *module {
	m := testdata(t, "small")
	m.write("main.go", strings.NewReplacer("\t\"fmt\"\n\n", "", "fmt.Println", "println").Replace(m.read("main.go")))
	return m
}

// The functions of it that leave cgo.
const smallFast = "free malloc twice add"

// accelerated reports whether an executable has calls in flight, by its symbols.
func (m *module) accelerated(executable string) bool {
	m.t.Helper()
	file, err := elf.Open(m.path(executable))
	if err != nil {
		m.t.Fatal(err)
	}
	defer file.Close()
	symbols, _ := file.Symbols()
	has := func(part string) bool {
		return slices.ContainsFunc(symbols, func(s elf.Symbol) bool { return strings.Contains(s.Name, part) })
	}
	if !has("_Cfunc_") {
		m.t.Fatalf("%s has no cgo symbols at all", executable)
	}
	return has("_wherry_call_")
}

func TestBuildFlags(t *testing.T) {
	t.Parallel()
	needsFastPath(t)
	for _, flags := range []string{"-gcflags=all=-N -l", "-ldflags=-s -w", "-trimpath -mod=vendor -buildmode=pie -tags a,b -p 2"} {
		t.Run(flags, func(t *testing.T) {
			t.Parallel()
			m := testdata(t, "small")
			words := strings.Fields(flags)
			if strings.HasPrefix(flags, "-gcflags") || strings.HasPrefix(flags, "-ldflags") {
				words = []string{flags}
			}
			if strings.Contains(flags, "-mod=vendor") {
				m.must("go", "mod", "vendor")
			}
			m.env = []string{"GOWORK=off"}
			if got := m.build("fast", words...).fast(); got != smallFast {
				t.Errorf("got fast functions %q, want %q", got, smallFast)
			}
			if got := m.must("./fast").stdout; got != "3 42\n" {
				t.Errorf("got output %q", got)
			}
			if !strings.Contains(flags, "-s") && !m.accelerated("fast") {
				t.Error("no calls in flight in the executable")
			}
		})
	}
}

func TestReproducible(t *testing.T) {
	t.Parallel()
	needsFastPath(t)
	testReproducible(t, func() *module { return testdata(t, "small") })
	testReproducible(t, func() *module { return reentrantModule(t, native) })
}

func testReproducible(t *testing.T, module func() *module) {
	t.Helper()
	first := ""
	for range 2 { // in two folders
		m := module()
		m.build("fast", "-trimpath")
		text := m.read("fast")
		if first != "" && first != text {
			t.Error("two builds with -trimpath in two folders differ")
		}
		first = text
	}
}

func TestSharedLibrary(t *testing.T) {
	t.Parallel()
	needsFastPath(t)
	for _, mode := range []string{"c-shared", "c-archive"} {
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			m := testdata(t, "small")
			m.replace("main.go", "func main()",
				"//export Answer\nfunc Answer() C.int { return C.add(40, C.int(dep.Twice(1))) + through() }\n\nfunc main()")
			m.write("through.go", "package main\n\n// extern int Zero(void);\n// static int through(void) { return Zero(); }\nimport \"C\"\n\n"+
				"//export Zero\nfunc Zero() C.int { return 0 }\n\nfunc through() C.int { return C.through() }\n")
			m.write("host/host.c", "#include <stdio.h>\nint Answer(void);\nint main(void) { printf(\"%d\\n\", Answer()); return 0; }\n")
			library := map[string]string{"c-shared": "libm.so", "c-archive": "libm.a"}[mode]
			m.build(library, "-buildmode="+mode)
			if mode == "c-shared" {
				seen := m.must("nm", "-D", "--defined-only", library).stdout
				contains(t, library, seen, " Answer\n")
				if strings.Contains(seen, " _wherry") {
					t.Errorf("others can see wherry's names:\n%s", seen)
				}
			}
			m.must("gcc", "-o", "host/host", "host/host.c", "./"+library, "-lpthread")
			m.env = []string{"LD_LIBRARY_PATH=."}
			if got := m.must("host/host").stdout; got != "42\n" {
				t.Errorf("got output %q", got)
			}
		})
	}
}

func TestVerbs(t *testing.T) {
	t.Parallel()
	needsFastPath(t)
	m := testdata(t, "small")
	if r := m.must(wherry, "run", ".", "-x", "argument"); r.stdout != "3 42\n" {
		t.Errorf("run: got %q", r.stdout)
	} else {
		contains(t, "run", r.stderr, "wherry: 4 of 5 C functions are fast (example.com/dep 3, example.com/m 1)")
	}
	r := m.must(wherry, "test", "-v", "-count=1", "./...", "-run", "Sum")
	contains(t, "test", r.stdout, "--- PASS: TestSum")
	contains(t, "test", r.stderr, "4 of 5 C functions are fast")
	m.env = []string{"GOBIN=" + m.path("bin dir")}
	m.must(wherry, "install", ".")
	if got := m.must(m.path("bin dir/m")).stdout; got != "3 42\n" {
		t.Errorf("install: got %q", got)
	}
	r = m.must(wherry, "build", "-report", "-o", "fast")
	contains(t, "report", r.stdout, "example.com/dep: 3 fast, 1 on cgo", "fast  twice   read: no loops\n", "fast  add  wherry.policy:1",
		"cgo   other   wherry.policy:2")
	m.write("broken/broken.go", "package broken\n\nfunc f() { undefined() }\n")
	if r := m.run(wherry, "build", "./broken"); r.status != m.run("go", "build", "./broken").status ||
		!strings.Contains(r.stderr, "undefined: undefined") {
		t.Errorf("a build that fails: got exit status %d, %s", r.status, r.stderr)
	}
}

// A program behind -toolexec of the user's own is run too, also when the tools' versions are asked: by
// what it answers then the go command knows what it has made.
func TestUsersToolexec(t *testing.T) {
	t.Parallel()
	needsFastPath(t)
	m := smallest(t)
	// It puts a folder before PATH, and clears cgo's environment.
	m.write("tool exec.sh", "#!/bin/sh\ncase $2 in -V=full) echo \"$1 $2\";; *) echo \"$1\";; esac >> \""+m.path("log")+"\"\n"+
		"PATH=/nowhere:$PATH\ncase $1 in */cgo) exec env -u WHERRY_COMPILERS \"$@\";; esac\nexec \"$@\"\n")
	if err := os.Chmod(m.path("tool exec.sh"), 0o777); err != nil {
		t.Fatal(err)
	}
	if got := m.build("fast", "-toolexec='"+m.path("tool exec.sh")+"'").fast(); got != smallFast {
		t.Errorf("got fast functions %q", got)
	}
	contains(t, "the user's program", m.read("log"), string(filepath.Separator)+"cgo\n", "compile\n", "link\n", "cgo -V=full\n",
		"compile -V=full\n", "asm -V=full\n", "link -V=full\n")
}

// What only the linker's __start_ and __stop_ symbols refer to stays, also where sections
// are collected that nothing else refers to, as zig cc has it.
func TestLinkerCollectsSections(t *testing.T) {
	t.Parallel()
	needsFastPath(t)
	for _, tool := range []string{"clang", "ld.lld"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("%s is not installed (Debian: clang, lld)", tool)
		}
	}
	m := newModule(t, map[string]string{"main.go": `package main

// static int add(int a, int b) { return a + b; }
import "C"

import "fmt"

func main() { fmt.Println(C.add(1, 2)) }
`})
	m.env = append(m.env, "CC=clang")
	rep := m.build("program", "-ldflags=-extldflags '-fuse-ld=lld -Wl,--gc-sections -Wl,-z,start-stop-gc'")
	if got := m.mustProgram("./program").stdout; got != "3\n" || rep.fast() != "add" {
		t.Errorf("got %q, fast functions %q; want 3, add", got, rep.fast())
	}
}
