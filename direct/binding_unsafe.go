//go:build linux && (amd64 || arm64)

package direct

//lint:file-ignore U1000 assembly uses what only seems unused

import (
	"errors"
	"fmt"
	"reflect"
	"runtime"
	"sync"
	"unsafe"

	"github.com/wherrygo/wherry/direct/internal/loader"
	"github.com/wherrygo/wherry/internal/crossing/abi"
	"github.com/wherrygo/wherry/internal/crossing/reentrant"
	"github.com/wherrygo/wherry/internal/crossing/rt/self"
)

// A binding is what a bound func points at: a Go func value is a pointer to a
// struct whose first word is the address of its code, and the code gets the
// struct's address in a register. The assembly knows the fields.
type binding struct {
	code     uintptr
	call     call
	slow     unsafe.Pointer // a func of the same type
	enter    uintptr        // for kept and general: the assembly that calls C
	pointers [8]uintptr     // for kept: which of the integer arguments are pointers
	before   []move
	after    []move
}

// A call is what the assembly that calls C knows of it, with one word before it.
type call struct {
	fn    uintptr
	stack uintptr // bytes of C's stack arguments
	errno uintptr // where errno is from the thread pointer, or 0
}

var _ = [1]struct{}{}[unsafe.Offsetof(binding{}.call)+unsafe.Offsetof(call{}.fn)-abi.BindingFn|
	unsafe.Offsetof(binding{}.call)+unsafe.Offsetof(call{}.stack)-abi.BindingStack|
	unsafe.Offsetof(binding{}.call)+unsafe.Offsetof(call{}.errno)-abi.BindingErrno|unsafe.Offsetof(binding{}.slow)-abi.BindingSlow]

type move abi.Move

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
		if c.errno, err = errnoOffset(); err != nil {
			return slowCall{}, refused(t, err)
		}
	}
	return c, nil
}

// An errnoFrame is findErrno's argument.
type errnoFrame struct{ location, offset uintptr }

// errnoOffset returns where errno is from the pointer of each thread.
var errnoOffset = sync.OnceValues(func() (uintptr, error) {
	location, err := loader.Errno()
	if err != nil {
		return 0, err
	}
	frame := &errnoFrame{location: location}
	cgocall(*(*unsafe.Pointer)(unsafe.Pointer(&findErrnoPC)), unsafe.Pointer(frame))
	return frame.offset, nil
})

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
	return newBinding(c, made(t, c.call), entries.funcs), nil
}

// newBinding returns the word of a func value: a binding's address, or slow.
func newBinding(c slowCall, slow unsafe.Pointer, by calls) unsafe.Pointer {
	if fast() != nil || !c.plan.Fits() {
		return slow
	}
	b := &binding{code: by.Straight, slow: slow, call: call{fn: c.fn, stack: uintptr(c.plan.Stack), errno: c.errno}, enter: by.Enter}
	if c.errno != 0 {
		b.code, b.enter = by.StraightErrno, by.EnterFull
	}
	pointers := c.plan.Kept()
	switch {
	case !c.plan.Straight():
		before, after := c.plan.Moves()
		b.before, b.after = asMoves(append(pointers, before...)), asMoves(after)
		b.code, b.enter = generalPC, by.EnterFull
	case entries.turn && len(pointers) > 0:
		b.code = keptPC
		for _, m := range pointers {
			b.pointers[(m.From-abi.GoInts)/8] = ^uintptr(0)
		}
	}
	return unsafe.Pointer(b)
}

// calls are the addresses of what calls C. The first two are the code of funcs.
type calls struct{ Straight, StraightErrno, Enter, EnterFull uintptr }

var plain = calls{straightPC, straightErrnoPC, enterPC, enterFullPC}

// entries are zenter_ARCH.s's, or those that wherry build has linked into the program:
// such a call may turn into a cgo call while it runs. Stubs have their own, since what
// they pass may be on the goroutine's stack: C must not call back.
var entries = struct {
	funcs, stubs calls
	turn         bool
}{funcs: plain, stubs: plain}

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

// fast returns nil if calls can be fast.
func fast() error {
	if straightPC == 0 {
		return fmt.Errorf("%s is not tested", runtime.Version())
	}
	return self.Load()
}

// Supported returns nil if bound funcs are fast in this program, else an error
// with the reason.
func Supported() error {
	if !iscgo {
		return fmt.Errorf("direct: %w", errNoC)
	}
	if err := fast(); err != nil {
		return fmt.Errorf("direct: calls are slow: %w", err)
	}
	return nil
}
