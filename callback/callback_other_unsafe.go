//go:build !(linux && cgo && (amd64 || arm64))

package callback

import (
	"fmt"
	"runtime"
	"unsafe"
)

// A Func is a Go func that C can call.
type Func struct{}

// New makes f callable by C until Release. An error says which argument or
// result of f has no counterpart in C, or why there is no C in this program.
func New(f any) (*Func, error) {
	if runtime.GOOS == "linux" && (runtime.GOARCH == "amd64" || runtime.GOARCH == "arm64") {
		return nil, fmt.Errorf("callback: %w", ErrNoCgo)
	}
	return nil, fmt.Errorf("callback: linux/amd64 or linux/arm64 is needed, this is %s/%s; use cgo's //export here",
		runtime.GOOS, runtime.GOARCH)
}

// Pointer is what C calls.
func (c *Func) Pointer() unsafe.Pointer { return nil }

// Release gives the pointer back.
func (c *Func) Release() {}
