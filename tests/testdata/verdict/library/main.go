package main

// #cgo LDFLAGS: -L${SRCDIR} -lpart -Wl,-rpath,${SRCDIR}
// int part(int n);
// typedef int (*function)(int);
// void give(function f);
// int back(int);
// static function address(void) { return back; }
import "C"

import "fmt"

//export back
func back(n C.int) C.int { return n + 30 }

func main() {
	C.give(C.address())
	fmt.Println(C.part(1), C.part(2))
}
