//go:build !(linux && (amd64 || arm64))

package direct

import (
	"reflect"
	"unsafe"
)

// A Stub is what `wherry gen` writes about a C function. Only generated code uses it.
type Stub struct{ Name string }

// BindStub makes *f call the C function fn.
func BindStub[F any](f *F, s *Stub, slow F, fn unsafe.Pointer) error {
	return refused(reflect.TypeFor[F](), Supported())
}

// Slow calls C through the runtime.
func (s *Stub) Slow(args unsafe.Pointer) { panic(Supported()) }
