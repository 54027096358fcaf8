//go:build linux && cgo && (amd64 || arm64)

package callback

import (
	"fmt"
	"os"
	"reflect"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/wherrygo/wherry/internal/crossing/abi"
	crossing "github.com/wherrygo/wherry/internal/crossing/c"
)

// A Func is a Go func that C can call.
type Func struct {
	closure *crossing.Closure
	pointer uintptr
	f       any    // kept alive
	made    []byte // stack of New, in debug mode
}

// debugging: WHERRY_CALLBACK_DEBUG=1 keeps stacks, and never uses a pointer
// again.
var debugging = os.Getenv("WHERRY_CALLBACK_DEBUG") == "1"

// The table of all closures. A func must not be collected while C can reach it.
var table struct {
	sync.Mutex
	live  map[*crossing.Closure]*Func
	free  []place // the longest free first
	first int     // index of that in free
	gone  map[*crossing.Closure][2][]byte
}

// A place is an unused closure with its trampoline.
type place struct {
	closure *crossing.Closure
	pointer uintptr
}

// New makes f callable by C until Release. An error says which argument or
// result of f has no counterpart in C, or why there is no C in this program.
func New(f any) (*Func, error) {
	t := reflect.TypeOf(f)
	if t == nil || t.Kind() != reflect.Func || reflect.ValueOf(f).IsNil() {
		return nil, fmt.Errorf("callback: %T is no func", f)
	}
	plan, err := planFor(t)
	if err != nil {
		return nil, fmt.Errorf("callback: cannot make a C function of %v: %w", t, err)
	}
	c, code := &Func{f: f}, straightCode
	if !plan.straight {
		c.f = func(args *crossing.Args) { call(plan, reflect.ValueOf(f), args) }
		code = generalCode
	}
	if debugging {
		c.made = debug.Stack()
	}
	if err := c.take(code); err != nil {
		return nil, fmt.Errorf("callback: %w", err)
	}
	return c, nil
}

// take gives c a closure.
func (c *Func) take(code uintptr) error {
	table.Lock()
	defer table.Unlock()
	if table.first == len(table.free) {
		if err := grow(); err != nil {
			return err
		}
	}
	p := table.free[table.first]
	table.first++
	if table.first > 2*perRegion && table.first > len(table.free)/2 {
		table.free = append(table.free[:0], table.free[table.first:]...)
		table.first = 0
	}
	c.closure, c.pointer = p.closure, p.pointer
	c.closure.Func = (*[2]uintptr)(unsafe.Pointer(&c.f))[1]
	atomic.StoreUintptr(&c.closure.Code, code)
	table.live[c.closure] = c
	return nil
}

func grow() error {
	r, err := newRegion()
	if err != nil {
		return err
	}
	if table.live == nil {
		table.live, table.gone = map[*crossing.Closure]*Func{}, map[*crossing.Closure][2][]byte{}
	}
	for i := range r.closures {
		r.closures[i] = crossing.Closure{Code: releasedCode}
		table.free = append(table.free, place{&r.closures[i], r.code + uintptr(16*i)})
	}
	return nil
}

// Pointer is what C calls.
func (c *Func) Pointer() unsafe.Pointer { return *(*unsafe.Pointer)(unsafe.Pointer(&c.pointer)) }

// Release gives the pointer back. C must not call it any more: then the
// process ends with a message, until the pointer is used again for another
// callback, which happens as late as possible, and never with
// WHERRY_CALLBACK_DEBUG=1 in the environment. A second Release does nothing.
func (c *Func) Release() {
	table.Lock()
	defer table.Unlock()
	if table.live[c.closure] != c {
		return
	}
	delete(table.live, c.closure)
	atomic.StoreUintptr(&c.closure.Code, releasedCode)
	if debugging {
		table.gone[c.closure] = [2][]byte{c.made, debug.Stack()}
		return
	}
	table.free = append(table.free, place{c.closure, c.pointer})
}

// What trampolines jump to.
var straightCode, generalCode, releasedCode uintptr

func init() { straightCode, generalCode, releasedCode = crossing.Closures(enter) }

// enter is where C comes into Go, but for straight funcs from C stacks. Assembly has stored
// args, of which sanitizers know nothing.
//
//go:norace
func enter(args *crossing.Args) {
	f := unsafe.Pointer(&args.Closure.Func)
	switch atomic.LoadUintptr(&args.Closure.Code) {
	case straightCode:
		i, x := &args.Ints, &args.Floats
		args.RetInts[0], args.RetFloats[0] = (*(*straight)(f))(i[0], i[1], i[2], i[3], i[4], i[5], i[6], i[7],
			x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7])
	case generalCode:
		(*(*func(*crossing.Args))(f))(args)
	default:
		calledAfterRelease(args.Closure)
	}
}

// A straight func takes its arguments, whatever their types, from registers that C's pair up
// with. Called as this type it has them all, and room to spill them.
type straight func(_, _, _, _, _, _, _, _ uintptr, _, _, _, _, _, _, _, _ float64) (uintptr, float64)

func calledAfterRelease(closure *crossing.Closure) {
	table.Lock() // for good: the process ends
	stacks, ok := table.gone[closure]
	text := "; set WHERRY_CALLBACK_DEBUG=1 to see where"
	if ok {
		text = fmt.Sprintf("\n\nmade by:\n%s\nreleased by:\n%s", stacks[0], stacks[1])
	}
	fmt.Fprintf(os.Stderr, "callback: C called a function pointer that was released%s\n\ncalled by:\n%s", text, debug.Stack())
	os.Exit(2)
}

// A signature is what New knows about a func type.
type signature struct {
	*abi.Plan
	straight bool
}

var signatures sync.Map // reflect.Type to *signature

func planFor(t reflect.Type) (*signature, error) {
	if s, ok := signatures.Load(t); ok {
		return s.(*signature), nil
	}
	plan, err := abi.ForArch(runtime.GOARCH).New(t)
	if err == nil {
		err = plan.Callable()
	}
	if err == nil {
		err = supported()
	}
	if err != nil {
		return nil, err
	}
	s := &signature{plan, plan.StraightBack()}
	signatures.Store(t, s)
	return s, nil
}

func supported() error {
	if trampolinesPC == 0 || straightCode == 0 {
		return fmt.Errorf("%s is not tested; want Go 1.24 to 1.27", runtime.Version())
	}
	return nil
}

// call calls f by reflection, with what C passed. For sanitizers it is like enter.
//
//go:norace
func call(plan *signature, f reflect.Value, args *crossing.Args) {
	words := make([]uint64, (plan.Stack+abi.ImageSize)/8)
	image := unsafe.Pointer(&words[plan.Stack/8])
	for i, word := range unsafe.Slice(*(**uint64)(unsafe.Pointer(&args.Stack)), plan.Stack/8) {
		words[i] = word // copy is the runtime's, which sanitizers watch
	}
	*(*[8]uintptr)(unsafe.Add(image, abi.CInts)) = args.Ints
	*(*[8]float64)(unsafe.Add(image, abi.CFloats)) = args.Floats
	var in []reflect.Value
	for i, arg := range plan.Args {
		value := reflect.New(arg.Type)
		plan.FromC(i, image, value.UnsafePointer())
		in = append(in, value.Elem())
	}
	for _, result := range f.Call(in) {
		value := reflect.New(result.Type())
		value.Elem().Set(result)
		plan.ToC(value.UnsafePointer(), image)
	}
	args.RetInts = *(*[2]uintptr)(unsafe.Add(image, abi.RetInts))
	args.RetFloats = *(*[4]float64)(unsafe.Add(image, abi.RetFloats))
}
