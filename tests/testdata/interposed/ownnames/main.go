// A program whose own C functions have names of the C library's: they are about something else, or lock
// what the interrupted code has locked.
package main

// extern void turn(int doors);
// extern long advance(long ticks), ticks(void);
import "C"

import (
	"fmt"
	"io"
	"runtime"
	"runtime/pprof"
	"time"
)

//export goCount
func goCount(n C.int) C.int { return n + 1 }

func main() {
	if err := pprof.StartCPUProfile(io.Discard); err != nil {
		panic(err)
	}
	go func() {
		for {
			runtime.GC()
			time.Sleep(time.Millisecond)
		}
	}()
	for range 10 {
		C.turn(1000)
		C.advance(100)
	}
	pprof.StopCPUProfile()
	fmt.Println(C.ticks())
}
