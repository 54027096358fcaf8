//go:build !amd64 || !unix

package frame

import "unsafe"

// Supported reports whether Call exists.
const Supported = false

// Call is for amd64 alone.
func Call(function uintptr, argument unsafe.Pointer) { panic("frame: not on this processor") }
