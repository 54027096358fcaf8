//go:build !386 && !arm && !mips && !mipsle

package handle

import "unsafe"

// The tag bits keep a handle away from every address that the Go heap, a
// mapping or C can have. The collector looks such words up, finds no span,
// and passes on; without the tag it could take one for a bad heap pointer
// and end the process.

func toPointer(h Handle) unsafe.Pointer {
	return *(*unsafe.Pointer)(unsafe.Pointer(&h))
}

func fromPointer(p unsafe.Pointer) Handle {
	return Handle(uintptr(p))
}
