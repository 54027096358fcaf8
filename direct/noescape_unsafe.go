package direct

import "unsafe"

// StubVersion1 is what stubs that this package can bind refer to.
const StubVersion1 = true

// NoEscape returns p, which then need not be on the heap. Only for stubs, whose slow path
// does not let it escape either.
//
//go:nocheckptr
func NoEscape[T any](p *T) *T {
	return (*T)(unsafe.Add(unsafe.Pointer(nil), uintptr(unsafe.Pointer(p))))
}

// Word returns 1 or 0, as C has it. Only for stubs.
func Word(b bool) uint32 {
	if b {
		return 1
	}
	return 0
}
