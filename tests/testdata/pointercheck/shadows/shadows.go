// Package shadows gives names of Go's types to others, of which some have pointers.
package shadows

// static void take(void *p) { (void)p; }
// static void count(unsigned char *p) { *p += 1; }
import "C"

import "unsafe"

type int64 struct{ p *int }

var float32, complex64 = 3, "no type"

func uint16() int { return float32 }

// Take passes variables and elements of slices, of which those of int64 have a Go pointer: it passes
// an element if what is 1, a variable if it is 2.
func Take(what int) int {
	n := 4
	numbers, pointers := []int32{1, 2}, []int64{{nil}, {&n}}
	C.take(unsafe.Pointer(&numbers[1]))
	C.take(unsafe.Pointer(&n))
	switch variable := (int64{&n}); what {
	case 1:
		C.take(unsafe.Pointer(&pointers[0]))
	case 2:
		C.take(unsafe.Pointer(&variable))
	}
	letters := []C.uchar{5, 6}
	C.count(&letters[0])
	C.take(unsafe.Pointer(&letters[1]))
	return int(letters[0]) + uint16() + len(complex64) + int(numbers[1])
}
