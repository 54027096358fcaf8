package main

/*
static int add(int a, int b) { return a + b; }
static void *address(void) { return (void *)add; }
*/
import "C"

import (
	"github.com/ebitengine/purego"

	"github.com/wherrygo/wherry/internal/measure/probe"
)

const mask = 0xffff

// calls of a C function that adds two ints.
var calls = []probe.Scenario{
	{Bench: "call/add", Variant: "cgo", What: "two ints", Run: func(n int) bool {
		s := C.int(0)
		for range n {
			s = C.add(s, 1) & mask
		}
		return s == C.int(n&mask)
	}},
	{Bench: "call/add", Variant: "purego", What: "two ints", Run: func(n int) bool {
		var add func(a, b int32) int32
		purego.RegisterFunc(&add, uintptr(C.address()))
		s := int32(0)
		for range n {
			s = add(s, 1) & mask
		}
		return s == int32(n&mask)
	}},
}
