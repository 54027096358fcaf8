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
	memory, err := machine.OnStack().New(t)
	if err != nil {
		return slowCall{}, refused(t, err)
	}
	before, after := memory.Moves()
	c := slowCall{plan: plan, memory: memory,
		frame: slowFrame{fn: uintptr(fn), before: asMoves(before), after: asMoves(after), stack: uintptr(plan.Stack)}}
	if plan.Errno {
		if c.frame.errno, err = errnoOffset(); err != nil {
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
	return newBinding(c, made(t, c.call), 0), nil
}

// newBinding returns the word of a func value: a binding's address, or slow.
func newBinding(c slowCall, slow unsafe.Pointer, flags abi.Flags) unsafe.Pointer {
	if fast() != nil || !c.plan.Fits() {
		return slow
	}
	b := &binding{code: entries.Straight, enter: entries.Enter, slow: slow,
		call: call{fn: c.frame.fn, stack: uintptr(c.plan.Stack), errno: c.frame.errno}}
	if c.plan.Few() {
		b.code = entries.StraightFew
	}
	if c.frame.errno != 0 {
		b.code, b.enter = entries.StraightErrno, entries.EnterFull
	}
	by := &b.code // what calls C
	pointers := c.plan.Kept()
	switch {
	case !c.plan.Straight():
		before, after := c.plan.Moves()
		b.before, b.after = asMoves(append(pointers, before...)), asMoves(after)
		b.code, b.enter = generalPC, entries.EnterFull
		by = &b.enter
	case turns() && len(pointers) > 0:
		b.code = keptPC
		by = &b.enter
		for _, m := range pointers {
			b.pointers[(m.From-abi.GoInts)/8] = ^uintptr(0)
		}
	}
	if turns() {
		b.call.fn = entries.data(c.frame.fn, *by, flags)
	}
	return unsafe.Pointer(b)
}

// calls are the addresses of what calls C. The first three are the code of funcs.
type calls struct{ Straight, StraightFew, StraightErrno, Enter, EnterFull uintptr }

// entries are zenter_ARCH.s's, or package turning's: such a call may turn into a cgo call
// while it runs. Those find what is known about the
// calls of fn, which their code by makes, in the place of fn.
var entries = struct {
	calls
	data func(fn, by uintptr, flags abi.Flags) uintptr
}{calls: calls{straightPC, straightFewPC, straightErrnoPC, enterPC, enterFullPC}}

// turns reports whether calls may turn into cgo calls.
func turns() bool { return entries.data != nil }

func bindReentrant(t reflect.Type, fn unsafe.Pointer) (unsafe.Pointer, error) {
	c, err := newSlowCall(t, fn)
	if err != nil {
		return nil, err
	}
	c.reentrant = turns()
	slow := made(t, c.call)
	if turns() && c.plan.Straight() && c.plan.Stack == 0 && !c.plan.Errno {
		return newBinding(c, slow, abi.OwnStack), nil
	}
	return slow, nil
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
