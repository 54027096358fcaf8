package c

import "C"

import (
	"cmp"
	"unsafe"
)

//export goCompare
func goCompare(a, b unsafe.Pointer) C.int { return C.int(cmp.Compare(*(*int32)(a), *(*int32)(b))) }
