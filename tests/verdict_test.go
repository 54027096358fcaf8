package tests

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// Functions that no rule names are fast, and the verdict says which of them cannot
// call back. A system call instruction of its own keeps a function on cgo.
func TestDefaultByVerdict(t *testing.T) {
	t.Parallel()
	needsFastPath(t)
	m := testdata(t, "verdict/default")
	rep := m.build("fast")
	for function, want := range map[string]struct {
		mode       string
		nocallback bool
		why        string
	}{
		"add":    {"fast", true, "read: no loops"},
		"mirror": {"fast", true, "read: no loops"},
		"twiceP": {"fast", true, "read: no loops"},
		"sum":    {"fast", true, "read: loops"},
		"boxed":  {"fast", true, "read: alloc: boxed -> malloc; no loops"},
		"chosen": {"fast", false, "read: indirect: chosen"},
		"waits":  {"fast", true, "read: block: waits -> usleep"},
		"depth":  {"fast", true, "read: recursion: depth"},
		"named":  {"", false, "wherry.policy:1"},
		"raw":    {"", false, "read: raw has a system call instruction of its own"},

		"soft":      {"fast", false, "read: unresolved: soft"},
		"callsSoft": {"fast", false, "read: unresolved: callsSoft -> soft"},
		"shared":    {"fast", true, "read: no loops"},

		"backScalar":   {"fast", false, "read: callback: backScalar -> goScalar"},
		"backPair":     {"fast", false, "read: callback: backPair -> goPair"},
		"backNothing":  {"fast", false, "read: callback: backNothing -> goNothing"},
		"backIndirect": {"fast", true, "wherry.policy:3"},
		"blamed":       {"fast", true, "wherry.policy:2"},
		"rawNamed":     {"fast", false, "wherry.policy:4"}, // it may raise a signal, whose handler may call back
	} {
		if mode, why := rep.mode(function), rep.why(function); mode != want.mode || rep.nocallback(function) != want.nocallback ||
			!strings.Contains(why, want.why) {
			t.Errorf("%s: got mode %q, nocallback %v because %q, want %+v", function, mode, rep.nocallback(function), why, want)
		}
	}
	if mode, why := rep.mode("sine"), rep.why("sine"); mode != "fast" || !strings.Contains(why, "code of libm.so.6") {
		t.Errorf("sine: got mode %q because %q", mode, why)
	}
	r := m.run(wherry, "build", "-report", "-o", "fast")
	contains(t, "the report", r.stdout, "backIndirect", "wherry.policy:3, your assumption; read: indirect: backIndirect")
	if strings.Contains(r.stdout, "wherry.policy:2, your assumption") { // proved, whatever it waits for
		t.Errorf("blamed is called an assumption:\n%s", r.stdout)
	}
	const want = "3 {4 3} 6 5 0\n0\ntrue 1\n2 2 4\n42 1 6 2 1 2 4 1\n"
	if r := m.mustProgram("./fast"); r.stdout != want {
		t.Errorf("got %q, want %q", r.stdout, want)
	}
	m.env = append(m.env, "WHERRY_DEFAULT=cgo")
	if rep := m.build("slow"); rep.mode("add") != "" || rep.mode("blamed") != "fast" {
		t.Errorf("WHERRY_DEFAULT=cgo: add is %q, blamed %q", rep.mode("add"), rep.mode("blamed"))
	}
	for _, value := range []string{"fast", "check"} {
		m.env = append(m.env, "WHERRY_DEFAULT="+value)
		if r := m.run(wherry, "build"); r.status == 0 || !strings.Contains(r.stderr, "WHERRY_DEFAULT="+value+": want cgo") {
			t.Errorf("WHERRY_DEFAULT=%s: got exit status %d, %q", value, r.status, r.stderr)
		}
	}
}

// withoutSpaces moves the module to a folder that LDFLAGS can name: cgo takes no spaces in them.
func (m *module) withoutSpaces() {
	m.t.Helper()
	folder := filepath.Join(filepath.Dir(m.dir), "module")
	if err := os.Rename(m.dir, folder); err != nil {
		m.t.Fatal(err)
	}
	m.dir = folder
}

