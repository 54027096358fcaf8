//go:build cgo

package scenarios

import (
	"runtime/cgo"
	"slices"

	"github.com/wherrygo/wherry/handle"
)

// handles that C keeps for a Go value, by two packages of the same shape.
var handles = slices.Concat(table("cgo", cgo.NewHandle), table("wherry", handle.NewHandle))

// live is how many other handles there are in handle/million.
const live = 1_000_000

// table makes the scenarios of one package. Code is made for each type, so no
// method is called through an interface.
func table[H interface {
	comparable
	Value() any
	Delete()
}](way string, create func(any) H) []Scenario {
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
	return []Scenario{
		{Name: "cycle/way=" + way, Run: cycle},
		{Name: "value/way=" + way, Run: func(n int) bool {
			h := create(value)
			defer h.Delete()
			right := true
			for range n {
				right = h.Value() == any(value) && right
			}
			return right
		}},
		{Name: "million/way=" + way, Run: func(n int) bool { return cycle(n) && len(million) == live }, SetUp: func() {
			for len(million) < live {
				million = append(million, create(value))
			}
		}},
	}
}
