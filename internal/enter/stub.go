// Package enter holds the assembly that enters C and comes back, one file for
// each way and architecture, and the little Go that puts names and offsets
// into it.
package enter

import (
	"fmt"
	"strconv"

	"github.com/wherrygo/wherry/internal/rt"
)

// A Stub is the call of one C function.
type Stub struct {
	Symbol    string // the stub, which Go calls in its register ABI
	Target    string // the C function, in the same link unit
	Integers  int    // integer and pointer arguments
	Yield     string // the Go function to go to when the goroutine is to be preempted, or ""
	Shared    bool   // several objects define the same stub
	Reentrant *Reentrant
}

// Reentrant makes a stub that enters on a C stack.
type Reentrant struct {
	Refill string // the Go function to go to when the thread has no stack
	Name   string // of the C function, for messages
	Order  int    // the C stack has at least 1 << Order bytes; 0: any will do
}

// MaxIntegers and MaxFloats are how many arguments a stub passes: those that
// both Go and C pass in registers.
func MaxIntegers(goarch string) int {
	if goarch == "amd64" {
		return 6
	}
	return 8
}

const MaxFloats = 8

// Assembly gives the stub as lines for an assembler of GNU syntax.
func (s Stub) Assembly(goarch string, offsets rt.Offsets) ([]string, error) {
	if s.Integers > MaxIntegers(goarch) {
		return nil, fmt.Errorf("enter: %s has %d integer arguments, want at most %d", s.Symbol, s.Integers, MaxIntegers(goarch))
	}
	words := map[string]string{"STUB": s.Symbol, "TARGET": s.Target, "YIELD": s.Yield, "GLOBAL": "globl"}
	if s.Shared {
		words["GLOBAL"] = "weak"
	}
	file := "direct_"
	if s.Reentrant != nil {
		file = "reentrant_"
		words["REFILL"], words["NAME"], words["ORDER"] = s.Reentrant.Refill, s.Reentrant.Name, strconv.Itoa(s.Reentrant.Order)
	}
	return fill(file+goarch+".gas", goarch, words, offsets, func(tag string) bool {
		sized := s.Reentrant != nil && s.Reentrant.Order > 0
		return (tag != "CHECK" || s.Yield != "") && (tag != "SIZED" || sized) && hasArgument(tag, s.Integers)
	})
}
