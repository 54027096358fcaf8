//go:build linux && (amd64 || arm64) && cgo

package direct

import "github.com/wherrygo/wherry/internal/crossing/reentrant/inflight"

func init() {
	if funcs, stubs, ok := inflight.Calls(); ok {
		entries.funcs, entries.stubs, entries.turn = calls(funcs), calls(stubs), true
	}
}
