package main

/*
#include <stdint.h>
static struct runtime { uintptr_t top, size; } runtime;
__attribute__((noinline)) static void begin(void) {
	runtime.top = (uintptr_t)__builtin_frame_address(0);
	runtime.size = 256 * 1024;
}
extern long back(long);
static long (*volatile hidden)(long) = back;
__attribute__((noinline)) static int overflows(void) { return runtime.top - (uintptr_t)__builtin_frame_address(0) > runtime.size; }
static long shown(long n) { return overflows() ? -1 : back(n); }
static long through(long n) { return overflows() ? -1 : hidden(n); }
*/
import "C"

import (
	"fmt"
	"runtime"
)

//export back
func back(n C.long) C.long { return n + 1 }

func main() {
	runtime.LockOSThread()
	C.begin()
	wrong := 0
	for i := range C.long(1000) {
		if C.shown(i) != i+1 {
			wrong++
		}
		if C.through(i) != i+1 {
			wrong++
		}
	}
	fmt.Println("overflows", wrong)
}
