package main

/*
#include <stdlib.h>
extern long descend(int n, int depth);
extern long carry(int n);
extern void none(int n);
extern int alive(void);
*/
import "C"

import (
	"fmt"
	"os"
	"runtime"
	"strconv"
	"sync"
)

// step goes down once more in C++, below a Go frame that other goroutines
// interrupt.
//
//export step
func step(n, depth C.int) C.long {
	runtime.Gosched()
	if depth == 0 {
		return C.long(n)
	}
	return C.descend(n, depth)
}

//export nothing
func nothing() {
	runtime.Gosched()
	stack(10)
}

// stack makes the goroutine's stack grow.
func stack(n int) byte {
	var room [1024]byte
	if n > 0 {
		room[n] = stack(n - 1)
	}
	return room[n]
}

//export again
func again(n C.int) { C.none(n - 1) }

func main() {
	if len(os.Args) > 1 {
		n, _ := strconv.Atoi(os.Args[1])
		C.none(C.int(n))
		fmt.Println("passed")
		return
	}
	var all sync.WaitGroup
	sums := make([]C.long, 8)
	for g := range sums {
		all.Add(1)
		go func() {
			defer all.Done()
			for n := range C.int(40) {
				sums[g] = sums[g]*31 + C.descend(n+C.int(g), 6)
				sums[g] = sums[g]*31 + C.carry(n)
			}
		}()
	}
	all.Wait()
	fmt.Println(sums, C.alive())
}
