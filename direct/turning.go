//go:build linux && (amd64 || arm64) && cgo

package direct

import (
	"github.com/wherrygo/wherry/internal/crossing/abi"
	"github.com/wherrygo/wherry/internal/crossing/reentrant/inflight"
)

func init() {
	if inflight.Turns() {
		entries.calls = calls(inflight.Bound())
		entries.data = func(fn, by uintptr, flags abi.Flags) uintptr {
			return inflight.Data(inflight.Use{Fn: fn, By: by, Flags: flags})
		}
	}
}
