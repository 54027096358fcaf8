// Package latency measures the smallest calls from Go into C: how long a crossing
// takes when the C function does next to nothing.
package latency

/*
#include <stdlib.h>

static int    add(int a, int b)          { return a + b; }
static int    answer(void)               { return 42; }
static double scale(double x, double y)  { return x * y; }
static void   fill(int *p)               { *p = 42; }

static int sum6(int a, int b, int c, int d, int e, int f) {
	return a + b + c + d + e + f;
}

typedef struct { int x, y; } point;

static point mirror(point p) {
	point q = { p.y, p.x };
	return q;
}
*/
import "C"

import "unsafe"

// The functions below are what a caller sees of C: one crossing each, except
// where the comment says otherwise.

func add(a, b int32) int32 { return int32(C.add(C.int(a), C.int(b))) }

func answer() int32 { return int32(C.answer()) }

func scale(x, y float64) float64 { return float64(C.scale(C.double(x), C.double(y))) }

func sum6(a, b, c, d, e, f int32) int32 {
	return int32(C.sum6(C.int(a), C.int(b), C.int(c), C.int(d), C.int(e), C.int(f)))
}

// fill hands C the address of a local variable. With cgo the variable escapes
// to the heap, because the goroutine's stack could move.
func fill() int32 {
	var x C.int
	C.fill(&x)
	return int32(x)
}

type point struct{ x, y int32 }

// mirror passes a struct by value, both ways.
func mirror(p point) point {
	q := C.mirror(C.point{x: C.int(p.x), y: C.int(p.y)})
	return point{int32(q.x), int32(q.y)}
}

// echo copies a string to C's heap and back: two crossings, malloc and free.
// C.GoString is Go code and crosses nothing.
func echo(s string) string {
	p := C.CString(s)
	t := C.GoString(p)
	C.free(unsafe.Pointer(p))
	return t
}

// borrow takes a block from C's heap, uses it and gives it back: two crossings.
func borrow(b byte) byte {
	p := (*byte)(C.malloc(64))
	*p = b
	got := *p
	C.free(unsafe.Pointer(p))
	return got
}
