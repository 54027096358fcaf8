//go:build linux && (amd64 || arm64)

package direct

//lint:file-ignore U1000 assembly uses what only seems unused

import "github.com/wherrygo/wherry/internal/rt/self"

// In entry_ARCH.s. The first two are the code of bound funcs; moves is a part
// of general; enterC and enterTyped are C functions.
func straight()
func general()
func moves()
func enterC()
func enterTyped()

// Their addresses.
var straightPC, generalPC, enterCPC, enterTypedPC uintptr

// Where the runtime keeps what the assembly needs; package self verifies that.
const (
	gStackGuard0 = self.GStackGuard0
	gSchedSP     = self.GSchedSP
	gM           = self.GM
	mG0          = self.MG0
)
