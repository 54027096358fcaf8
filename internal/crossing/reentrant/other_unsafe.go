//go:build !(linux && (amd64 || arm64))

package reentrant

import (
	"errors"
	"unsafe"
)

// Ready returns nil if reentrant calls can run on C stacks of their own.
func Ready() error {
	return errors.New("reentrant calls on C stacks of their own are for linux/amd64 and linux/arm64")
}

// Call must not be called.
func Call(entry uintptr, arg unsafe.Pointer) error { return Ready() }
