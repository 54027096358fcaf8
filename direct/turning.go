//go:build linux && (amd64 || arm64) && cgo

package direct

import (
	"github.com/wherrygo/wherry/internal/crossing/abi"
	"github.com/wherrygo/wherry/internal/crossing/reentrant/built"
)

func init() {
	if built.Turns() {
		entries.calls = calls(built.Bound())
		entries.data = func(fn, by uintptr, flags abi.Flags) uintptr {
			return built.Data(built.Use{Fn: fn, By: by, Flags: flags})
		}
	}
}
