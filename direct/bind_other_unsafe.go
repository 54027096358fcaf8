//go:build !(linux && cgo && (amd64 || arm64))

package direct

import (
	"fmt"
	"reflect"
	"runtime"
	"unsafe"

	"github.com/wherrygo/wherry/internal/crossing/abi"
)

func bind(t reflect.Type, fn unsafe.Pointer) (unsafe.Pointer, error) {
	return nil, refused(t, unsupported())
}

func bindReentrant(t reflect.Type, fn unsafe.Pointer) (unsafe.Pointer, error) { return bind(t, fn) }

func asFunc[F any](p unsafe.Pointer) F { return *(*F)(unsafe.Pointer(&p)) }

// Supported returns nil if bound funcs are fast in this program, else an error
// with the reason.
func Supported() error { return fmt.Errorf("direct: %w", unsupported()) }

func unsupported() error {
	if runtime.GOOS == "linux" && abi.ForArch(runtime.GOARCH) != nil {
		return ErrNoCgo
	}
	return fmt.Errorf("linux on amd64 or arm64 is needed; this is %s/%s; use cgo here", runtime.GOOS, runtime.GOARCH)
}
