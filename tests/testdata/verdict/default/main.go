package main

/*
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <math.h>
#cgo LDFLAGS: -lm
struct point { int x, y; };
static int add(int a, int b) { return a + b; }
static struct point mirror(struct point p) { struct point q = {p.y, p.x}; return q; }
static unsigned sum(const unsigned char *p, size_t n) { unsigned s = 0; while (n--) s += *p++; return s; }
static int *boxed(int n) { int *p = malloc(sizeof n); *p = n; return p; }
static int chosen(int (*f)(int), int n) { return f(n); }
static int twice(int n) { return 2 * n; }
typedef int (*func)(int);
static func twiceP(void) { return twice; }
static int waits(int n) { usleep(n); return n; }
static int depth(int n) { volatile int pad = n; return n > 0 ? depth(n - 1) + pad : 0; }
static double sine(double x) { return sin(x); }
static int named(int n) { return n + 1; }
struct pair { int a, b; };
extern int goScalar(int);
extern int goPair(struct pair);
extern void goNothing(void);
static int backScalar(int n) { return goScalar(n); }
static int backPair(int n) { struct pair p = {n, n}; return goPair(p); }
static void backNothing(void) { goNothing(); }
static int (*volatile indirect)(int) = goScalar;
static int backIndirect(int n) { return indirect(n); }
static int blamed(int n) { return waits(n); }
extern int soft(int), shared(int);
static int callsSoft(int n) { return soft(n); }
static long raw(void) {
#if defined(__x86_64__)
	long r = 39;
	__asm__ volatile("syscall" : "+a"(r) :: "rcx", "r11", "memory");
#else
	register long r __asm__("x0"), nr __asm__("x8") = 172;
	__asm__ volatile("svc #0" : "=r"(r) : "r"(nr) : "memory");
#endif
	return r;
}
static long rawNamed(void) { return raw(); }
*/
import "C"

import (
	"fmt"
	"runtime"
	"unsafe"
)

func main() {
	b := []byte{1, 2, 3}
	before := runtime.NumCgoCall()
	fmt.Println(C.add(1, 2), C.mirror(C.struct_point{3, 4}), C.sum((*C.uchar)(unsafe.Pointer(&b[0])), 3), *C.boxed(5), C.sine(0))
	fmt.Println(runtime.NumCgoCall() - before)
	before = runtime.NumCgoCall()
	fmt.Println(C.raw() == C.rawNamed(), runtime.NumCgoCall()-before)
	C.backNothing()
	fmt.Println(C.soft(1), C.callsSoft(1), C.shared(1))
	fmt.Println(C.chosen(C.twiceP(), 21), C.waits(1), C.depth(3), C.named(1), C.blamed(1), C.backScalar(1), C.backPair(2), C.depth(1))
}

// This would be a panic; it is here to be judged.
func never() { C.backIndirect(3) }

//export goScalar
func goScalar(n C.int) C.int { return n + 1 }

//export goPair
func goPair(p C.struct_pair) C.int { return p.a + p.b }

//export goNothing
func goNothing() {}
