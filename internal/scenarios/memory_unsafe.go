package scenarios

/*
#include <stddef.h>
#include <stdlib.h>
static int last(const char *s, size_t n) { return s[n - 1]; }
static void *address_last(void) { return (void *)last; }
*/
import "C"

import (
	"unsafe"

	"github.com/wherrygo/wherry/direct"
)

// texts take turns.
var texts = [2]string{"crossing", "crossings"}

func sumOfLast(n int) int { return (n+1)/2*'g' + n/2*'s' }

func last(n int) bool {
	s := 0
	for i := range n {
		t := texts[i&1]
		s += int(C.last((*C.char)(unsafe.Pointer(unsafe.StringData(t))), C.size_t(len(t))))
	}
	return s == sumOfLast(n)
}

var boundLast = direct.MustBind[func(string) int32](C.address_last())

func malloc(n int) bool {
	right := true
	for range n {
		p := C.malloc(64)
		right = right && p != nil
		C.free(p)
	}
	return right
}

func cstring(n int) bool {
	right := true
	for i := range n {
		t := texts[i&1]
		p := C.CString(t)
		right = right && *(*byte)(unsafe.Add(unsafe.Pointer(p), len(t)-1)) == t[len(t)-1]
		C.free(unsafe.Pointer(p))
	}
	return right
}
