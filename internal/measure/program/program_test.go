//go:build cgo

package main

import (
	"slices"
	"testing"
)

var setUp = map[string]bool{}

// Each scenario, built plainly, finds its own result right, for even and odd
// numbers of operations, and beside others.
func TestScenarios(t *testing.T) {
	all := slices.Concat(calls, busyCalls, memory, callbacks, handoffs, handles, landmarks)
	seen := map[string]bool{}
	for _, s := range all {
		t.Run(s.Name(), func(t *testing.T) {
			if seen[s.Name()] || s.What == "" {
				t.Errorf("%s is there twice, or does not say what it does", s.Name())
			}
			seen[s.Name()] = true
			if s.Setup != nil {
				if testing.Short() {
					t.Skip("takes a second to set up")
				}
				if !setUp[s.Name()] { // what it makes is kept, also for -count=2
					s.Setup()
				}
				setUp[s.Name()] = true
			}
			before := 0
			if s.Total != nil {
				before = s.Total()
			}
			right := make(chan bool)
			for _, n := range []int{1, 2, 999, 1000} {
				go func() { right <- s.Run(n) }()
			}
			for range 4 {
				if !<-right {
					t.Error("wrong result")
				}
			}
			if s.Total != nil && s.Total()-before != 2002 {
				t.Errorf("got %d operations, want 2002", s.Total()-before)
			}
		})
	}
}
