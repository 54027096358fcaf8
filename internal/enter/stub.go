// Package enter holds the assembly that enters C and comes back, one file for
// each way and architecture, and the little Go that puts names and offsets
// into it.
package enter

import (
	"fmt"
	"strconv"

	"github.com/wherrygo/wherry/internal/guard"
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
	Guard     *Guard
}

// Reentrant makes a stub that enters on a C stack.
type Reentrant struct {
	Refill string // the Go function to go to when the thread has no stack
	Name   string // of the C function, for messages
	Order  int    // the C stack has at least 1 << Order bytes; 0: any will do
}

// Guard makes a direct stub that times some of its calls (internal/guard).
type Guard struct {
	Demoted string // the Go function to go to while the function is on cgo
	ByCgo   string // the C function that it calls by cgo, which is made here
	Wrapper string // cgo's own, in its place
	Name    string // of the C function, for messages
	Package string // import path
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
	keep := func(more string) func(string) bool {
		return func(tag string) bool {
			switch tag {
			case "GUARD", "TIMED":
				return tag == more
			case "GUARDED":
				return s.Guard != nil
			case "SIZED":
				return s.Reentrant != nil && s.Reentrant.Order > 0
			case "CHECK":
				// The stub checked before it came to its timed twin. One that yielded
				// there would leave its thread's counter negative, and the next call
				// make it positive: a direct call of a function that is demoted.
				return s.Yield != "" && more != "TIMED"
			}
			return hasArgument(tag, s.Integers)
		}
	}
	if s.Guard == nil {
		return fill(file+goarch+".gas", goarch, words, offsets, keep(""))
	}
	words["DEMOTED"], words["NAME"], words["PACKAGE"] = s.Guard.Demoted, s.Guard.Name, s.Guard.Package
	words["BY_CGO"], words["WRAPPER"] = s.Guard.ByCgo, s.Guard.Wrapper
	words["FUNCTION"], words["RECORD"], words["TIMED_STUB"] = s.Target, s.GuardRecord(), s.Symbol+"_timed"
	words["SLOT"] = strconv.FormatInt(guard.Slot(s.Symbol), 10)
	lines, err := fill(file+goarch+".gas", goarch, words, offsets, keep("GUARD"))
	if err != nil {
		return nil, err
	}
	words["STUB"], words["TARGET"] = words["TIMED_STUB"], "_wherry_guard_timed"
	timed, err := fill(file+goarch+".gas", goarch, words, offsets, keep("TIMED"))
	return append(lines, timed...), err
}

// GuardRecord is the symbol of a guarded stub's data, a guard of internal/guard.
func (s Stub) GuardRecord() string { return s.Symbol + "_guard" }

// Timed gives what all guarded stubs share.
func Timed(goarch string, offsets rt.Offsets) ([]string, error) {
	return fill("timed_"+goarch+".gas", goarch, nil, offsets, func(string) bool { return true })
}
