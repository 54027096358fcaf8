// Deepstack runs C that needs more than 8 MB of stack, after C that calls back has come to a
// stack of its own.
package main

/*
#include <string.h>
extern void back(void);
static int recurse(int n) {
	volatile char room[1024];
	memset((void *)room, n, sizeof room);
	return n == 0 ? room[5] : recurse(n - 1) + room[3];
}
static int deep(int n) { back(); return recurse(n); }
*/
import "C"

import (
	"fmt"
	"runtime"
)

var called int

func init() { runtime.LockOSThread() } // where stacks are unlimited, the C library's other threads have 2 MB

//export back
func back() { called++ }

func main() {
	for _, depth := range []C.int{100, 1000, 40000} {
		sum := 0
		for range 12 {
			sum += int(C.deep(depth))
		}
		fmt.Println(depth, sum, called)
	}
}
