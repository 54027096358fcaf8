package main

/*
#include <time.h>
extern long same(long);
extern double half(long);
static double visits(int ms) {
	struct timespec t, e;
	double sum = 0;
	clock_gettime(CLOCK_MONOTONIC, &t);
	for (long i = 1; ; i++) {
		for (volatile int k = 0; k < 2000; k++);
		if (same(i) != i || half(i) != i * 0.5)
			return -1;
		clock_gettime(CLOCK_MONOTONIC, &e);
		if ((e.tv_sec - t.tv_sec) * 1000 + (e.tv_nsec - t.tv_nsec) / 1000000 > ms)
			return 0;
	}
}
*/
import "C"

import (
	"fmt"
	"runtime"
	"time"
)

// So short that Go's compiler gives them no stack check.

//export same
func same(n C.long) C.long { return n }

//export half
func half(n C.long) C.double { return C.double(n) * 0.5 }

func main() {
	done := make(chan C.double)
	go func() { done <- C.visits(1500) }()
	time.Sleep(10 * time.Millisecond)
	for n := 0; ; n++ {
		select {
		case wrong := <-done:
			fmt.Println(n, wrong)
			return
		default:
			runtime.GC()
		}
	}
}
