// Tests of a package that uses cgo, and of one with a shared library that changes.

package tested

// static int add(int a, int b) { return a + b; }
import "C"

func Sum(a, b int) int { return int(C.add(C.int(a), C.int(b))) }
