package rivals

import (
	"slices"
	"testing"

	"github.com/wherrygo/wherry/internal/scenarios"
	"github.com/wherrygo/wherry/lab/handles"
)

func BenchmarkCall(b *testing.B)   { scenarios.Benchmark(b, calls) }
func BenchmarkHandle(b *testing.B) { scenarios.Benchmark(b, tables) }

// tables give C a number for a Go value.
var tables = slices.Concat(table[handles.GoPointer]("go-pointer"), table[handles.CL600875]("cl600875"))

// table makes the scenarios of one, as package handle's and runtime/cgo's are.
func table[T interface {
	New(any) uintptr
	Value(uintptr) any
	Delete(uintptr)
}](way string) []scenarios.Scenario {
	var t T
	value := &struct{ x int }{1}
	return []scenarios.Scenario{
		{Name: "cycle/way=" + way, Run: func(n int) bool {
			right := true
			for range n {
				h := t.New(value)
				right = right && t.Value(h) == any(value)
				t.Delete(h)
			}
			return right
		}},
		{Name: "value/way=" + way, Run: func(n int) bool {
			h := t.New(value)
			defer t.Delete(h)
			right := true
			for range n {
				right = t.Value(h) == any(value) && right
			}
			return right
		}},
	}
}

func TestScenarios(t *testing.T) {
	for _, s := range slices.Concat(calls, tables) {
		for _, n := range []int{1, 2, 999, 1000} {
			if !s.Run(n) {
				t.Errorf("%s: wrong result of %d operations", s.Name, n)
			}
		}
	}
}
