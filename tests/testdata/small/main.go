// Two packages, one of them in another module: prints what it computed in C.

package main

// static int add(int a, int b) { return a + b; }
import "C"

import (
	"fmt"

	"example.com/dep"
)

func main() { fmt.Println(Sum(1, 2), dep.Twice(21)) }

func Sum(a, b int) int { return int(C.add(C.int(a), C.int(b))) }
