//go:build linux && !cgo && (amd64 || arm64)

package purego

import "github.com/wherrygo/wherry/internal/crossing/entry"

// purego's crosscall2, in callback.s.
var crosscall2 uintptr

func init() { entry.Crosscall2(crosscall2) }
