// Package kept allocates C memory through cgo: wherry would make calls of malloc
// and free fast by itself.
package kept

// #include <stdlib.h>
import "C"

//wherry:cgo malloc free

// Malloc allocates n bytes and frees them; it reports success.
func Malloc(n int) bool {
	p := C.malloc(C.size_t(n))
	C.free(p)
	return p != nil
}
