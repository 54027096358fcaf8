//go:build !(linux && (amd64 || arm64))

package direct

import (
	"errors"
	"reflect"
	"runtime"
	"unsafe"
)

func bind(t reflect.Type, fn unsafe.Pointer) (unsafe.Pointer, error) {
	return nil, refused(t, Supported())
}

func bindReentrant(t reflect.Type, fn unsafe.Pointer) (unsafe.Pointer, error) { return bind(t, fn) }

func asFunc[F any](p unsafe.Pointer) F { return *(*F)(unsafe.Pointer(&p)) }

// Supported returns nil if bound funcs are fast in this program, else an error
// with the reason.
func Supported() error {
	return errors.New("direct: linux on amd64 or arm64 is needed; this is " + runtime.GOOS + "/" + runtime.GOARCH + "; use cgo here")
}
