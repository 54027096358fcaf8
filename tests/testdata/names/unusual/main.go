// C functions with names that mean something to Go or in what cgo and wherry generate, and
// exported Go functions of such names.

package main

/*
#include <errno.h>

struct s { int type; double func; int len; int _type; };

extern int p0(int, int), p1(int), _wherry(int), frame(int);
extern void r1(void), errno_(void), größe(void);

static int append(int p0) { return p0; }
static int panic(int r1) { return r1 + 1; }
static int string(int e) { errno = e; return e; }
static void nil(void) { errno = ERANGE; }
static struct s make(struct s frame) { frame.len++; return frame; }
static int uintptr(int a, int b) { r1(); errno_(); größe(); return p0(a, b) + p1(a) + _wherry(a) + frame(b); }
static int error(int e) { r1(); errno = e; return p1(e); }
static int maß(int a) { return a; }
*/
import "C"

import "fmt"

//export p0
func p0(p1, p0 C.int) C.int { return p1 - p0 }

//export p1
func p1(C.int) (p1 C.int) { return 7 }

//export _wherry
func _wherry(a C.int) C.int { return a }

//export frame
func frame(_ C.int) C.int { return 9 }

//export r1
func r1() {}

//export errno_
func errno_() {}

//export größe
func größe() {}

func main() {
	for range 9 {
		fmt.Println(C.append(1), C.panic(2), C.uintptr(5, 4), C.make(C.struct_s{_type: 1, _func: 2, len: 3}), C.maß(6))
		n, err := C.string(3)
		fmt.Println(n, err)
		n, err = C.error(4)
		fmt.Println(n, err)
		_, err = C.nil()
		fmt.Println(err)
	}
}
