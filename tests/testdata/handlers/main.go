// A program whose C handles signals that come while its threads call Go.
package main

// extern long holds(void), run(int what);
// extern void serve(void);
import "C"

import (
	"fmt"
	"os"
	"runtime"
	"strconv"
	"sync/atomic"
)

var count atomic.Int64

//export goAdd
func goAdd(a, b C.long) C.long {
	count.Add(1)
	return a + b
}

//export goGrow
func goGrow(n C.long) C.long { return C.long(grow(int(n))) }

func grow(n int) int {
	var a [128]byte
	if n == 0 {
		return int(a[0])
	}
	return grow(n-1) + int(a[n%128])
}

//export goCollects
func goCollects() { runtime.GC() }

func main() {
	what, _ := strconv.Atoi(os.Args[1])
	runtime.GOMAXPROCS(4)
	go C.serve() // collects when a handler asks for it
	fmt.Println("result", C.run(C.int(what)), count.Load() > 0)
	fmt.Fprintln(os.Stderr, C.holds())
}
