package direct

import (
	"fmt"
	"reflect"
	"unsafe"

	"github.com/wherrygo/wherry/direct/internal/loader"
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

// Reentrant is Bind for a C function that calls back into Go often, as qsort does, by
// a pointer of package callback. C then runs on a stack of its own, as large as a thread's,
// and a callback takes 4 to 6 ns instead of cgo's 40 to 50. A callback must not call
// runtime.UnlockOSThread more often than LockOSThread: C would go on on another thread. C that overflows its stack
// meets inaccessible memory below it: the process dies of SIGSEGV, with the Go caller in
// the trace.
//
// The call costs little more than Bind's if Go has its arguments and its result where C
// wants them. One with errno, or whose values Bind would have to move, goes through
// reflection, which takes about a microsecond.
//
// Where that is not supported the call is as through cgo, and slow.
func Reentrant[F any](fn unsafe.Pointer) (F, error) {
	var f F
	p, err := bindReentrant(reflect.TypeFor[F](), fn)
	if err == nil {
		f = asFunc[F](p)
	}
	return f, err
}

// MustReentrant is Reentrant that panics instead of returning an error.
func MustReentrant[F any](fn unsafe.Pointer) F {
	f, err := Reentrant[F](fn)
	if err != nil {
		panic(err)
	}
	return f
}

// MustBind is Bind that panics instead of returning an error.
func MustBind[F any](fn unsafe.Pointer) F {
	f, err := Bind[F](fn)
	if err != nil {
		panic(err)
	}
	return f
}

// ErrNoCgo is the error of Bind, Open and Supported in a program without cgo.
var ErrNoCgo = loader.ErrNoCgo

func refused(t reflect.Type, why error) error {
	return fmt.Errorf("direct: cannot bind %v: %w", t, why)
}
