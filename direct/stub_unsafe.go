//go:build linux && (amd64 || arm64)

package direct

import (
	"fmt"
	"reflect"
	"runtime"
	"unsafe"

	"github.com/wherrygo/wherry/internal/crossing/abi"
)

// A Stub is what `wherry gen` writes about a C function. Only generated code uses it.
type Stub struct {
	Name  string // for messages
	frame slowFrame
}

// BindStub makes *f call the C function fn. Where that is not fast, and when the goroutine
// is to be preempted, it calls slow.
func BindStub[F any](f *F, s *Stub, slow F, fn unsafe.Pointer) error {
	p, err := s.bind(reflect.TypeFor[F](), *(*unsafe.Pointer)(unsafe.Pointer(&slow)), fn)
	if err == nil {
		*f = asFunc[F](p)
	}
	return err
}

func (s *Stub) bind(t reflect.Type, slow, fn unsafe.Pointer) (unsafe.Pointer, error) {
	c, err := newSlowCall(t, fn)
	if err != nil {
		return nil, err
	}
	s.frame = c.frame
	return newBinding(c, slow, abi.NoCallback), nil
}

// Slow calls C through the runtime. args are C's arguments and the result, one after the
// other. They need not escape: the goroutine's stack does not move while it is in the
// system call that a cgo call is.
func (s *Stub) Slow(args unsafe.Pointer) {
	if s.frame.fn == 0 {
		panic(fmt.Errorf("direct: %s is not bound yet: call the generated bind function first", s.Name))
	}
	frame := s.frame
	frame.args = args
	noCallback(true) // a callback could move this stack
	cgocallStack(*(*unsafe.Pointer)(unsafe.Pointer(&enterCPC)), uintptr(unsafe.Pointer(&frame)))
	noCallback(false)
	runtime.KeepAlive(frame)
}

// noCallback makes a callback a panic, as with #cgo nocallback.
//
//go:linkname noCallback runtime.cgoNoCallback
func noCallback(bool)

// As cgo calls it: with the address of a frame that may be on the stack.
//
//go:linkname cgocallStack runtime.cgocall
//go:noescape
func cgocallStack(fn unsafe.Pointer, arg uintptr) int32
