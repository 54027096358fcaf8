//go:build linux && (amd64 || arm64) && cgo

package reentrant

import (
	_ "runtime/cgo" // has crosscall2

	"github.com/wherrygo/wherry/internal/crossing/reentrant/built"
)

func init() {
	if crosscall2PC = built.Crosscall2(); crosscall2PC == 0 {
		crosscall2PC = crosscall2Address
	}
	if enterPC != 0 && built.Turns() {
		straightCode = built.Closures(straightEntryPC)
	}
}

var crosscall2Address uintptr // in crosscall2.s
