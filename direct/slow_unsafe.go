//go:build linux && (amd64 || arm64)

package direct

import (
	"fmt"
	"reflect"
	"runtime"
	"sync"
	"unsafe"

	"github.com/wherrygo/wherry/internal/crossing/abi"
	"github.com/wherrygo/wherry/internal/crossing/reentrant"
)

// A slowCall calls C by reflection and runtime.cgocall, or on a C stack. Bound funcs come here
// when the fast path is not supported, and when the goroutine is to be
// preempted: by then Go's own code has done that.
type slowCall struct {
	plan      *abi.Plan
	fn, errno uintptr
	reentrant bool
}

// A slowFrame is enterC's argument.
type slowFrame struct {
	fn, errno uintptr
	image     unsafe.Pointer
	stack     uintptr
}

// The runtime keeps this name for packages outside.
//
//go:linkname cgocall runtime.cgocall
func cgocall(fn, arg unsafe.Pointer) int32

func (c slowCall) call(args []reflect.Value) []reflect.Value {
	words := make([]uint64, (c.plan.Stack+abi.ImageSize)/8)
	image := unsafe.Pointer(&words[c.plan.Stack/8])
	for i, arg := range args {
		value := reflect.New(arg.Type())
		value.Elem().Set(arg)
		for _, m := range c.plan.ArgMoves(i) {
			carry(m, value.UnsafePointer(), image)
		}
	}
	frame := &slowFrame{c.fn, c.errno, image, uintptr(c.plan.Stack)}
	if c.reentrant && turns() {
		onStack()(unsafe.Pointer(frame))
	} else if c.reentrant {
		if err := reentrant.Call(enterCPC, unsafe.Pointer(frame)); err != nil {
			panic(fmt.Errorf("direct: reentrant call: %w", err))
		}
	} else {
		cgocall(*(*unsafe.Pointer)(unsafe.Pointer(&enterCPC)), unsafe.Pointer(frame))
	}
	runtime.KeepAlive(args)
	var results []reflect.Value
	for i, result := range c.plan.Results {
		value := reflect.New(result.Type)
		for _, m := range c.plan.ResultMoves(i) {
			carry(m, image, value.UnsafePointer())
		}
		results = append(results, value.Elem())
	}
	return results
}

// onStack returns enterC as a func whose calls run on a C stack, where calls are turned.
var onStack = sync.OnceValue(func() func(frame unsafe.Pointer) {
	var f func(unsafe.Pointer)
	again := func(frame unsafe.Pointer) { f(frame) } // when the goroutine is to be preempted
	plan, err := machine.New(reflect.TypeOf(f))
	if err != nil {
		panic(err)
	}
	f = asFunc[func(unsafe.Pointer)](newBinding(slowCall{plan: plan, fn: enterCPC}, *(*unsafe.Pointer)(unsafe.Pointer(&again)), callsBack))
	return f
})

// carry does a move, as the assembly does it.
func carry(m abi.Move, from, to unsafe.Pointer) {
	from, to = unsafe.Add(from, m.From), unsafe.Add(to, m.To)
	var word uint64
	switch m.Load {
	case abi.Load8:
		word = *(*uint64)(from)
	case abi.Load4:
		word = uint64(*(*uint32)(from))
	case abi.Load4Signed:
		word = uint64(*(*int32)(from))
	case abi.Load2:
		word = uint64(*(*uint16)(from))
	case abi.Load2Signed:
		word = uint64(*(*int16)(from))
	case abi.Load1:
		word = uint64(*(*uint8)(from))
	case abi.Load1Signed:
		word = uint64(*(*int8)(from))
	}
	switch m.Store {
	case 8:
		*(*uint64)(to) = word
	case 4:
		*(*uint32)(to) = uint32(word)
	case 2:
		*(*uint16)(to) = uint16(word)
	case 1:
		*(*uint8)(to) = uint8(word)
	}
}
