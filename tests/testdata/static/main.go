// Static is a program that a package's own flags for the linker make static.
package main

/*
#cgo LDFLAGS: -static
#include <unistd.h>
extern int back(int);
static int nap(void) { usleep(1000); return 0; } // a signal may end it, with cgo too
static int calls(int n) { int s = 0; for (int i = 0; i < n; i++) s += back(i); return s; }
static int spin(long n) { volatile long x = 0; for (long i = 0; i < n; i++) x += i; return 1; }
*/
import "C"

import (
	"fmt"
	"runtime"
)

//export back
func back(i C.int) C.int { return i & 1 }

func main() {
	go func() {
		for {
			runtime.GC()
		}
	}()
	sum := C.int(0)
	for range 20 {
		sum += C.nap() + C.calls(100) + C.spin(100000)
	}
	fmt.Println(sum)
}
