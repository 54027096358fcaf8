//go:build linux && (amd64 || arm64) && cgo

package direct

import (
	"github.com/wherrygo/wherry/internal/crossing/abi"
	"github.com/wherrygo/wherry/internal/crossing/turning"
)

func init() {
	if fast() == nil && turning.Turns() {
		entries.calls = calls(turning.Bound())
		entries.data = func(fn, by uintptr, flags abi.Flags) uintptr {
			return turning.Data(turning.Use{Fn: fn, By: by, Flags: flags})
		}
	}
}
