package direct

import (
	"fmt"
	"reflect"
	"unsafe"
)

// Bind makes a Go func of type F that calls the C function fn. It takes
// microseconds and allocates; the func does neither. An error says which
// argument or result of F cannot be passed, or why C cannot be called at all.
// That F agrees with the C function's own type is the caller's to know.
//
// The func may be called by any number of goroutines.
func Bind[F any](fn unsafe.Pointer) (F, error) {
	var f F
	p, err := bind(reflect.TypeFor[F](), fn)
	if err == nil {
		f = asFunc[F](p)
	}
	return f, err
}

// MustBind is Bind that panics instead of returning an error.
func MustBind[F any](fn unsafe.Pointer) F {
	f, err := Bind[F](fn)
	if err != nil {
		panic(err)
	}
	return f
}

func refused(t reflect.Type, why error) error {
	return fmt.Errorf("direct: cannot bind %v: %w", t, why)
}
