//go:build linux && amd64 && cgo

package reentrant

import _ "runtime/cgo" // has crosscall2

func init() { crosscall2PC = crosscall2Address }

var crosscall2Address uintptr // in crosscall2_amd64.s
