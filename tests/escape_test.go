package tests

import "testing"

const escaping = `package main

/*
#include <stddef.h>
static void fill(int *x) { *x = 42; }
struct pair { int *a; int b; };
static int both(struct pair p) { return *p.a + p.b; }
static int sum(const unsigned char *p, size_t n) { int s = 0; while (n--) s += *p++; return s; }
*/
import "C"

import (
	"fmt"
	"testing"
	"unsafe"
)

func main() {
	fmt.Println("fill", testing.AllocsPerRun(100, func() {
		var x C.int
		C.fill(&x)
		if x != 42 {
			panic(x)
		}
	}))
	fmt.Println("struct", testing.AllocsPerRun(100, func() {
		var x C.int = 40
		if C.both(C.struct_pair{a: &x, b: 2}) != 42 {
			panic(x)
		}
	}))
	fmt.Println("errno", testing.AllocsPerRun(100, func() {
		var x C.int
		if _, err := C.fill(&x); err != nil || x != 42 {
			panic(err)
		}
	}))
	fmt.Println("slice", testing.AllocsPerRun(100, func() {
		var buffer [64]byte
		buffer[3] = 7
		if C.sum((*C.uchar)(unsafe.Pointer(&buffer[0])), 64) != 7 {
			panic("sum")
		}
	}))
}
`

// Arguments of direct calls do not escape: the goroutine's stack cannot move
// meanwhile. By cgo they do.
func TestArgumentsDoNotEscape(t *testing.T) {
	needsFastPath(t)
	const none, all = "fill 0\nstruct 0\nerrno 0\nslice 0\n", "fill 1\nstruct 1\nerrno 1\nslice 1\n"
	for _, mode := range []string{"direct", "guarded"} {
		m := newModule(t, map[string]string{"main.go": escaping, "wherry.policy": "example.com/m * " + mode + "\n"})
		m.build("fast")
		if got := m.must("./fast").stdout; got != none {
			t.Errorf("%s: got allocations\n%swant\n%s", mode, got, none)
		}
		m.env = []string{"WHERRY_BUDGET=1ns", "WHERRY_TRIALS=0"} // by cgo, after a few calls
		if got := m.must("./fast").stdout; got != none {
			t.Errorf("%s, demoted: got allocations\n%swant\n%s", mode, got, none)
		}
		m.must("go", "build", "-o", "plain")
		if got := m.must("./plain").stdout; got != all {
			t.Errorf("by cgo: got allocations\n%swant\n%s", got, all)
		}
	}
}
