//go:build linux && !cgo

package purego

import "github.com/wherrygo/wherry/internal/reentrant"

// purego's crosscall2, in callback_amd64.s.
var crosscall2 uintptr

func init() { reentrant.Crosscall2(crosscall2) }
