// Provenance prints how it was built.
package main

/*
static int add(int a, int b) { return a + b; }
static int sub(int a, int b) { return a - b; }
*/
import "C"

import (
	"fmt"
	"runtime/debug"
)

func main() {
	if C.add(1, 2) != C.sub(4, 1) {
		fmt.Println("wrong sums")
	}
	info, _ := debug.ReadBuildInfo()
	for _, s := range info.Settings {
		fmt.Printf("%s=%s\n", s.Key, s.Value)
	}
}
