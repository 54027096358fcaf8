//go:build linux && cgo && !wherry_built && (amd64 || arm64) && go1.24 && !go1.28 && !msan && !asan

// Package frames has the functions of calls and callbacks that Go's unwinder must know, as
// Go's assembler compiles them. Package c, whose C they jump to, is the only one to import it:
// a package with cgo has no assembly of Go's. wherry build takes their text from
// package crossing.
package frames

//lint:file-ignore U1000 assembly uses what only seems unused

import "github.com/wherrygo/wherry/internal/goruntime/running"

// Where the functions are, for C.
var TurnedPC, CallbackPC, CallbackFirstPC, GetgPC, SetgPC uintptr

// For the assembly, which finds constants in go_asm.h.
const (
	G_STACKGUARD0 = running.G_STACKGUARD0
	G_DEFER       = running.G_DEFER
	D_HEAP        = running.D_HEAP
	D_SP          = running.D_SP
	D_FN          = running.D_FN
	D_LINK        = running.D_LINK
)
