//go:build cgo

package main

import (
	"runtime/cgo"
	"slices"

	"github.com/wherrygo/wherry/handle"
	"github.com/wherrygo/wherry/internal/measure/probe"
)

// handles that C keeps for a Go value, by two packages of the same shape.
var handles = slices.Concat(
	table("cgo", cgo.NewHandle),
	table("wherry", handle.NewHandle),
)

// live is how many other handles there are in handle/million.
const live = 1_000_000

// table makes the scenarios of one package. Code is made for each type, so no
// method is called through an interface.
func table[H interface {
	comparable
	Value() any
	Delete()
}](variant string, create func(any) H) []probe.Scenario {
	value := &struct{ x int }{1}
	cycle := func(n int) bool {
		right := true
		for range n {
			h := create(value)
			right = right && h.Value() == any(value)
			h.Delete()
		}
		return right
	}
	var million []H
	return []probe.Scenario{
		{Bench: "handle/cycle", Variant: variant, What: "New, Value, Delete", Run: cycle},
		{Bench: "handle/value", Variant: variant, What: "Value", Run: func(n int) bool {
			h := create(value)
			defer h.Delete()
			right := true
			for range n {
				right = h.Value() == any(value) && right
			}
			return right
		}},
		{Bench: "handle/million", Variant: variant, What: "New, Value, Delete beside a million live ones", Alone: "million",
			Setup: func() {
				for range live {
					million = append(million, create(value))
				}
			},
			Run: func(n int) bool { return cycle(n) && len(million) == live }},
	}
}
