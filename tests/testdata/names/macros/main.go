package main

/*
#include <errno.h>
#include <stdlib.h>
struct pair { int a, b; };
extern int back(int);
static double add(double a, float b) { return a + b; }
static struct pair flip(struct pair p) { struct pair r = {p.b, p.a}; return r; }
static unsigned char nadd(unsigned char a, short b) { return a + b; }
static int radd(int a, int b) { return back(a) + b; }
static struct pair rflip(struct pair p) { struct pair r = {back(p.b), p.a}; return r; }
static _Thread_local int own;
#undef errno
#define errno own
static int fails(int with) { errno = with; return -1; }
#define extern
#define static
#define if while
#define __thread
#define __inline__
#define __asm__(x)
#define __attribute__(x)
#define __builtin_memcpy(a, b, c)
#define __builtin_expect(a, b) 0
*/
import "C"

import "fmt"

//export back
func back(x C.int) C.int { return x + 1 }

func main() {
	for range 9 {
		fmt.Println(C.add(1, 2.5), C.flip(C.struct_pair{1, 2}), C.nadd(1, 2), C.radd(1, 2), C.rflip(C.struct_pair{1, 2}))
	}
	fmt.Println(C.fails(7))
	_, err := C.fails(8)
	fmt.Println(err)
	C.free(C.malloc(1))
}
