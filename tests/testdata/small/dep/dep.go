package dep

/*
#include <stdlib.h>
#include <unistd.h>
static int twice(int a) { return 2 * a; }
static int other(void) { return getppid() < 0; }
*/
import "C"

import "unsafe"

func Twice(a int) int {
	s := C.CString("x")
	defer C.free(unsafe.Pointer(s))
	return int(C.twice(C.int(a)) + C.other())
}
