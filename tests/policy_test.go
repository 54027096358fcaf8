package tests

import (
	"os/exec"
	"runtime"
	"strings"
	"testing"
)

// A mistake in a policy or directive of the main module is an error with its
// place; in a dependency that has changed it is a warning. Nothing is silent.
func TestPolicyMistakes(t *testing.T) {
	t.Parallel()
	needsFastPath(t)
	for _, test := range []struct {
		name   string
		policy string
		status int
		want   []string
	}{
		{"unknown function", "example.com/m ad fast", 1,
			[]string{"wherry.policy:1: ad matches no C function that example.com/m calls; did you mean add?"}},
		{"glob without match", "\nexample.com/m x_* fast", 1, []string{"wherry.policy:2: x_* matches no C function"}},
		{"dependency changed", "example.com/dep gone fast", 0,
			[]string{"warning: wherry.policy:1: gone matches no C function that example.com/dep calls"}},
		{"unknown package", "example.com/none f fast", 1, []string{"wherry.policy:1: cannot find package example.com/none"}},
		{"pattern", "./... f fast", 1, []string{"wherry.policy:1: ./... names no single package"}},
		{"not a cgo package", "fmt f fast\nexample.com/m/pure f fast", 1,
			[]string{"wherry.policy:1: fmt is in the standard library", "wherry.policy:2: example.com/m/pure is not a cgo package"}},
		{"both are reported", "example.com/m\nexample.com/m add quick", 1, []string{"wherry.policy:1", "wherry.policy:2"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			m := testdata(t, "small")
			m.write("pure/pure.go", "package pure\n")
			m.write("wherry.policy", test.policy+"\n")
			for range 2 { // an error is not hidden by the cache, a warning neither
				r := m.run(wherry, "build", "-o", "fast", ".")
				if r.status != test.status {
					t.Errorf("got exit status %d, want %d", r.status, test.status)
				}
				contains(t, "stderr", r.stderr, test.want...)
			}
		})
	}
}

func TestDirectives(t *testing.T) {
	t.Parallel()
	needsFastPath(t)
	program := func(directive string) map[string]string {
		return map[string]string{"main.go": "package main\n\n// static int add(int a, int b) { return a + b; }\n// static int sub(int a, int " +
			"b) { return a - b; }\nimport \"C\"\n\n" +
			directive + "\nfunc main() { println(C.add(1, 2), C.sub(1, 2)) }\n"}
	}
	m := newModule(t, program("//wherry:nocallback add sub\n//wherry:cgo sub"))
	rep := m.build("fast")
	if rep.fast() != "add" || !strings.HasPrefix(rep.why("add"), "//wherry:nocallback in main.go:7") {
		t.Errorf("got fast %q because %q", rep.fast(), rep.why("add"))
	}
	for directive, want := range map[string]string{
		"//wherry:fast ad":    "main.go:7: ad matches no C function that example.com/m calls; did you mean add?",
		"//wherry:fast":       "main.go:7: //wherry:fast names no function",
		"//wherry:faster add": `main.go:7: unknown mode "faster"`,
	} {
		m := newModule(t, program(directive))
		if r := m.run(wherry, "build"); r.status != 1 {
			t.Errorf("%s: got exit status %d", directive, r.status)
		} else {
			contains(t, directive, r.stderr, want)
		}
	}
	m.write("other.go", "package main\n\n//wherry:fast add\nvar x int\n")
	if r := m.run(wherry, "build"); r.status != 1 {
		t.Errorf("a directive in a file without cgo: got exit status %d", r.status)
	} else {
		contains(t, "misplaced", r.stderr, `other.go:3: //wherry:fast stands in a file that does not import "C"`)
	}
}

// A function or macro of the package's own behind the name free is what is called.
func TestOwnAllocator(t *testing.T) {
	t.Parallel()
	needsFastPath(t)
	m := newModule(t, nil)
	for name, c := range map[string]string{
		"macro":    "__attribute__((noinline)) static void release(void *p) { said++; free(p); }\n#define free(p) release(p)",
		"function": "#define free own\nstatic void own(void *p) { (void)p; said++; }",
		"wrapper":  "#include <unistd.h>\n#define free(p) (said++, usleep(1), free(p))",
	} {
		m.write(name+"/"+name+".go", "package "+name+"\n\n/*\n#include <stdlib.h>\nstatic int said;\n"+c+
			"\nstatic int hasSaid(void) { return said; }\n*/\nimport \"C\"\n\n"+
			"func Said() int { C.free(nil); C.free(nil); return int(C.hasSaid()) }\n")
	}
	m.write("main.go", "package main\n\nimport (\n\t\"example.com/m/function\"\n\t\"example.com/m/macro\"\n\t\"example.com/m/wrapper\"\n)\n\n"+
		"func main() { println(macro.Said(), function.Said(), wrapper.Said()) }\n")
	if got := m.build("fast").fast(); got != "free hasSaid free hasSaid free hasSaid" {
		t.Errorf("got fast functions %q", got)
	}
	if got := m.must("./fast").stderr; got != "2 2 2\n" {
		t.Errorf("free was called %s times in the packages, want twice in each", got)
	}
}

