// Names has variables of the names of functions that the C library has: one of each thread
// too, as a function no definition of the program's stands for.
package main

/*
#include <stdio.h>
char poll[10] = {1, 2, 3};
int accept = 7, daemon, pause = 3;
static int wait = 4;
struct { int a, b; } select = {1, 2};
__thread int send = 9;
_Thread_local long usleep;
int sum(void) { return accept + poll[2] + daemon + pause + wait + ++send + select.b + (int)++usleep; }
*/
import "C"

import (
	"fmt"
	"runtime"
)

func main() {
	runtime.LockOSThread() // both calls are to find the same variables
	fmt.Println(C.sum(), C.sum(), C.accept, C.daemon)
}
