package main

/*
#include <unistd.h>
extern void reached(int);
static void back(int *p) { reached(*p); }
static void backAfterSleep(int *p) { usleep(1); reached(*p); }
static int plain(int n) { return n + 1; }
*/
import "C"

import (
	"fmt"
	"os"
	"runtime"
)

//export reached
func reached(n C.int) {
	runtime.GC()
	fmt.Println("in Go", n)
}

func try(n int, f func(*C.int)) {
	defer func() { fmt.Println("recovered:", recover()) }()
	x := C.int(n)
	f(&x)
	fmt.Println("and back", x)
}

func main() {
	if os.Args[1] == "warm" { // leaves other state behind in the runtime
		C.plain(1)
	}
	f := func(p *C.int) { C.back(p) }
	if os.Args[2] == "after a sleep" {
		f = func(p *C.int) { C.backAfterSleep(p) }
	}
	try(1, f)
	runtime.GC()
	if C.plain(5) != 6 {
		panic("plain")
	}
}