func TestWrongUsage(t *testing.T) {
	t.Parallel()
	m := testdata(t, "small")
	for _, test := range []struct {
		args   string
		status int
		want   string
	}{
		{"", 2, "Usage:"},
		{"bild", 2, "go bild: unknown command"},
		{"bild", 2, "wherry: \"bild\" is no command of wherry's either; did you mean build?"},
		{"Bild", 2, `unknown command "Bild"`},
		{"build -report=yaml", 2, "-report=yaml: want -report or -report=json"},
		{"build -o", 2, "flag -o needs a value"},
		{"compare -cont 3", 2, "flag provided but not defined: -cont"},
		{"compare -count 0", 2, "-count 0: want at least 1"},
		{"doctor now", 2, "want no argument but -json"},
		{"help nothing", 2, "go help nothing: unknown help topic"},
		{"help polcy", 2, "did you mean policy?"},
		{"toolexec", 2, "this command is for the go command's -toolexec flag"},
		{"build -no-such-flag", 2, "flag provided but not defined: -no-such-flag"},
		{"build ./nowhere", 1, "nowhere"},
	} {
		r := m.run(wherry, strings.Fields(test.args)...)
		if r.status != test.status {
			t.Errorf("wherry %s: got exit status %d, want %d", test.args, r.status, test.status)
		}
		contains(t, "wherry "+test.args, r.stderr, test.want)
	}
	for _, help := range []string{"help", "--help", "help build", "build -h", "help compare", "help doctor", "help policy",
		"help stat", "version"} {
		if r := m.must(wherry, strings.Fields(help)...); len(r.stdout) < 10 {
			t.Errorf("wherry %s: printed %q", help, r.stdout)
		}
	}
}

// A package's macros, and flags that make warnings errors, meet the C text
// that wherry adds; it has to stand that. C flags under which that could not be assembled or
// checked keep the package on cgo.
func TestHostileMacrosAndFlags(t *testing.T) {
	t.Parallel()
	needsFastPath(t)
	for name, test := range map[string]struct{ flags, macros, env string }{
		"attributes": {"", "#define noinline __attribute__((noinline))\n#define used 1\n#define always_inline inline " +
			"__attribute__((always_inline))\n#define aligned(x) __attribute__((aligned(x)))\n#define visibility 1\n#define hidden 2", ""},
		"names": {"", "#define frame 5\n#define result 7x\n#define inline 8\n#define v0 9", ""},
		"ansi":  {"#cgo CFLAGS: -ansi", "", ""},
		"clang": {"#cgo CFLAGS: -Wall -Wextra -Wno-unused-parameter -Werror", "", "CC=clang"},
		"intel": {"", "", "CC=gcc -masm=intel"},
		"other": {"", "", "CGO_CFLAGS=-O2 -flto -fpcc-struct-return -fpack-struct=2"},
		"warns": {"#cgo CFLAGS: -Wall -Wextra -Wno-unused-parameter -Werror -Wdeclaration-after-statement -Wcast-align=strict " +
			"-Waggregate-return", "", ""},
		"whose": {"", "", "CGO_CFLAGS=-O2 -pedantic-errors -Werror=undef -Werror=cast-qual -DSTUB=7 -DSHARED=1 -DCOUNTS " +
			"--define-macro AT=1 -Drecord=x" + map[string]string{"amd64": " -fcall-used-rbx"}[runtime.GOARCH]},
	} {
		t.Run(name, func(t *testing.T) {
			m := newModule(t, map[string]string{
				"main.go": "package main\n\n/*\n" + test.flags +
					"\n#include <stdlib.h>\nstatic long add(int a, double b) { return a + (long)b; }\n#undef r\n" + test.macros +
					"\n*/\nimport \"C\"\n\nfunc main() {\n\tC.free(C.malloc(3))\n\tsum, err := C.add(1, 2)\n\tprintln(sum, err == nil)\n}\n",
			})
			m.env = []string{test.env}
			if test.env == "CC=clang" {
				if _, err := exec.LookPath("clang"); err != nil {
					t.Skip("clang is not installed")
				}
			}
			rep := m.build("fast")
			if name == "intel" || name == "other" {
				if !strings.Contains(rep.why("add"), "compiled with") || rep.fast() != "" {
					t.Errorf("got fast functions %q, and add on cgo because %q", rep.fast(), rep.why("add"))
				}
			} else if rep.fast() != "add free malloc" {
				t.Errorf("got fast functions %q, want all", rep.fast())
			}
			if r := m.must("./fast"); r.stderr != "3 true\n" {
				t.Errorf("got %q", r.stderr)
			}
			m.must(wherry, "stat", "-build", "counting", ".")
			if r := m.must("./counting"); r.stderr != "3 true\n" {
				t.Errorf("with counters: got %q", r.stderr)
			}
		})
	}
}

// A preamble's macros may redefine the words of C that cgo itself does not use, and errno.
func TestMacrosOfCWords(t *testing.T) {
	t.Parallel()
	needsFastPath(t)
	m := testdata(t, "names/macros")
	m.must("go", "build", "-o", "plain")
	if got := m.build("fast").fast(); len(strings.Fields(got)) != 8 {
		t.Errorf("got accelerated functions %q, want 8", got)
	}
	want := m.must("./plain").stdout
	if got := m.must("./fast").stdout; got != want {
		t.Errorf("got output\n%s\nwant, through plain cgo,\n%s", got, want)
	}
	m.must(wherry, "stat", "-build", "counting", ".")
	if got := m.must("./counting").stdout; got != want {
		t.Errorf("with counters: got output\n%s\nwant\n%s", got, want)
	}
}

// The report of a package with next to nothing in it is short enough for the
// compiler to store it in two forms.
func TestShortReport(t *testing.T) {
	t.Parallel()
	needsFastPath(t)
	m := newModule(t, map[string]string{"go.mod": "module d\n\ngo 1.24\n",
		"main.go": "package main\n\n// enum { N = 3 };\nimport \"C\"\n\nfunc main() { println(C.N) }\n"})
	if r := m.must(wherry, "build", "-report"); !strings.Contains(r.stdout, "d: 0 fast, 0 on cgo") {
		t.Errorf("got %q, %q", r.stdout, r.stderr)
	}
}
