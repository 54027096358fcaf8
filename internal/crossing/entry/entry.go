//go:build linux && cgo && (amd64 || arm64)

package entry

//lint:file-ignore U1000 assembly uses what only seems unused

// In entry_ARCH.s.
func straightEntry()
func generalEntry()
func releasedEntry()
func throughRuntime()

// Addresses of code. 0: the assembly is not there.
var straightEntryPC, generalEntryPC, releasedEntryPC, fromCPC, callbackPC uintptr
