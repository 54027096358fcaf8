package tests

import (
	"strings"
	"testing"
)

const escaping = `package main

/*
#include <stddef.h>
static void fill(int *x) { *x = 42; }
struct pair { int *a; int b; };
static int both(struct pair p) { return *p.a + p.b; }
static int sum(const unsigned char *p, size_t n) { int s = 0; while (n--) s += *p++; return s; }
static void nothing(void) {}
static void (*volatile hook)(void) = nothing;
static void unknown(int *x) { hook(); *x = 42; } // may call back, as far as its code shows
static int unknownStruct(struct pair p) { hook(); return *p.a + p.b; }
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
	fmt.Println("unknown", testing.AllocsPerRun(100, func() {
		var x C.int
		C.unknown(&x)
		if x != 42 {
			panic(x)
		}
	}))
	fmt.Println("unknown struct", testing.AllocsPerRun(100, func() {
		var x C.int = 40
		if C.unknownStruct(C.struct_pair{a: &x, b: 2}) != 42 {
			panic(x)
		}
	}))
}
`

// Arguments do not escape where nobody can tell the difference: where that is proved, and
// where #cgo noescape or a policy says it. Through cgo they do, and where nobody knows.
func TestArgumentsDoNotEscape(t *testing.T) {
	t.Parallel()
	needsFastPath(t)
	const proved, declared, said, all = "fill 0\nstruct 1\nerrno 0\nslice 0\nunknown 1\nunknown struct 1\n",
		"fill 0\nstruct 1\nerrno 0\nslice 0\nunknown 0\nunknown struct 0\n",
		"fill 0\nstruct 0\nerrno 0\nslice 0\nunknown 0\nunknown struct 0\n", "fill 1\nstruct 1\nerrno 1\nslice 1\nunknown 1\nunknown struct 1\n"
	m := newModule(t, map[string]string{"main.go": escaping})
	m.must("go", "build", "-o", "plain") // whatever a policy says
	if got := m.must("./plain").stdout; got != all {
		t.Errorf("through plain cgo: got allocations\n%swant\n%s", got, all)
	}
	for _, test := range []struct{ name, line, policy, want string }{
		{"by default", "", "", proved},
		{"#cgo noescape and nocallback", "#cgo noescape unknown\n#cgo nocallback unknown\n#cgo noescape unknownStruct\n#cgo nocallback " +
			"unknownStruct\n", "", declared},
		{"#cgo nocallback", "#cgo nocallback unknown\n#cgo nocallback unknownStruct\n", "", proved},
		{"nocallback", "", "example.com/m * nocallback\n", said},
		{"fast", "", "example.com/m * fast\n", proved},
		{"reentrant", "", "example.com/m * reentrant\n", all},
		{"cgo", "", "example.com/m * cgo\n", all},
	} {
		m.write("main.go", strings.Replace(escaping, "/*\n", "/*\n"+test.line, 1))
		m.write("wherry.policy", test.policy)
		m.build("fast")
		if got := m.must("./fast").stdout; got != test.want {
			t.Errorf("%s: got allocations\n%swant\n%s", test.name, got, test.want)
		}
	}
}
