// Package calls has one C function behind the ways that plain Go offers to
// call it, and its Go twin, as yardsticks for a fast call.
package calls

/*
#cgo noescape add_declared
#cgo nocallback add_declared

static int add(int a, int b) { return a + b; }
static int add_declared(int a, int b) { return a + b; }
*/
import "C"

// Declared stays on cgo, to be compared with.
//wherry:cgo add_declared

// Cgo is the plain call; wherry makes it fast.
func Cgo(a, b int32) int32 { return int32(C.add(C.int(a), C.int(b))) }

// Declared is cgo's own offer: a function declared not to call back and not
// to keep its arguments.
func Declared(a, b int32) int32 { return int32(C.add_declared(C.int(a), C.int(b))) }

// Go is the same in Go, not inlined: the floor.
//
//go:noinline
func Go(a, b int32) int32 { return a + b }
