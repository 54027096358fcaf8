// Command call measures a call of add from Go: through cgo, or fast, in a program that wherry has built, and by
// purego. lab/foreign/measure builds it both ways. Arguments: the way's name, the number of calls, and add's library
// for purego.
package main

// #include "add.h"
import "C"

import (
	"fmt"
	"os"
	"runtime"
	"strconv"

	"github.com/ebitengine/purego"
)

func main() {
	way := os.Args[1]
	n, err := strconv.Atoi(os.Args[2])
	if err != nil {
		fail(err)
	}
	loop := cgo
	if way == "purego" {
		library, err := purego.Dlopen(os.Args[3], purego.RTLD_NOW)
		if err != nil {
			fail(err)
		}
		var add func(a, b int32) int32
		purego.RegisterLibFunc(&add, library, "add")
		loop = func(n int) int32 {
			s := int32(0)
			for range n {
				s = add(s, 1)
			}
			return s
		}
	}
	runtime.LockOSThread() // the clock is the thread's
	loop(n / 10)
	start := C.thread_ns()
	sum := loop(n)
	took := C.thread_ns() - start
	if sum != int32(n) {
		fail(fmt.Errorf("%s: the sum is %d", way, sum))
	}
	fmt.Printf("BenchmarkForeign/way=%s %d %.3f ns/op\n", way, n, float64(took)/float64(n))
}

// cgo's calls; wherry makes them fast.
func cgo(n int) int32 {
	s := C.int(0)
	for range n {
		s = C.add(s, 1)
	}
	return int32(s)
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, "call:", err)
	os.Exit(1)
}
