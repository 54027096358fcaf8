// C that relies on the alignment of its types where Go's are aligned at less: bytes that C
// takes for numbers, and structs with fields that cgo does not show.
package unaligned

/*
typedef struct { char c; long long bits : 40; } packed;

static int long_aligned(const long *l) { return (long)l % _Alignof(long) == 0; }
static int packed_aligned(const packed *p) { return (long)p % _Alignof(packed) == 0; }
static int double_aligned(const double *d) { return (long)d % _Alignof(double) == 0; }
*/
import "C"

import (
	"fmt"
	"unsafe"
)

//go:noinline
func buffers(n int) (long, double C.int) {
	var odd [3]byte
	var l [8]byte
	var even [5]byte
	var d [2]float32
	var more [7]byte
	odd[n%3], even[n%5], more[n%7] = 1, 1, 1
	long = C.long_aligned((*C.long)(unsafe.Pointer(&l)))
	slice := d[:]
	double = C.double_aligned((*C.double)(unsafe.Pointer(unsafe.SliceData(slice))))
	return long * C.int(odd[n%3]) * C.int(more[n%7]), double * C.int(even[n%5])
}

//go:noinline
func packs(n int) (all C.int) {
	var odd [3]byte
	var a C.packed
	var even [5]byte
	var b C.packed
	odd[n%3], even[n%5] = 1, 1
	return C.packed_aligned(&a) & C.packed_aligned(&b) & C.int(odd[n%3]) & C.int(even[n%5])
}

// Main is run by its name.
func Main() {
	done := make(chan bool)
	go func() {
		for i := range 4 {
			fmt.Println(buffers(i))
			fmt.Println(packs(i))
		}
		done <- true
	}()
	<-done
}
