package tests

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// Functions that no rule names follow the checker's verdict.
func TestDefaultByVerdict(t *testing.T) {
	needsFastPath(t)
	m := newModule(t, map[string]string{"main.go": `package main

/*
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <math.h>
#cgo LDFLAGS: -lm
struct point { int x, y; };
static int add(int a, int b) { return a + b; }
static struct point mirror(struct point p) { struct point q = {p.y, p.x}; return q; }
static unsigned sum(const unsigned char *p, size_t n) { unsigned s = 0; while (n--) s += *p++; return s; }
static int *boxed(int n) { int *p = malloc(sizeof n); *p = n; return p; }
static int chosen(int (*f)(int), int n) { return f(n); }
static int twice(int n) { return 2 * n; }
typedef int (*func)(int);
static func twiceP(void) { return twice; }
static int waits(int n) { usleep(n); return n; }
static int depth(int n) { volatile int pad = n; return n > 0 ? depth(n - 1) + pad : 0; }
static double sine(double x) { return sin(x); }
static int named(int n) { return n + 1; }
struct pair { int a, b; };
extern int goScalar(int);
extern int goPair(struct pair);
extern void goNothing(void);
static int backScalar(int n) { return goScalar(n); }
static int backPair(int n) { struct pair p = {n, n}; return goPair(p); }
static void backNothing(void) { goNothing(); }
static int (*volatile indirect)(int) = goScalar;
static int backIndirect(int n) { return indirect(n); }
static int blamed(int n) { return waits(n); }
extern int soft(int), shared(int);
static int callsSoft(int n) { return soft(n); }
*/
import "C"

import (
	"fmt"
	"runtime"
	"unsafe"
)

func main() {
	b := []byte{1, 2, 3}
	before := runtime.NumCgoCall()
	fmt.Println(C.add(1, 2), C.mirror(C.struct_point{3, 4}), C.sum((*C.uchar)(unsafe.Pointer(&b[0])), 3), *C.boxed(5), C.sine(0))
	fmt.Println(runtime.NumCgoCall() - before)
	C.backNothing()
	fmt.Println(C.soft(1), C.callsSoft(1), C.shared(1))
	fmt.Println(C.chosen(C.twiceP(), 21), C.waits(1), C.depth(3), C.named(1), C.blamed(1), C.backScalar(1), C.backPair(2), C.backIndirect(3))
}

//export goScalar
func goScalar(n C.int) C.int { return n + 1 }

//export goPair
func goPair(p C.struct_pair) C.int { return p.a + p.b }

//export goNothing
func goNothing() {}
`, "wherry.policy": "example.com/m named cgo\nexample.com/m blamed direct\n",
		// Another package's definition would take the place of soft, but not of
		// an inline function in C++, of which all definitions are the same.
		"soft.c":    "__attribute__((weak)) int soft(int n) { return n + 1; }\n",
		"shared.cc": "__attribute__((noinline)) inline int same(int n) { return n + 2; }\nextern \"C\" int shared(int n) { return same(n) + 1; }\n"})
	rep := m.build("fast")
	for function, want := range map[string][2]string{
		"add":    {"direct", "checked: no loops"},
		"mirror": {"direct", "checked: no loops"},
		"twiceP": {"direct", "checked: no loops"},
		"sum":    {"guarded", "checked: loops"},
		"boxed":  {"direct", "allocates"},
		"chosen": {"", "checked: unknown, indirect: chosen"},
		"waits":  {"", "checked: unsafe, block: waits -> usleep"},
		"depth":  {"", "checked: unsafe, recursion: depth"},
		"named":  {"", "wherry.policy:1"},

		"soft":      {"", "checked: unknown, unresolved: soft"},
		"callsSoft": {"", "checked: unknown, unresolved: callsSoft -> soft"},
		"shared":    {"direct", "checked: no loops"},

		"backScalar":   {"", "checked: unsafe, callback: backScalar -> goScalar"},
		"backPair":     {"", "checked: unsafe, callback: backPair -> goPair"},
		"backNothing":  {"", "checked: unsafe, callback: backNothing -> goNothing"},
		"backIndirect": {"", "checked: unknown, indirect: backIndirect"},
		"blamed":       {"direct", "wherry.policy:2"},
	} {
		if mode, why := rep.mode(function), rep.why(function); mode != want[0] || !strings.Contains(why, want[1]) {
			t.Errorf("%s: got mode %q because %q, want %q because of %q", function, mode, why, want[0], want[1])
		}
	}
	if mode, why := rep.mode("sine"), rep.why("sine"); mode == "guarded" && !strings.Contains(why, "code of libm.so.6") || mode == "direct" {
		t.Errorf("sine: got mode %q because %q", mode, why)
	}
	r := m.run(wherry, "build", "-report", "-o", "fast")
	contains(t, "the report", r.stdout, "blamed", "wherry.policy:2, your assumption; checked: unsafe, block: blamed -> ")
	const want = "3 {4 3} 6 5 0\n0\n2 2 4\n42 1 6 2 1 2 4 4\n"
	m.env = append(m.env, "WHERRY_TRIALS=0") // else the first calls of sum and sine go by cgo
	if r := m.mustProgram("./fast"); r.stdout != want {
		t.Errorf("got %q, want %q", r.stdout, want)
	}
	m.env = append(m.env, "WHERRY_DEFAULT=cgo")
	if rep := m.build("slow"); rep.mode("add") != "" || rep.mode("blamed") != "direct" {
		t.Errorf("WHERRY_DEFAULT=cgo: add is %q, blamed %q", rep.mode("add"), rep.mode("blamed"))
	}
	m.env = append(m.env, "WHERRY_DEFAULT=fast")
	if r := m.run(wherry, "build"); r.status == 0 || !strings.Contains(r.stderr, "WHERRY_DEFAULT=fast: want check") {
		t.Errorf("WHERRY_DEFAULT=fast: got exit status %d, %q", r.status, r.stderr)
	}
}

