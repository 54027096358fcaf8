package tests

import (
	"runtime"
	"testing"
)

const arguments = `package main

/*
extern void goHook(void);
static int read(int *p) { goHook(); return *p; }
static int frame(int *p, int *q) { goHook(); return *p + *q; }
struct two { int *a; int *b; };
static int inside(struct two t) { goHook(); return *t.a + *t.b; }
*/
import "C"

import (
	"fmt"
	"runtime"
)

var hook func()

//export goHook
func goHook() { hook() }

//go:noinline
func grow(n int) int {
	var pad [1024]byte
	if n == 0 {
		return int(pad[0])
	}
	return grow(n-1) + int(pad[n%1024])
}

// churn makes the stack move, frees what is not reachable, and writes over it.
func churn() {
	grow(500)
	for range 3 {
		runtime.GC()
		for range 2000 {
			sink = new(C.int)
			*sink = -1
		}
	}
}

var sink *C.int

//go:noinline
func value(n int) *C.int {
	p := new(C.int)
	*p = C.int(n)
	return p
}

func main() {
	hook = churn
	for i := range 20 {
		if got := C.read(value(i)); got != C.int(i) {
			panic(fmt.Sprint("read: ", got))
		}
		var local C.int = 7
		if got := C.read(&local); got != 7 {
			panic(fmt.Sprint("read of a local variable: ", got))
		}
		if got, err := C.frame(value(i), value(2)); got != C.int(i+2) || err != nil {
			panic(fmt.Sprint("frame: ", got, err))
		}
		if got := C.inside(C.struct_two{value(i), value(3)}); got != C.int(i+3) {
			panic(fmt.Sprint("inside: ", got))
		}
	}
	fmt.Println("ok")
}
`

// What pointer arguments point at stays where it is, and lives, while a
// callback moves the stack and collects.
func TestReentrantArgumentsLive(t *testing.T) {
	t.Parallel()
	needsFastPath(t)
	for _, test := range []struct{ name, policy, settings string }{
		{"reentrant", "example.com/m * reentrant\n", ""},
		{"by default", "", ""},
		{"on the system stack", "example.com/m * fast\n", ""},
		{"through cgo", "", ",asyncpreemptoff=1"},
	} {
		m := newModule(t, map[string]string{"main.go": arguments, "wherry.policy": test.policy})
		m.env = []string{"GODEBUG=clobberfree=1,cgocheck=0" + test.settings}
		m.build("fast")
		if r := m.program("./fast"); r.status != 0 || r.stdout != "ok\n" {
			t.Errorf("%s: exit status %d, output %q\n%.2000s", test.name, r.status, r.stdout, r.stderr)
		}
	}
}

const fresh = `package main

/*
#define active 3
#include <errno.h>
extern void goHook(void);
static long add(long a, long b) { errno = 0; return a + b; }
struct pair { long a, b; };
static struct pair two(long a, long b) { struct pair p = {a, b}; return p; }
static void hook(void) { goHook(); }
*/
import "C"

import "fmt"

//export goHook
func goHook() {}

//go:noinline
func down(n int, bad *int) int {
	var pad [8]byte
	pad[n%8] = byte(n)
	if r, err := C.add(C.long(n), 1); int(r) != n+1 || err != nil {
		*bad++
	}
	if p := C.two(C.long(n), 7); int(p.a) != n || p.b != 7 {
		*bad++
	}
	if n == 0 {
		C.hook()
		return int(pad[0])
	}
	return down(n-1, bad) + int(pad[n%8])
}

func main() {
	bad := 0
	for i := 0; i < 2000; i++ {
		done := make(chan bool)
		go func() { down(200+i%97, &bad); close(done) }()
		<-done
	}
	fmt.Println("bad", bad)
}
`

// Calls that keep cgo's frame, at every depth of a new goroutine's stack: it
// grows in the middle of some of them.
func TestReentrantOnFreshStacks(t *testing.T) {
	onEach(t, func(t *testing.T, on target) {
		for _, policy := range []string{"", "example.com/m * reentrant\n"} {
			m := newModule(t, map[string]string{"main.go": fresh, "wherry.policy": policy}).on(on)
			if rep := m.build("fast"); rep.fast() != "add hook two" {
				t.Fatalf("got functions %q", rep.fast())
			}
			if r := m.mustProgram("./fast"); r.stdout != "bad 0\n" {
				t.Errorf("%q: got %q", policy, r.stdout)
			}
		}
	})
}

// Packages with exports build as through plain cgo: with a plugin's flags, and with
// C flags that keep their functions on cgo.
func TestExportsUnderOtherFlags(t *testing.T) {
	t.Parallel()
	needsFastPath(t)
	m := newModule(t, map[string]string{"main.go": fresh})
	contains(t, "plugin", m.must(wherry, "build", "-buildmode=plugin", "-o", "p.so").stderr, "plain build: -buildmode=plugin")
	if runtime.GOARCH == "amd64" {
		m.env = []string{"CGO_CFLAGS=-O2 -masm=intel"}
		m.build("fast")
		if got := m.must("./fast").stdout; got != "bad 0\n" {
			t.Errorf("-masm=intel: got %q", got)
		}
	}
}
