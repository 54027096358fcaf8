// A C function for each kind of verdict.

package main

// #include <stdlib.h>
// #include <string.h>
// #include <unistd.h>
// #include <stdio.h>
// static int add(int a, int b) { return a + b; }
// static int sum(const unsigned char *p, int n) { int s = 0; for (int i = 0; i < n; i++) s += p[i]; return s; }
// static void nap(void) { usleep(1); }
// static int call(int (*f)(int), int *x) { return f(*x) + 1; }
// static char *copy(const char *s) { return strdup(s); }
// int back(int);
// static int around(int x) { return back(x) + 1; }
// static int one(int x) { return x + 1; }
// typedef int (*function)(int);
// static function address(void) { return one; }
import "C"

import "unsafe"

//export back
func back(x C.int) C.int { return x * 10 }

func main() {
	bytes := []byte{1, 2, 3}
	C.nap()
	p := C.copy((*C.char)(unsafe.Pointer(&append([]byte("text"), 0)[0])))
	one := C.int(1)
	println(C.add(1, 2), C.sum((*C.uchar)(&bytes[0]), 3), C.call(C.address(), &one), C.GoString(p), C.around(4))
	C.free(unsafe.Pointer(p))
}
