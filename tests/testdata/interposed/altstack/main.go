// Altstack calls C that takes its thread's alternate signal stack away for a while, after it
// has called back: Go accepts signals on the stack of the thread then, and on no other.
package main

/*
#include <signal.h>
#include <time.h>
extern void back(void);
static void work(int ms) {
	stack_t old, none = {.ss_flags = SS_DISABLE};
	struct timespec begin, now;
	back();
	sigaltstack(&none, &old);
	clock_gettime(CLOCK_MONOTONIC, &begin);
	do
		clock_gettime(CLOCK_MONOTONIC, &now);
	while ((now.tv_sec - begin.tv_sec) * 1000 + (now.tv_nsec - begin.tv_nsec) / 1000000 < ms);
	sigaltstack(&old, NULL);
}
*/
import "C"

import (
	"fmt"
	"runtime"
)

//export back
func back() {}

func main() {
	go func() {
		for {
			runtime.GC()
		}
	}()
	for range 20 {
		C.work(20)
	}
	fmt.Println("done")
}