// A function of a shared library was judged by the library found at build time.
// With another build of it the function goes by cgo, and gives what that gives.
func TestAnotherLibraryGoesByCgo(t *testing.T) {
	needsFastPath(t)
	gcc, err := exec.LookPath("gcc")
	if err != nil {
		t.Skip("gcc is not installed")
	}
	m := newModule(t, map[string]string{"main.go": `package main

// #cgo LDFLAGS: -L${SRCDIR} -lpart -Wl,-rpath,${SRCDIR}
// int part(int n);
// static int own(int n) { return n + 1; }
import "C"

import (
	"fmt"
	"runtime"
)

func main() {
	before := runtime.NumCgoCall()
	fmt.Println(C.part(1), C.part(2), C.own(1))
	fmt.Println(runtime.NumCgoCall() - before)
}
`})
	folder := filepath.Join(filepath.Dir(m.dir), "module") // cgo takes no spaces in LDFLAGS
	if err := os.Rename(m.dir, folder); err != nil {
		t.Fatal(err)
	}
	m.dir = folder
	library := func(text string, flags ...string) {
		t.Helper()
		m.write("part.c.txt", text)
		args := append([]string{"-shared", "-fPIC", "-O2", "-Wl,-soname,libpart.so.1", "-o", "libpart.so.1", "-x", "c", "part.c.txt"}, flags...)
		m.must(gcc, args...)
		m.must("ln", "-sf", "libpart.so.1", "libpart.so")
	}
	library("int part(int n) { return n + 10; }\n", "-Wl,--build-id=sha1")
	rep := m.build("fast")
	if rep.mode("part") != "guarded" || !strings.Contains(rep.why("part"), "code of libpart.so.1") || rep.mode("own") != "direct" {
		t.Fatalf("part is %q because %q, own %q", rep.mode("part"), rep.why("part"), rep.mode("own"))
	}
	m.env = append(m.env, "WHERRY_VERBOSE=1", "WHERRY_TRIALS=0") // two calls are no trial
	if r := m.mustProgram("./fast"); r.stdout != "11 12 2\n0\n" || r.stderr != "" {
		t.Errorf("the same library: got %q, %q", r.stdout, r.stderr)
	}
	library("#include <unistd.h>\nint part(int n) { usleep(1); return n + 20; }\n", "-Wl,--build-id=sha1")
	r := m.mustProgram("./fast")
	if r.stdout != "21 22 2\n2\n" {
		t.Errorf("another library: got %q", r.stdout)
	}
	contains(t, "another library", r.stderr, "wherry: C.part of example.com/m goes by cgo: it was checked with another build of libpart.so.1 (build-id ")
	usual := m.env
	m.env = append(m.env, "WHERRY_BUDGET=off") // no guard, and the comparison stays
	if r := m.mustProgram("./fast"); r.stdout != "21 22 2\n2\n" {
		t.Errorf("another library, and no guard: got %q", r.stdout)
	}
	m.env = usual
	library("int part(int n) { return n + 30; }\n", "-Wl,--build-id=none")
	if r := m.mustProgram("./fast"); r.stdout != "31 32 2\n2\n" || !strings.Contains(r.stderr, "and here none") {
		t.Errorf("a library without a build-id: got %q, %q", r.stdout, r.stderr)
	}
	m.write("main2.go", "package main\n") // built again
	if rep := m.build("fast"); rep.mode("part") != "" || !strings.Contains(rep.why("part"), "has no build-id") {
		t.Errorf("built with a library without a build-id: part is %q because %q", rep.mode("part"), rep.why("part"))
	}
}
