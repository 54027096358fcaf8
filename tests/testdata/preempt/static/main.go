package main

/*
static volatile int started, set;
static int spin(void) { long n = 0; started = 1; while (!set && n < 20000000000) n++; return set; }
static int begun(void) { return started; }
static void end(void) { set = 1; }
*/
import "C"

import (
	"fmt"
	"runtime"
	"time"
)

func main() {
	runtime.GOMAXPROCS(1)
	done := make(chan C.int)
	go func() { done <- C.spin() }()
	for C.begun() == 0 {
		time.Sleep(time.Millisecond)
	}
	runtime.GC()
	C.end()
	fmt.Println(<-done)
}
