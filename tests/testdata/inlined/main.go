package main

/*
static int first(void *p, int n) { return ((unsigned char *)p)[0] + n; }
static int fails(void *p) { return 0; }
*/
import "C"

import (
	"fmt"
	"runtime"
	"unsafe"
)

func line() int { _, _, n, _ := runtime.Caller(1); return n }

//go:noinline
func call(b []byte) C.int { return C.first(unsafe.Pointer(&b[0]), 1) }

//go:noinline
func calls(b []byte) (int, C.int, int) {
	before, n := line(), C.first(unsafe.Pointer(&b[0]), 1)+C.first(unsafe.Pointer(&b[0]), 2)
	after := line()
	_, err := C.fails(unsafe.Pointer(&b[0]))
	return after - before, n, line() + len(fmt.Sprint(err))
}

func main() {
	fmt.Println(call([]byte{1}))
	fmt.Println(calls([]byte{1}))
	defer func() { recover(); _, _, n, _ := runtime.Caller(2); fmt.Println(n) }()
	fmt.Println("a", C.first(unsafe.Pointer(&[]byte{}[len(b)]), 1))
}

var b []byte
