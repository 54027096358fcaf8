//go:build linux && (amd64 || arm64)

package entry

//lint:file-ignore U1000 assembly uses what only seems unused

import "github.com/wherrygo/wherry/internal/crossing/rt/self"

// In entry_ARCH.s.
func straightEntry()
func generalEntry()
func releasedEntry()
func turningEntry()
func throughRuntime()

// Addresses of code. 0: the assembly is not there.
var straightEntryPC, turningEntryPC, generalEntryPC, releasedEntryPC, fromCPC, crosscall2PC uintptr

// Where the runtime keeps what the assembly needs; package self verifies that.
const (
	gM          = self.GM
	mG0         = self.MG0
	gThrowSplit = self.GThrowSplit
)
