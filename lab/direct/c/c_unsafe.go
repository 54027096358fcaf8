// Package c has the C functions, and calls them through cgo. Assembly and cgo
// cannot share a package.
package c

/*
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
static int c_add(int a, int b) { return a + b; }
static long c_six(long a, long b, long c, long d, long e, long f) { return a + b + c + d + e + f; }
static double c_eight(double a, double b, double c, double d, double e, double f, double g,
	double h) { return a + b + c + d + e + f + g + h; }
static void c_nothing(void) {}
static double c_double(double a, double b) { return a + b; }
typedef struct { long x, y; } pair;
static pair c_pair(pair p, pair q) { return (pair){p.x + q.y, p.y * q.x}; }
static int c_errno(int a) { return a; }
static pair c_errno_pair(int a) { errno = 0; int r = c_errno(a); return (pair){r, errno}; }
static int c_pointer(void *p) { return *(unsigned char *)p; }
static long c_text(const char *p, long n) { return p[0] + n; }
static int c_compare(const void *a, const void *b) { int x = *(const int *)a, y = *(const int *)b; return (x > y) - (x < y); }
typedef int (*compare)(const void *, const void *);
static void c_sort(void *base, long n, long size, compare f) { qsort(base, n, size, f); }

extern int goCompare(void *, void *);
static void sort_by_export(void *base, long n) { qsort(base, n, 4, (compare)goCompare); }
static void sort_in_c(void *base, long n) { qsort(base, n, 4, c_compare); }

static void *addresses[] = {c_add, c_six, c_eight, c_text, c_sort, c_nothing, c_double, c_pair, c_errno, c_errno_pair, c_pointer};
static void *address(int i) { return addresses[i]; }
*/
import "C"

import (
	"errors"
	"unsafe"
)

// Lookup is what a direct.Library has.
func Lookup(name string) (unsafe.Pointer, error) {
	for i, n := range []string{"c_add", "c_six", "c_eight", "c_text", "c_sort", "c_nothing", "c_double", "c_pair", "c_errno",
		"c_errno_pair", "c_pointer"} {
		if n == name {
			return C.address(C.int(i)), nil
		}
	}
	return nil, errors.New("no C function " + name)
}

func Add(a, b int32) int32 { return int32(C.c_add(C.int(a), C.int(b))) }

func Six(a, b, c, d, e, f int64) int64 {
	return int64(C.c_six(C.long(a), C.long(b), C.long(c), C.long(d), C.long(e), C.long(f)))
}

func Text(s string) int64 {
	return int64(C.c_text((*C.char)(unsafe.Pointer(unsafe.StringData(s))), C.long(len(s))))
}

func Nothing() { C.c_nothing() }

func Double(a, b float64) float64 { return float64(C.c_double(C.double(a), C.double(b))) }

// A PairOf is C's struct of two longs.
type PairOf struct{ X, Y int64 }

func Errno(a int32) (int32, error) {
	r, err := C.c_errno(C.int(a))
	return int32(r), err
}

// Loops of n calls, which are functions here where Go's compiler would not inline one
// around the call itself.

func Eights(n int) (s float64) {
	for range n {
		s += float64(C.c_eight(1, 2, 3, 4, 5, 6, 7, 8))
	}
	return s
}

func Pairs(n int) (s int64) {
	for range n {
		r := C.c_pair(C.pair{1, 2}, C.pair{2, 1})
		s += int64(r.x + r.y)
	}
	return s
}

func Pointers(n int, b []byte) (s int32) {
	for range n {
		s += int32(C.c_pointer(unsafe.Pointer(&b[0])))
	}
	return s
}

// Sort sorts with a Go function that is exported to C, SortInC without Go.
func Sort(data []int32)    { C.sort_by_export(unsafe.Pointer(&data[0]), C.long(len(data))) }
func SortInC(data []int32) { C.sort_in_c(unsafe.Pointer(&data[0]), C.long(len(data))) }
