// Calls on a C stack, whose settings are in the environment.
package main

/*
#include <string.h>
#include <sys/auxv.h>
extern int inGo(int);
static int back(int x) {
	volatile char large[200000];
	memset((char *)large, x, sizeof large);
	return inGo(x) + large[x];
}
*/
import "C"

import "os"

//wherry:reentrant back

//export inGo
func inGo(x C.int) C.int { return x + 1 }

func main() {
	if len(os.Args) > 1 {
		println("secure mode:", C.getauxval(C.AT_SECURE))
		return
	}
	for range 3 {
		println(C.back(2))
	}
}
