// Command framepointers has C follow frame pointers, as perf does, and prints the Go functions
// that it finds.
package main

/*
#cgo CFLAGS: -O2 -fno-omit-frame-pointer
#include <stdint.h>
#include <unistd.h>

enum { MOST = 32 };
extern void grow(void);

static __attribute__((noinline)) int chain(uintptr_t *pcs) {
	uintptr_t *frame = __builtin_frame_address(0);
	int n = 0;
	for (; n < MOST && frame != NULL; frame = (uintptr_t *)frame[0])
		pcs[n++] = frame[1];
	return n;
}
static int inFlight(uintptr_t *pcs) { return chain(pcs); }
static int turned(uintptr_t *pcs) { usleep(1); return chain(pcs); }
static int calledBack(uintptr_t *pcs) { grow(); return chain(pcs); }
*/
import "C"

import (
	"fmt"
	"runtime"
)

//export grow
func grow() { deep(100) }

//go:noinline
func deep(n int) int {
	var room [100]int
	if n == 0 {
		return room[n]
	}
	return deep(n-1) + room[n%100]
}

//go:noinline
func inFlight(pcs *C.uintptr_t) C.int { return C.inFlight(pcs) }

//go:noinline
func turned(pcs *C.uintptr_t) C.int { return C.turned(pcs) }

//go:noinline
func calledBack(pcs *C.uintptr_t) C.int { return C.calledBack(pcs) }

func main() {
	var pcs [C.MOST]C.uintptr_t
	for _, call := range []func(*C.uintptr_t) C.int{inFlight, turned, calledBack, calledBack} {
		for _, pc := range pcs[:call(&pcs[0])] {
			if f := runtime.FuncForPC(uintptr(pc) - 1); f != nil {
				fmt.Print(f.Name(), " ")
			}
		}
		fmt.Println()
	}
}
