//go:build linux && (amd64 || arm64) && cgo

package reentrant

import (
	_ "runtime/cgo" // has crosscall2
	"unsafe"

	"github.com/wherrygo/wherry/internal/crossing/reentrant/inflight"
)

func init() {
	if crosscall2PC = inflight.Crosscall2(); crosscall2PC == 0 {
		crosscall2PC = crosscall2Address
	}
	if call, closures, ok := inflight.Reentrant(straightEntryPC); ok && enterPC != 0 {
		straightCode = closures
		code := &call // a func value is a pointer to the address of its code
		inFlight = *(*func(uintptr, unsafe.Pointer))(unsafe.Pointer(&code))
	}
}

var crosscall2Address uintptr // in crosscall2.s
