package main

/*
static unsigned long calls;
static unsigned spin(unsigned n) {
	unsigned h = 1;
	for (unsigned i = 0; i < n; i++) h = h * 31 + (i ^ h >> 3);
	__atomic_store_n(&calls, calls + 1, __ATOMIC_RELAXED);
	return h;
}
static unsigned long made(void) { return __atomic_load_n(&calls, __ATOMIC_RELAXED); }
*/
import "C"

import (
	"fmt"
	"runtime"
	"slices"
	"time"
)

// during returns how many calls are made while something is done, in the best quarter:
// the kernel may take this thread away meanwhile.
func during(n int, do func()) C.ulong {
	var all []C.ulong
	for range n {
		for before := C.made(); C.made() == before; { // it calls, on another processor if there is one
			runtime.Gosched()
		}
		before := C.made()
		do()
		all = append(all, C.made()-before)
	}
	slices.Sort(all)
	return all[n/4]
}

func main() {
	go func() {
		for {
			C.spin(200) // short, but never anything else
		}
	}()
	for C.made() == 0 {
		time.Sleep(time.Millisecond)
	}
	runtime.GOMAXPROCS(2)
	var stats runtime.MemStats
	stopped := during(11, func() { runtime.ReadMemStats(&stats) }) // stops the world
	runtime.GOMAXPROCS(1)
	slept := during(11, func() { time.Sleep(time.Millisecond) })
	fmt.Println(stopped, slept)
}
