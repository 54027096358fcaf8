package handle

import "unsafe"

// Pointer returns h in the form of a void*, for C functions that take user
// data as a pointer. It must not be dereferenced; C code that tries faults.
// Go code may keep it in an unsafe.Pointer, and cgo's pointer checks and the
// garbage collector accept it.
//
// On a 64-bit platform this is a conversion of the same bits, and always
// returns the same pointer for the same handle. See the package
// documentation for 32-bit platforms.
func (h Handle) Pointer() unsafe.Pointer {
	return toPointer(h)
}

// FromPointer returns the handle whose Pointer is p. It checks nothing: a
// pointer from elsewhere gives a handle that is not valid.
func FromPointer(p unsafe.Pointer) Handle {
	return fromPointer(p)
}
