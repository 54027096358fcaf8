package main

/*
static int twice(int x) { return 2 * x; }
extern int inGo(int);
static int back(int x) { return inGo(x); }
*/
import "C"

import "fmt"

//export inGo
func inGo(x C.int) C.int { return x + 1 }

func main() { fmt.Println(C.twice(2), C.back(3)) }
