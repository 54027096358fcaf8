//go:build amd64 && unix

// Package frame calls C on the goroutine's own stack, in a frame of 64 KB that
// Go's stack check makes room for, as fastcgo does. It is here to be measured,
// not to be used: a C function that needs more stack overwrites the heap.
package frame

import "unsafe"

// Call calls the C function with one argument.
//
//go:noescape
func Call(function uintptr, argument unsafe.Pointer)
