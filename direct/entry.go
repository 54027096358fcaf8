//go:build linux && (amd64 || arm64)

package direct

// In entry_ARCH.s. The first two are the code of bound funcs; moves is a part
// of general; enterC is a C function.
func straight()
func general()
func moves()
func enterC()

// Their addresses.
var straightPC, generalPC, enterCPC uintptr
