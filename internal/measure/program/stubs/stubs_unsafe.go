// Package stubs holds the typed stubs of the scenarios: a package with cgo
// cannot have assembly of its own.
package stubs

import (
	"fmt"
	"unsafe"
)

//go:generate go run -C ../../../../cmd/wherry . gen ../../internal/measure/program/stubs/calls.go

// Bind gives the stubs their C functions, by name.
func Bind(functions map[string]unsafe.Pointer) error {
	return bindCalls(func(name string) (unsafe.Pointer, error) {
		if fn := functions[name]; fn != nil {
			return fn, nil
		}
		return nil, fmt.Errorf("stubs: no function %s", name)
	})
}
