//go:build linux && cgo && (amd64 || arm64)

package direct

import (
	"reflect"
	"runtime"
	"sync"
	"unsafe"

	"github.com/wherrygo/wherry/internal/crossing/abi"
)

// A slowCall calls C by reflection and runtime.cgocall, or on a C stack. Bound funcs come here
// when the fast path is not supported, and when the goroutine is to be
// preempted: by then Go's own code has done that.
type slowCall struct {
	plan      *abi.Plan
	memory    *abi.Plan // with arguments and results in memory
	frame     slowFrame // but for args
	reentrant bool
}

// A slowFrame is enterC's argument.
type slowFrame struct {
	fn, errno uintptr
	before    []move
	after     []move
	args      unsafe.Pointer // and results
	stack     uintptr        // bytes of C's stack arguments
}

// The runtime keeps this name for packages outside.
//
//go:linkname cgocall runtime.cgocall
func cgocall(fn, arg unsafe.Pointer) int32

func (c slowCall) call(args []reflect.Value) []reflect.Value {
	words := make([]uint64, c.memory.Size()/8)
	frame := c.frame
	frame.args = unsafe.Pointer(unsafe.SliceData(words))
	for i, arg := range args {
		value := reflect.New(arg.Type())
		value.Elem().Set(arg)
		copyValue(unsafe.Add(frame.args, c.memory.Args[i].Offset()), value.UnsafePointer(), arg.Type())
	}
	if c.reentrant {
		onStack()(unsafe.Pointer(&frame))
	} else {
		cgocall(*(*unsafe.Pointer)(unsafe.Pointer(&enterCPC)), unsafe.Pointer(&frame))
	}
	runtime.KeepAlive(args)
	var results []reflect.Value
	for _, result := range c.memory.Results {
		value := reflect.New(result.Type)
		copyValue(value.UnsafePointer(), unsafe.Add(frame.args, result.Offset()), result.Type)
		results = append(results, value.Elem())
	}
	return results
}

func copyValue(to, from unsafe.Pointer, t reflect.Type) {
	copy(unsafe.Slice((*byte)(to), t.Size()), unsafe.Slice((*byte)(from), t.Size()))
}

// onStack returns enterC as a func whose calls run on a C stack, where calls are turned.
var onStack = sync.OnceValue(func() func(frame unsafe.Pointer) {
	var f func(unsafe.Pointer)
	again := func(frame unsafe.Pointer) { f(frame) } // when the goroutine is to be preempted
	t := reflect.TypeOf(f)
	plan, err := machine.New(t)
	if err != nil {
		panic(err)
	}
	c := slowCall{plan: plan, frame: slowFrame{fn: enterCPC}}
	f = asFunc[func(unsafe.Pointer)](newBinding(c, t, *(*unsafe.Pointer)(unsafe.Pointer(&again)), abi.OwnStack))
	return f
})
