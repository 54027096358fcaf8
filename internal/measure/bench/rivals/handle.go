package main

import (
	"slices"

	"github.com/wherrygo/wherry/internal/measure/bench/handles"
	"github.com/wherrygo/wherry/internal/measure/probe"
)

// tables give C a number for a Go value.
var tables = slices.Concat(
	table[handles.Cgo]("cgo"), // for the ratios
	table[handles.GoPointer]("go-pointer"),
	table[handles.CL600875]("cl600875"),
)

// table makes the scenarios of one, as package handle's and runtime/cgo's are.
func table[T interface {
	New(any) uintptr
	Value(uintptr) any
	Delete(uintptr)
}](variant string) []probe.Scenario {
	var t T
	value := &struct{ x int }{1}
	return []probe.Scenario{
		{Bench: "handle/cycle", Variant: variant, What: "New, Value, Delete", Run: func(n int) bool {
			right := true
			for range n {
				h := t.New(value)
				right = right && t.Value(h) == any(value)
				t.Delete(h)
			}
			return right
		}},
		{Bench: "handle/value", Variant: variant, What: "Value", Run: func(n int) bool {
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
