// Package rivals has scenarios of `wherry bench` by packages of others, as benchmarks, which
// the command measures when it runs in this repository.
package rivals

/*
static int add(int a, int b) { return a + b; }
static void *address(void) { return (void *)add; }
*/
import "C"

import (
	"github.com/ebitengine/purego"

	"github.com/wherrygo/wherry/internal/scenarios"
)

const mask = 0xffff

// calls of a C function that adds two ints.
var calls = []scenarios.Scenario{
	{Name: "add/way=purego", Run: func(n int) bool {
		var add func(a, b int32) int32
		purego.RegisterFunc(&add, uintptr(C.address()))
		s := int32(0)
		for range n {
			s = add(s, 1) & mask
		}
		return s == int32(n&mask)
	}},
}
