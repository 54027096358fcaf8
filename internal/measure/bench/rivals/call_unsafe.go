package main

/*
static int add(int a, int b) { return a + b; }
static void *address(void) { return (void *)add; }

// The argument of a frame: cgo's own convention.
struct frame { int a, b, sum; };
static void add_frame(struct frame *f) { f->sum = f->a + f->b; }
static void *frame_address(void) { return (void *)add_frame; }
*/
import "C"

import (
	"unsafe"

	"github.com/ebitengine/purego"

	"github.com/wherrygo/wherry/internal/measure/bench/rivals/frame"
	"github.com/wherrygo/wherry/internal/measure/probe"
)

const mask = 0xffff

// calls of a C function that adds two ints.
var calls = slicesOf(
	&probe.Scenario{Bench: "call/add", Variant: "cgo", What: "two ints", Run: func(n int) bool {
		s := C.int(0)
		for range n {
			s = C.add(s, 1) & mask
		}
		return s == C.int(n&mask)
	}},
	&probe.Scenario{Bench: "call/add", Variant: "purego", What: "two ints", Run: func(n int) bool {
		var add func(a, b int32) int32
		purego.RegisterFunc(&add, uintptr(C.address()))
		s := int32(0)
		for range n {
			s = add(s, 1) & mask
		}
		return s == int32(n&mask)
	}},
	frameScenario(),
)

// frameScenario is nil where frame has no assembly.
func frameScenario() *probe.Scenario {
	if !frame.Supported {
		return nil
	}
	return &probe.Scenario{Bench: "call/add", Variant: "frame-64k", What: "two ints", Run: func(n int) bool {
		f := struct{ a, b, sum int32 }{b: 1}
		function := uintptr(C.frame_address())
		for range n {
			frame.Call(function, unsafe.Pointer(&f))
			f.a = f.sum & mask
		}
		return f.a == int32(n&mask)
	}}
}

func slicesOf(scenarios ...*probe.Scenario) (list []probe.Scenario) {
	for _, s := range scenarios {
		if s != nil {
			list = append(list, *s)
		}
	}
	return list
}
