// Command unwalked has a thread of C's compute whose stack cannot be walked, for a CPU profile.
package main

// unsigned on_thread(void);
import "C"

import (
	"os"
	"runtime/pprof"
)

func main() {
	file, err := os.Create("cpu.prof")
	if err != nil {
		panic(err)
	}
	if err := pprof.StartCPUProfile(file); err != nil {
		panic(err)
	}
	C.on_thread()
	pprof.StopCPUProfile()
}
