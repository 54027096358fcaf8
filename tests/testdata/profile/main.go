package main

/*
static unsigned spin(unsigned n) {
	unsigned h = 1;
	for (unsigned i = 0; i < n; i++) h = h * 31 + (i ^ h >> 3);
	return h;
}
struct pair { unsigned a, b; };
extern void between(void);
static struct pair spin2(unsigned n) {
	if (n == 4999) between(); // before the marks that the profiler needs are set for the last time
	struct pair p = {spin(n), n};
	return p;
}
*/
import "C"

import (
	"os"
	"runtime/pprof"
	"time"
)

//export between
func between() { time.Now() } // a vDSO call, which uses the same marks

//go:noinline
func caller() (h C.uint) {
	for range 100_000 { // about a second of the processor's time, on a busy machine too
		h += C.spin(5000)
		h += C.spin2(callbacks).a // keeps cgo's frame: the other form of stub
	}
	return h
}

var callbacks C.uint = 5000 // none

func main() {
	if len(os.Args) > 1 {
		callbacks = 4999
	}
	file, err := os.Create("cpu.prof")
	if err != nil {
		panic(err)
	}
	if err := pprof.StartCPUProfile(file); err != nil {
		panic(err)
	}
	if caller() == 0 {
		println("unlikely")
	}
	pprof.StopCPUProfile()
	file.Close()
}
