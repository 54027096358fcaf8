// Package callback makes C function pointers of Go funcs, with cgo or without:
//
//	compare, err := callback.New(func(a, b *int32) int32 { return int32(cmp.Compare(*a, *b)) })
//	defer compare.Release()
//	qsort(..., compare.Pointer())
//
// C may call the pointer from any thread, any number of times, until Release.
// There is no table that fills up. A call after Release ends the process with a
// message, as long as no other callback has the pointer; with
// WHERRY_CALLBACK_DEBUG=1 in the environment none ever gets it, and the message
// has the stacks of New and Release.
//
// # Cost
//
// From a C function that [direct.Reentrant] bound, and in a program that
// `wherry build` has made from any that runs on a C stack, a callback takes 4 to 6 ns
// where the Go func has at most six integers or pointers and eight
// floating-point numbers as arguments, and at most one of them as its result.
// All other callbacks (from plain cgo, from C threads, with structs or more
// arguments) work as cgo's do and cost as much, about 50 ns, and with structs
// or more arguments a microsecond for reflection. New and Release take less
// than a microsecond.
//
// # Types
//
// As for package direct, except strings and slices: C has pointers there. A
// pointer argument must not be one that Go's collector cannot accept: C memory
// and NULL are fine, numbers disguised as pointers are not (use uintptr).
//
// The Go func may panic or call runtime.Goexit only if a Go func called C on
// this thread; C's frames in between are left behind without being unwound.
//
// On linux/amd64 and linux/arm64, with Go 1.24 to 1.27. Elsewhere New returns an error.
package callback
