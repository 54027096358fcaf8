// Package m calls C that is turned in each of the ways that there are.
package m

/*
#include <time.h>
extern int back(int);
static int spin(long n) { volatile long x = 0; for (long i = 0; i < n; i++) x += i; return 1; }
static int naps(void) { struct timespec t = {0, 1000000}; nanosleep(&t, NULL); return 1; }
static int calls(int n) { int s = 0; for (int i = 0; i < n; i++) s += back(i); return s; }
static int (*volatile by)(int);
static int may(int n) { return by ? by(n) : 1; }
static void set(void) { by = back; }
*/
import "C"

import "runtime"

//export back
func back(i C.int) C.int {
	if i%8 == 0 {
		runtime.GC()
	}
	return deep(i%40*10) & 1
}

//go:noinline
func deep(n C.int) C.int {
	var room [300]byte
	room[n%300] = 1
	if n == 0 {
		return C.int(room[0])
	}
	return deep(n-1) | C.int(room[1])
}

func Spin() int       { return int(C.spin(30000000)) }
func Nap() int        { return int(C.naps()) }
func Calls(n int) int { return int(C.calls(C.int(n))) }
func May(n int) int   { return int(C.may(C.int(n))) }
func Set()            { C.set() }
