//go:build linux && cgo && (amd64 || arm64)

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
	crossing "github.com/wherrygo/wherry/internal/crossing/c"
	"github.com/wherrygo/wherry/internal/goruntime/running"
)

// A binding is what a bound func points at: a Go func value is a pointer to a
// struct whose first word is the address of its code, and the code gets the
// struct's address in a register. The assembly knows the fields.
type binding struct {
	code     uintptr
	call     call
	slow     unsafe.Pointer // a func of the same type
	enter    uintptr        // for all but straight: the assembly that calls C
	pointers [8]uintptr     // for kept: which of the integer arguments are pointers
	before   []move
	after    []move
}

// A call is what the assembly that calls C knows of it, with one word before it.
type call struct {
	fn    uintptr // the call's data
	stack uintptr // bytes of C's stack arguments
	errno uintptr // where errno is from the thread pointer, or 0
}

var _ = [1]struct{}{}[unsafe.Offsetof(binding{}.call)+unsafe.Offsetof(call{}.fn)-abi.BindingFn|
	unsafe.Offsetof(binding{}.call)+unsafe.Offsetof(call{}.stack)-abi.BindingStack|
	unsafe.Offsetof(binding{}.call)+unsafe.Offsetof(call{}.errno)-abi.BindingErrno|unsafe.Offsetof(binding{}.slow)-abi.BindingSlow]

type move abi.Move

var machine = abi.ForArch(runtime.GOARCH)

// newSlowCall checks what all calls need.
func newSlowCall(t reflect.Type, fn unsafe.Pointer) (slowCall, error) {
	plan, err := machine.New(t)
	switch {
	case err != nil:
	case fn == nil:
		err = errors.New("the C function is NULL")
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
		c.frame.errno = errnoOffset()
	}
	return c, nil
}

// errnoOffset returns where errno is from the pointer of each thread.
var errnoOffset = sync.OnceValue(loader.ErrnoOffset)

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
	return newBinding(c, t, made(t, c.call), 0), nil
}

// bound are the addresses of what calls C.
var bound = sync.OnceValue(crossing.Bound)

// newBinding returns the word of a func value: a binding's address, or slow.
func newBinding(c slowCall, t reflect.Type, slow unsafe.Pointer, flags abi.Flags) unsafe.Pointer {
	if fast() != nil || !c.plan.Fits() {
		return slow
	}
	calls := bound()
	b := &binding{code: calls.Straight, enter: calls.Enter, slow: slow,
		call: call{stack: uintptr(c.plan.Stack), errno: c.frame.errno}}
	if c.plan.Few() {
		b.code = calls.StraightFew
	}
	if c.frame.errno != 0 {
		b.code, b.enter = calls.StraightErrno, calls.EnterFull
	}
	by := &b.code // what calls C
	pointers := c.plan.Kept()
	switch {
	case t.NumIn() == 0 && t.NumOut() == 0:
		b.code, b.enter = startsPC, b.code
		by = &b.enter
	case !c.plan.Straight():
		before, after := c.plan.Moves()
		b.before, b.after = asMoves(append(pointers, before...)), asMoves(after)
		b.code, b.enter = generalPC, calls.EnterFull
		by = &b.enter
	case len(pointers) == 1 && pointers[0].From == abi.GoInts:
		b.code = keptFirstPC
		by = &b.enter
	case len(pointers) > 0:
		b.code = keptPC
		by = &b.enter
		for _, m := range pointers {
			b.pointers[(m.From-abi.GoInts)/8] = ^uintptr(0)
		}
	}
	b.call.fn = crossing.Data(crossing.Use{Fn: c.frame.fn, By: *by, Flags: flags})
	return unsafe.Pointer(b)
}

func bindReentrant(t reflect.Type, fn unsafe.Pointer) (unsafe.Pointer, error) {
	c, err := newSlowCall(t, fn)
	if err != nil {
		return nil, err
	}
	c.reentrant = fast() == nil
	slow := made(t, c.call)
	if c.reentrant && c.plan.Straight() && c.plan.Stack == 0 && !c.plan.Errno {
		return newBinding(c, t, slow, abi.OwnStack), nil
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
var fast = sync.OnceValue(func() error {
	if generalPC == 0 {
		return fmt.Errorf("%s is not tested", runtime.Version())
	}
	if err := running.Verify(); err != nil {
		return err
	}
	if !crossing.Turns() {
		return errors.New("the program has nothing that turns them")
	}
	return nil
})

// Supported returns nil if bound funcs are fast in this program, else an error
// with the reason.
func Supported() error {
	if err := fast(); err != nil {
		return fmt.Errorf("direct: calls are slow: %w", err)
	}
	return nil
}
