//go:build linux && (amd64 || arm64)

package direct

import (
	"fmt"
	"reflect"
	"runtime"
	"unsafe"
)

// A Stub is what the assembly that `wherry gen` writes finds about its C
// function. Only generated code uses it.
type Stub struct {
	fn         uintptr // 0: go to Slow; the assembly knows the first three fields
	vdsoSP     uintptr
	throwSplit uintptr
	frame      typedFrame
	Name       string // for messages
}

// A typedFrame is enterTyped's argument.
type typedFrame struct {
	fn     uintptr
	before []move
	after  []move
	args   unsafe.Pointer
	stack  uintptr
}

// BindStub makes a stub call the C function fn. F is the stub's type.
func BindStub[F any](s *Stub, fn unsafe.Pointer) error {
	return s.bind(reflect.TypeFor[F](), fn)
}

func (s *Stub) bind(t reflect.Type, fn unsafe.Pointer) error {
	c, err := newSlowCall(t, fn)
	if err != nil {
		return err
	}
	plan, err := machine.OnStack().New(t)
	if err != nil {
		return refused(t, err)
	}
	before, after := plan.Moves()
	s.frame = typedFrame{fn: c.fn, before: asMoves(before), after: asMoves(after), stack: uintptr(plan.Stack)}
	if offsets, err := fast(); err == nil {
		s.vdsoSP, s.throwSplit, s.fn = offsets.VdsoSP, offsets.ThrowSplit, c.fn
	}
	return nil
}

// Fast reports whether the stub calls C by itself.
func (s *Stub) Fast() bool { return s.fn != 0 }

// Slow calls C through the runtime. args are the stub's arguments and results
// as they lie on its stack. They need not escape: the goroutine's stack does
// not move while it is in the system call that a cgo call is.
func (s *Stub) Slow(args unsafe.Pointer) {
	if s.frame.fn == 0 {
		panic(fmt.Errorf("direct: %s is not bound yet: call the generated bind function first", s.Name))
	}
	frame := s.frame
	frame.args = args
	cgocallStack(*(*unsafe.Pointer)(unsafe.Pointer(&enterTypedPC)), uintptr(unsafe.Pointer(&frame)))
	runtime.KeepAlive(frame)
}

// As cgo calls it: with the address of a frame that may be on the stack.
//
//go:linkname cgocallStack runtime.cgocall
//go:noescape
func cgocallStack(fn unsafe.Pointer, arg uintptr) int32
