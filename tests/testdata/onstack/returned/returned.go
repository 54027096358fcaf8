// C that returns its argument, in every way in which a result can hold an address.
package returned

/*
#include <stdint.h>

typedef struct { int *p; int n; } with_pointer;
typedef union { int *p; long n; } either;
typedef struct { float a, b; } floats;
typedef struct { int32_t half[2]; } halves;

static int *pointer(int *p) { return p; }
static with_pointer in_struct(int *p) { with_pointer s = {p, 1}; return s; }
static either in_union(int *p) { either u; u.p = p; return u; }
static long in_long(int *p) { return (long)p; }
static uintptr_t in_uintptr(int *p) { return (uintptr_t)p; }
static halves in_halves(int *p) { halves h = {{(int32_t)(long)p, (int32_t)((long)p >> 32)}}; return h; }
static void *of_many(int *p, int a, int b, int c, int d, int e, int f) { return p; }

// These have no room for one.
static int number(int *p) { return *p; }
static double real(int *p) { return *p; }
static floats reals(int *p) { floats f = {*p, 1}; return f; }
*/
import "C"

import (
	"fmt"
	"unsafe"

	"example.com/m/stack"
)

// Each writes by C's result, after the stack has moved.

func pointer() int { x := C.int(5); p := C.pointer(&x); stack.Grow(2000); *p = 7; return int(x) }

func inStruct() int { x := C.int(5); s := C.in_struct(&x); stack.Grow(2000); *s.p = 7; return int(x) }

func inUnion() int {
	x := C.int(5)
	u := C.in_union(&x)
	stack.Grow(2000)
	**(**C.int)(unsafe.Pointer(&u)) = 7
	return int(x)
}

func inLong() int {
	x := C.int(5)
	n := C.in_long(&x)
	stack.Grow(2000)
	**(**C.int)(unsafe.Pointer(&n)) = 7
	return int(x)
}

func inUintptr() int {
	x := C.int(5)
	n := C.in_uintptr(&x)
	stack.Grow(2000)
	**(**C.int)(unsafe.Pointer(&n)) = 7
	return int(x)
}

func inHalves() int {
	x := C.int(5)
	h := C.in_halves(&x)
	stack.Grow(2000)
	**(**C.int)(unsafe.Pointer(&h)) = 7
	return int(x)
}

func ofMany() int {
	x := C.int(5)
	p := C.of_many(&x, 1, 2, 3, 4, 5, 6)
	stack.Grow(2000)
	*(*C.int)(p) = 7
	return int(x)
}

// Main is run by its name.
func Main() {
	results := make(chan int)
	for _, f := range []func() int{pointer, inStruct, inUnion, inLong, inUintptr, inHalves, ofMany} {
		go func() { results <- f() }()
		fmt.Println(<-results)
	}
	x := C.int(6)
	fmt.Println(C.number(&x), C.real(&x), C.reals(&x))
}
