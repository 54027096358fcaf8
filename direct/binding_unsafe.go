//go:build linux && (amd64 || arm64)

package direct

//lint:file-ignore U1000 assembly uses what only seems unused

import (
	"errors"
	"fmt"
	"reflect"
	"runtime"
	"unsafe"

	"github.com/wherrygo/wherry/direct/internal/loader"
	"github.com/wherrygo/wherry/internal/abi"
	"github.com/wherrygo/wherry/internal/reentrant"
	"github.com/wherrygo/wherry/internal/rt/self"
)

// A binding is what a bound func points at: a Go func value is a pointer to a
// struct whose first word is the address of its code, and the code gets the
// struct's address in a register. The assembly knows the fields.
type binding struct {
	code       uintptr
	fn         uintptr
	slow       unsafe.Pointer // a func of the same type
	vdsoSP     uintptr        // offset in m
	throwSplit uintptr        // offset in g
	stack      uintptr        // bytes of C's stack arguments
	errno      uintptr        // __errno_location, or 0
	before     []move
	after      []move
}

type move abi.Move

// For the assembly, which finds them in go_asm.h.
const (
	goInts      = abi.GoInts
	goFloats    = abi.GoFloats
	cInts       = abi.CInts
	cFloats     = abi.CFloats
	retInts     = abi.RetInts
	retFloats   = abi.RetFloats
	retErrno    = abi.RetErrno
	bases       = abi.Bases
	imageSize   = abi.ImageSize
	load8       = abi.Load8
	load4       = abi.Load4
	load4Signed = abi.Load4Signed
	load2       = abi.Load2
	load2Signed = abi.Load2Signed
	load1       = abi.Load1
	load1Signed = abi.Load1Signed
)

//go:linkname iscgo runtime.iscgo
var iscgo bool

var errNoC = errors.New("the program has no C runtime; build with CGO_ENABLED=1, or import github.com/wherrygo/wherry/direct/purego")

var machine = abi.ForArch(runtime.GOARCH)

// newSlowCall checks what all calls need.
func newSlowCall(t reflect.Type, fn unsafe.Pointer) (slowCall, error) {
	plan, err := machine.New(t)
	switch {
	case err != nil:
	case fn == nil:
		err = errors.New("the C function is NULL")
	case !iscgo:
		err = errNoC
	}
	if err != nil {
		return slowCall{}, refused(t, err)
	}
	c := slowCall{plan: plan, fn: uintptr(fn)}
	if plan.Errno {
		if c.errno, err = loader.Errno(); err != nil {
			return slowCall{}, refused(t, err)
		}
	}
	return c, nil
}

// made returns the word of a func value that reflection makes.
func made(t reflect.Type, call func([]reflect.Value) []reflect.Value) unsafe.Pointer {
	f := reflect.MakeFunc(t, call).Interface()
	return (*[2]unsafe.Pointer)(unsafe.Pointer(&f))[1]
}

func bind(t reflect.Type, fn unsafe.Pointer) (unsafe.Pointer, error) {
	c, err := newSlowCall(t, fn)
	if err != nil {
		return nil, err
	}
	slow := made(t, c.call)
	offsets, err := fast()
	if err != nil {
		return slow, nil
	}
	b := &binding{code: straightPC, fn: c.fn, slow: slow, stack: uintptr(c.plan.Stack), errno: c.errno,
		vdsoSP: offsets.VdsoSP, throwSplit: offsets.ThrowSplit}
	if !c.plan.Straight() {
		b.code = generalPC
		before, after := c.plan.Moves()
		b.before, b.after = asMoves(before), asMoves(after)
	}
	return unsafe.Pointer(b), nil
}

func bindReentrant(t reflect.Type, fn unsafe.Pointer) (unsafe.Pointer, error) {
	c, err := newSlowCall(t, fn)
	if err != nil {
		return nil, err
	}
	c.reentrant = reentrant.Ready() == nil
	return made(t, c.call), nil
}

func asMoves(moves []abi.Move) []move {
	var own []move
	for _, m := range moves {
		own = append(own, move(m))
	}
	return own
}

func asFunc[F any](p unsafe.Pointer) F { return *(*F)(unsafe.Pointer(&p)) }

// fast returns the offsets if calls can be fast.
func fast() (self.Offsets, error) {
	if straightPC == 0 {
		return self.Offsets{}, fmt.Errorf("%s is not tested", runtime.Version())
	}
	return self.Load()
}

// Supported returns nil if bound funcs are fast in this program, else an error
// with the reason.
func Supported() error {
	if !iscgo {
		return fmt.Errorf("direct: %w", errNoC)
	}
	if _, err := fast(); err != nil {
		return fmt.Errorf("direct: calls are slow: %w", err)
	}
	return nil
}
