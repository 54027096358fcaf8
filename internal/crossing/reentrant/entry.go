//go:build linux && (amd64 || arm64)

package reentrant

//lint:file-ignore U1000 assembly uses what only seems unused

import "github.com/wherrygo/wherry/internal/crossing/rt/self"

// In reentrant_ARCH.s, where enterPC is not 0. The Callbacks must have the arguments of
// enter: to Go's unwinder, one is in the place of the other.
func straightCallback(r *record)
func generalCallback(r *record)
func straightEntry()
func straightReturn()
func generalEntry()
func generalReturn()
func releasedEntry()
func throughRuntime()

// Addresses of code. 0: the assembly is not there.
var enterPC, straightEntryPC, generalEntryPC, releasedEntryPC, fromCPC, crosscall2PC uintptr

// Where the runtime keeps what the assembly needs; package self verifies that.
const (
	gStackGuard0 = self.GStackGuard0
	gM           = self.GM
	mG0          = self.MG0
	mVdsoSP      = self.MVdsoSP
	gThrowSplit  = self.GThrowSplit
)
