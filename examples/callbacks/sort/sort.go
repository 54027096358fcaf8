// Package sort sorts a million numbers with the C library's qsort and a comparator
// written in Go.
package sort

/*
#include <stdlib.h>

extern int goCompare(void *, void *);

static void sort(int *p, size_t n) {
	qsort(p, n, sizeof *p, (int (*)(const void *, const void *))goCompare);
}
*/
import "C"

import (
	"cmp"
	"unsafe"
)

// byLibc sorts with the C library's qsort, which compares by goCompare.
func byLibc(numbers []int32) {
	if len(numbers) > 0 {
		C.sort((*C.int)(unsafe.Pointer(&numbers[0])), C.size_t(len(numbers)))
	}
}

//export goCompare
func goCompare(a, b unsafe.Pointer) C.int {
	compared++
	return C.int(cmp.Compare(*(*int32)(a), *(*int32)(b)))
}

// compared counts the callbacks.
var compared int

// scattered returns n different numbers in no order, the same ones every time.
func scattered(n int) []int32 {
	numbers := make([]int32, n)
	x := uint32(0)
	for i := range numbers {
		x = x*1664525 + 1013904223 // all 2^32 values (Numerical Recipes' constants)
		numbers[i] = int32(x)
	}
	return numbers
}
