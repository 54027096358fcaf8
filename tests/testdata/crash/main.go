package main

/*
#include <stdlib.h>
#include <signal.h>
static int peek(int *p) { return *p; }
static void stop(void) { abort(); }
static int divide(int a, int b) { return a / b; }
static void fault(void) { *(volatile int *)0 = 1; } // gcc may take it for a function without effects
*/
import "C"

import (
	"fmt"
	"os"
	"unsafe"
)

//go:noinline
func culprit(how string) {
	defer func() { fmt.Println("recovered:", recover()) }() // must not run
	switch how {
	case "segv":
		fmt.Println(C.peek((*C.int)(unsafe.Pointer(uintptr(8)))))
	case "abort":
		C.stop()
	case "fpe":
		fmt.Println(C.divide(1, C.int(len(os.Args)-2)))
	case "always":
		C.fault()
	case "always, with errno":
		_, err := C.fault()
		fmt.Println(err)
	case "visits":
		visits()
	case "go": // a fault in Go code is a panic as ever, after calls of C too
		x := C.int(len(os.Args))
		fmt.Println(C.peek(&x))
		var p *int
		fmt.Println(*p)
	default:
		bound[how]()
	}
}

var bound map[string]func() // calls by package direct, in a file of their own

func main() { culprit(os.Args[1]) }
