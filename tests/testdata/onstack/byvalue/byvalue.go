// C that takes a pointer in a struct by value, and returns it in a union.
package byvalue

/*
typedef struct { int *p; long n; } request;
typedef struct { long n; union { int *p; long n; } u; } response;
typedef struct { int *p; int n; } small;

static response answer(request r) { response a = {r.n}; a.u.p = r.p; return a; }
static int *first(small s) { return s.p; }
*/
import "C"

import (
	"fmt"
	"unsafe"

	"example.com/m/stack"
)

func answered() int {
	x := C.int(5)
	a := C.answer(C.request{p: &x, n: 3})
	stack.Grow(2000)
	**(**C.int)(unsafe.Pointer(&a.u)) = 7
	return int(x)
}

func small() int {
	x := C.int(5)
	p := C.first(C.small{p: &x})
	stack.Grow(2000)
	*p = 7
	return int(x)
}

// Main is run by its name.
func Main() {
	results := make(chan int)
	for _, f := range []func() int{answered, small} {
		go func() { results <- f() }()
		fmt.Println(<-results)
	}
}
