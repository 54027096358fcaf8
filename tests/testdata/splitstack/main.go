// A program whose C grows its stack by itself, on several threads, while it is profiled.
package main

// extern long deep(long n), back(long n), both(long n);
import "C"

import (
	"fmt"
	"io"
	"runtime/pprof"
	"sync"
)

//export goAdd
func goAdd(a, b C.long) C.long { return a + b }

func main() {
	if err := pprof.StartCPUProfile(io.Discard); err != nil {
		panic(err)
	}
	defer pprof.StopCPUProfile()
	var all sync.WaitGroup
	for range 8 {
		all.Add(1)
		go func() {
			defer all.Done()
			for range 20 {
				C.deep(2000)
				C.back(30)
				C.both(100)
			}
			fmt.Println(C.deep(3000), C.back(10), C.both(500))
		}()
	}
	all.Wait()
}
