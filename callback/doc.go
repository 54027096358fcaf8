// Package callback makes C function pointers from Go funcs:
//
//	compare, err := callback.New(func(a, b *int32) int32 { return int32(cmp.Compare(*a, *b)) })
//	defer compare.Release()
//	qsort(..., compare.Pointer())
//
// C may call the pointer from any thread, any number of times, until Release.
// The number of callbacks is not limited. A call after Release ends the process with a
// message, unless New has reused the pointer for another callback. With
// WHERRY_CALLBACK_DEBUG=1 in the environment pointers are never reused, and the message
// has the stacks of New and Release.
//
// # Cost
//
// A callback takes 4 to 6 ns if it comes from a C function that [direct.Reentrant] bound
// or, in a program built by `wherry build`, from any C function that runs on a C stack, and
// if the Go func has at most six integer or pointer arguments and eight floating-point
// arguments, and at most one result of these kinds. Callbacks from other C functions and from
// C threads work as cgo's do and cost as much, 40 to 50 ns. A func with structs or with
// more arguments takes about a microsecond, for reflection. New and Release take less than
// a microsecond.
//
// # Types
//
// The same as for package direct, except that strings and slices are refused: take a
// pointer and a length. A pointer argument must be valid for Go's collector: C memory and
// NULL are, a number that C passes as a pointer is not (use uintptr).
//
// The Go func may panic or call runtime.Goexit only if a Go func called C on
// this thread; C's frames in between are left behind without being unwound.
//
// On linux/amd64 and linux/arm64, with cgo and Go 1.24 to 1.27. Elsewhere New returns an error.
package callback

import "errors"

// ErrNoCgo is New's error in a program without cgo.
var ErrNoCgo = errors.New("the program has no C runtime; build with CGO_ENABLED=1")
