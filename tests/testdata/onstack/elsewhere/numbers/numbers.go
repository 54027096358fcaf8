// Package numbers exports C functions of numbers.
package numbers

/*
static void count(long *n) { n[0] = 1; n[1] = 2; n[2] = 3; }
static void fill(unsigned char *b) { ((long *)b)[1] = 4; }
static void start(short *s) { ((long *)s)[1] = 5; }
static void own(int *i) { ((long *)i)[1] = 6; }
*/
import "C"

import (
	"unsafe"

	"example.com/m/elsewhere/views"
)

type Short = C.short

func Count(n *C.long)  { C.count(n) }
func Fill(b []byte)    { C.fill((*C.uchar)(unsafe.Pointer(&b[0]))) }
func Start(s *C.short) { C.start(s) }

// Own passes what another package makes of a variable.
func Own(grow func(int) int) int64 {
	var o struct {
		n int64
		p unsafe.Pointer
	}
	C.own(views.As[C.int](&o))
	grow(2000)
	return int64(uintptr(o.p))
}
