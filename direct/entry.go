//go:build linux && cgo && (amd64 || arm64)

package direct

//lint:file-ignore U1000 assembly uses what only seems unused

import (
	"github.com/wherrygo/wherry/internal/crossing/abi"
	"github.com/wherrygo/wherry/internal/goruntime/running"
)

// In entry_ARCH.s: the code of bound funcs, and slow, a part of both.
func kept()
func keptFirst()
func starts()
func general()
func slow()

// In slow_ARCH.s. moves is a part of general and of enterC, which is a C function.
func moves()
func enterC()

// Addresses of code. 0: the assembly is not there.
var keptPC, keptFirstPC, startsPC, generalPC, enterCPC uintptr

// For the assembly, which finds constants in go_asm.h: where the runtime keeps what it
// needs, which package running verifies, and the image.
const (
	stackguard0 = running.G_STACKGUARD0

	maxStack    = abi.MaxStack
	goInts      = abi.GoInts
	goFloats    = abi.GoFloats
	cInts       = abi.CInts
	cFloats     = abi.CFloats
	retInts     = abi.RetInts
	retFloats   = abi.RetFloats
	retErrno    = abi.RetErrno
	bases       = abi.Bases
	imageSize   = abi.ImageSize
	load8       = abi.Load8
	load4       = abi.Load4
	load4Signed = abi.Load4Signed
	load2       = abi.Load2
	load2Signed = abi.Load2Signed
	load1       = abi.Load1
	load1Signed = abi.Load1Signed
)

// The frame of general and the bits of its map are numbers in entry_ARCH.s: 672 bytes for
// C's stack arguments, the image, what is kept and the binding (16 more on arm64).
var _ = [1]struct{}{}[abi.MaxStack+abi.ImageSize+8*(abi.MaxKept+1)-672]
