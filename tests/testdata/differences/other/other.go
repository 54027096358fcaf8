// Takes the place of what package main was judged with.

package other

/*
extern void *armed;
static void arm(void *p) { armed = p; }
*/
import "C"

import (
	"fmt"
	"unsafe"
)

func Arm(p unsafe.Pointer) { C.arm(p) }

//export goFromC
func goFromC() { fmt.Println("in Go") }
