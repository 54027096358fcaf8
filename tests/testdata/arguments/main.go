package main

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
