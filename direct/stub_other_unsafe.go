//go:build !(linux && (amd64 || arm64))

package direct

import (
	"reflect"
	"unsafe"
)

// A Stub is what the assembly that `wherry gen` writes finds about its C
// function. Only generated code uses it.
type Stub struct{ Name string }

// BindStub makes a stub call the C function fn. F is the stub's type.
func BindStub[F any](s *Stub, fn unsafe.Pointer) error {
	return refused(reflect.TypeFor[F](), Supported())
}

// Fast reports whether the stub calls C by itself.
func (s *Stub) Fast() bool { return false }

// Slow calls C through the runtime.
func (s *Stub) Slow(args unsafe.Pointer) { panic(Supported()) }
