//go:build linux && (amd64 || arm64) && cgo

package reentrant

import _ "runtime/cgo" // has crosscall2

func init() { crosscall2PC = crosscall2Address }

var crosscall2Address uintptr // in crosscall2.s
