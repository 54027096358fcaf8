//go:build linux && (amd64 || arm64) && cgo

package entry

import (
	_ "runtime/cgo" // has crosscall2

	"github.com/wherrygo/wherry/internal/crossing/turning"
)

func init() {
	if crosscall2PC = turning.Crosscall2(); crosscall2PC == 0 {
		crosscall2PC = crosscall2Address
	}
	if straightEntryPC != 0 && turning.Turns() {
		straightCode = turning.Closures(turningEntryPC)
	}
}

var crosscall2Address uintptr // in crosscall2.s
