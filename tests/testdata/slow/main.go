// A package with a C file that takes long to compile, with bin/slowcc.

package main

// int number(void);
import "C"

func main() { println(C.number()) }
