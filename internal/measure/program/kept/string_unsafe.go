package kept

// #include <stdlib.h>
import "C"

import "unsafe"

// String copies s to C memory and frees it; it reports whether the copy was right.
func String(s string) bool {
	p := C.CString(s)
	right := *(*byte)(unsafe.Add(unsafe.Pointer(p), len(s)-1)) == s[len(s)-1]
	C.free(unsafe.Pointer(p))
	return right
}