// A function of a shared library was judged by the library found at build time.
// Another one may block; where that one calls back, the call ends as with #cgo
// nocallback, and standard error says why.
func TestAnotherLibrary(t *testing.T) {
	t.Parallel()
	needsFastPath(t)
	gcc, err := exec.LookPath("gcc")
	if err != nil {
		t.Skip("gcc is not installed")
	}
	m := testdata(t, "verdict/library")
	m.withoutSpaces()
	library := func(text string) {
		t.Helper()
		m.write("part.c.txt", "#include <unistd.h>\nstatic int (*back)(int);\nvoid give(int (*f)(int)) { back = f; }\nint part(int n) { "+
			""+text+" }\n")
		m.must(gcc, "-shared", "-fPIC", "-O2", "-Wl,-soname,libpart.so.1", "-o", "libpart.so.1", "-x", "c", "part.c.txt")
		m.must("ln", "-sf", "libpart.so.1", "libpart.so")
	}
	library("return n + 10;")
	rep := m.build("fast")
	if rep.mode("part") != "fast" || !rep.nocallback("part") || !strings.Contains(rep.why("part"), "code of libpart.so.1") {
		t.Fatalf("part is %q, nocallback %v, because %q", rep.mode("part"), rep.nocallback("part"), rep.why("part"))
	}
	if r := m.mustProgram("./fast"); r.stdout != "11 12\n" || r.stderr != "" {
		t.Errorf("the same library: got %q, %q", r.stdout, r.stderr)
	}
	library("usleep(1); return n + 20;")
	if r := m.mustProgram("./fast"); r.stdout != "21 22\n" || r.stderr != "" {
		t.Errorf("one that blocks: got %q, %q", r.stdout, r.stderr)
	}
	library("return back(n);")
	r := m.program("./fast")
	if r.status != 2 || r.stdout != "" {
		t.Errorf("one that calls back: exit status %d, output %q", r.status, r.stdout)
	}
	contains(t, "one that calls back", r.stderr,
		"wherry: C.part of example.com/m calls back into Go, though its code, when it was built, says that it does not\n",
		"function marked with #cgo nocallback called back into Go")
	// The go command sees no change, but a build and its report go by this library.
	r = m.must(wherry, "build", "-report", "-o", "fast")
	if !strings.Contains(r.stdout, "part     read: indirect\n") ||
		!strings.Contains(r.stderr, "wherry: changed since packages were built with it: libpart.so.1; building these again\n") {
		t.Errorf("with a library that has changed: got\n%s%s", r.stdout, r.stderr)
	}
	if rep := m.build("fast"); rep.nocallback("part") {
		t.Errorf("built with a library that calls back: part makes no callback, because %q", rep.why("part"))
	}
	if r := m.must(wherry, "build", "-v", "-o", "fast"); strings.Contains(r.stderr, "building these again") ||
		strings.Contains(r.stderr, "example.com/m\n") {
		t.Errorf("nothing has changed, but it is built again:\n%s", r.stderr)
	}
	if r := m.mustProgram("./fast"); r.stdout != "31 32\n" {
		t.Errorf("built with a library that calls back: got %q, %q", r.stdout, r.stderr)
	}
	// Nor does it see one of an archive, with which the program is linked again.
	os.Remove(m.path("libpart.so"))
	os.Remove(m.path("libpart.so.1"))
	for i, text := range []string{"return n + 40;", "return back(n);"} {
		m.write("part.c.txt", "static int (*back)(int);\nvoid give(int (*f)(int)) { back = f; }\nint part(int n) { "+text+" }\n")
		m.must(gcc, "-c", "-O2", "-o", "part.o", "-x", "c", "part.c.txt")
		os.Remove(m.path("libpart.a"))
		m.must("ar", "rc", "libpart.a", "part.o")
		m.must(wherry, "build", "-o", "fast")
		if r, want := m.mustProgram("./fast"), []string{"41 42\n", "31 32\n"}[i]; r.stdout != want {
			t.Errorf("built with another archive: got %q, want %q", r.stdout, want)
		}
	}
}

// A package's prebuilt archive needs what another package defines, so its objects do not
// link alone. They are judged all the same, and the report says what is missing.
func TestObjectsThatDoNotLinkAlone(t *testing.T) {
	t.Parallel()
	needsFastPath(t)
	gcc, err := exec.LookPath("gcc")
	if err != nil {
		t.Skip("gcc is not installed")
	}
	m := testdata(t, "verdict/alone")
	m.withoutSpaces()
	for _, flag := range []string{"-fPIC", "-fno-pic"} { // an executable need not be of the first kind
		m.must(gcc, "-c", "-O2", flag, "-o", "part.o", "-x", "c", "part.c.txt")
		m.must("rm", "-f", "part/libpart.a")
		m.must("ar", "rc", "part/libpart.a", "part.o")
		m.write("part/changed.go", "package part // "+flag+"\n") // the go command does not look into the archive
		if r := m.run("go", "build", "-o", "plain"); r.status != 0 {
			if flag == "-fPIC" {
				t.Fatalf("plain go does not build it:\n%s", r.stderr)
			}
			t.Logf("plain go does not build it with %s, so wherry need not", flag)
			continue
		}
		rep := m.build("fast")
		for function, want := range map[string]struct {
			mode       string
			nocallback bool
			why        string
		}{
			"part_add":   {"fast", true, "read: no loops"},
			"part_needs": {"fast", false, "read: unresolved: part_needs -> other"},
			"part_data":  {"fast", true, "read: no loops"},
			"part_raw":   {"", false, "read: part_raw has a system call instruction of its own"},
			"sine":       {"fast", true, "code of libm.so.6"},
		} {
			if mode, why := rep.mode(function), rep.why(function); mode != want.mode || rep.nocallback(function) != want.nocallback ||
				!strings.Contains(why, want.why) {
				t.Errorf("%s: %s: got mode %q, nocallback %v because %q, want %+v", flag, function, mode, rep.nocallback(function), why, want)
			}
		}
		if r := m.must(wherry, "build", "-report", "-o", "fast"); !strings.Contains(r.stdout,
			"needs what other packages define, and wherry has not seen: other") || !strings.Contains(r.stdout, "otherData") {
			t.Errorf("%s: the report does not say what is missing:\n%s", flag, r.stdout)
		}
		if r := m.mustProgram("./fast"); r.stdout != "3 104 7 0 true 1\n" {
			t.Errorf("%s: got %q", flag, r.stdout)
		}
	}
}
