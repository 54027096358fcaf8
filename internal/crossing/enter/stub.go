// Package enter holds the assembly that enters C and comes back, one file for
// each way and architecture, and the little Go that puts names and offsets
// into it.
package enter

import (
	"fmt"
	"maps"
	"strconv"
	"strings"

	"github.com/wherrygo/wherry/internal/crossing/abi"
)

// A Stub is the call of one C function.
type Stub struct {
	Symbol   string // the stub, which Go calls in its register ABI
	Target   string // the C function, in the same link unit
	Integers int    // integer and pointer arguments
	Yield    string // the Go function to go to when the goroutine is to be preempted, or ""
	Name     string // of the C function, for messages
	Package  string // import path
	Promised string // who says that the function does not call back, for a message
	Flags    abi.Flags
	Order    int    // a C stack has at least 1 << Order bytes; 0: any will do
	Turns    string // where turned calls are counted (package stat), or ""
	Via      string // the Go function that makes the call through cgo, or "": it is turned instead
	Shared   bool   // several objects define the same stub
	OnStack  bool   // the call runs on a C stack from the first on
	Two      bool   // C returns two integers
	bound    bool   // of a func that package direct makes, in these kinds:
	full     bool   // with stack arguments and errno
	wary     bool   // with a stack check
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

// Assembly returns the stub as lines for an assembler of GNU syntax.
func (s Stub) Assembly(goarch string, offsets Offsets) ([]string, error) {
	if s.Integers > MaxIntegers(goarch) {
		return nil, fmt.Errorf("enter: %s has %d integer arguments, want at most %d", s.Symbol, s.Integers, MaxIntegers(goarch))
	}
	lines, err := fill("call_"+goarch+".gas", goarch, s.words(goarch), offsets, s.keeps)
	if err != nil || s.bound {
		return lines, err
	}
	data, err := fill("data.gas", goarch, s.words(goarch), offsets, s.keeps)
	return append(lines, data...), err
}

func (s Stub) words(goarch string) map[string]string {
	words := map[string]string{"STUB": s.Symbol, "TARGET": s.Target, "YIELD": s.Yield,
		"CALL": s.Symbol + "_call", "START": s.Target,
		"NAME": s.Name, "PACKAGE": escape(s.Package) + `\000` + escape(s.Promised), "FLAGS": strconv.Itoa(int(s.Flags)),
		"ORDER": strconv.Itoa(s.Order)}
	maps.Copy(words, bindingNames(goarch))
	words["GLOBAL"], words["TURNS"], words["VIA"], words["AS_CGO"] = "globl", "0", "0", "_wherry_turn_first"
	if s.Turns != "" {
		words["TURNS"] = s.Turns
	}
	if s.Via != "" {
		words["VIA"], words["AS_CGO"] = s.Via, "_wherry_by_cgo"
	}
	words["OFF"] = words["AS_CGO"]
	if s.Flags&abi.Always != 0 && goarch == "amd64" { // the stub does not say which call it is
		words["OFF"] = "7b"
	}
	if s.Shared {
		words["GLOBAL"] = "weak"
	}
	if s.OnStack {
		words["START"] = "_wherry_on_stack"
	}
	return words
}

func (s Stub) keeps(tag string) bool {
	switch tag {
	case "SHORT", "OPEN": // where the flags say ALWAYS, and elsewhere; on amd64 alone the texts differ
		return !s.bound && (tag == "SHORT") == (s.Flags&abi.Always != 0)
	case "NAMED", "BOUND":
		return (tag == "BOUND") == s.bound
	case "FULL":
		return s.full
	case "WARY":
		return s.wary
	case "CHECK":
		return s.Yield != ""
	case "VIA":
		return s.Via != ""
	case "TWO":
		return s.Two
	}
	return hasArgument(tag, s.Integers)
}

// escape writes text for a string of an assembler.
func escape(text string) string {
	return strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", " ").Replace(text)
}
