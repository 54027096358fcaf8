// Takes the place of what package main was judged with.

package other

/*
extern int armed;
static void arm(void) { armed = 1; }
*/
import "C"

import "fmt"

func Arm() { C.arm() }

//export goFromC
func goFromC() { fmt.Println("in Go") }
