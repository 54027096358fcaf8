// Package scenarios holds what `wherry bench` measures: C functions, each beside a loop that
// calls it n times and reports whether the result is right, and the benchmarks of these loops
// (in _test.go, where import "C" is not allowed). The command compiles them on the user's
// machine, plainly and by wherry: way=cgo is the same code in both, and through cgo in the
// plain one alone.
//
// A scenario more is an entry in one of the lists of the _test.go files.
package scenarios

/*
static int empty(void) { return 1; }
static int add(int a, int b) { return a + b; }
static int six(int a, int b, int c, int d, int e, int f) { return a + b + c + d + e + f; }
static double half(double x) { return x / 2; }
static unsigned busy(unsigned x) {
	for (int i = 0; i < 700; i++) x = x * 1664525u + 1013904223u;
	return x ^ x >> 16;
}

// Declared to cgo neither to call back nor to keep its arguments.
static int add_declared(int a, int b) { return a + b; }
#cgo noescape add_declared
#cgo nocallback add_declared

// What package direct binds.
#define ADDRESS(name) static void *address_##name(void) { return (void *)name; }
ADDRESS(empty)
ADDRESS(add)
ADDRESS(six)
ADDRESS(half)
*/
import "C"

import "github.com/wherrygo/wherry/direct"

// Fast is what they are anyway, unless WHERRY_DEFAULT says otherwise.
//wherry:fast empty add six half busy last malloc free
//wherry:cgo add_declared thread

// Sums are kept small, since C's and Go's would overflow differently.
const mask = 0xffff

var two = 2.0

// The loops are written out, so that no call through a func value is measured.

func empty(n int) bool {
	s := 0
	for range n {
		s += int(C.empty())
	}
	return s == n
}

func add(n int) bool {
	s := C.int(0)
	for range n {
		s = C.add(s, 1) & mask
	}
	return s == C.int(n&mask)
}

func addDeclared(n int) bool {
	s := C.int(0)
	for range n {
		s = C.add_declared(s, 1) & mask
	}
	return s == C.int(n&mask)
}

func six(n int) bool {
	s := C.int(0)
	for range n {
		s = C.six(s, 1, 2, 3, 4, 5) & mask
	}
	return s == C.int(15*n&mask)
}

// x/2 + 1 is 2 for 2, but the compiler must not know.
func half(n int) bool {
	x := C.double(two)
	for range n {
		x = C.half(x) + 1
	}
	return x == 2
}

// busy depends on all results before.
func busy(n int) uint32 {
	x := C.uint(n)
	for range n {
		x = C.busy(x)
	}
	return uint32(x)
}

// The C functions as package direct binds them.
var (
	boundEmpty = direct.MustBind[func() int32](C.address_empty())
	boundAdd   = direct.MustBind[func(a, b int32) int32](C.address_add())
	boundSix   = direct.MustBind[func(a, b, c, d, e, f int32) int32](C.address_six())
	boundHalf  = direct.MustBind[func(float64) float64](C.address_half())
)
