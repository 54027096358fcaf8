package enter

import "github.com/wherrygo/wherry/internal/rt"

// A Callback is the way of one exported Go function from a C stack into Go.
type Callback struct {
	Symbol   string // what C calls
	Target   string // the Go function, in the register ABI
	Integers int    // integer and pointer arguments
}

// Assembly gives the way in as lines for an assembler of GNU syntax.
func (c Callback) Assembly(goarch string, offsets rt.Offsets) ([]string, error) {
	words := map[string]string{"STUB": c.Symbol, "GOFUNC": c.Target, "GLOBAL": "globl"}
	return fill("callback_"+goarch+".gas", goarch, words, offsets, func(tag string) bool {
		return tag != "FRAME" && hasArgument(tag, c.Integers)
	})
}

// Shared gives what all callbacks share: the way in for the other exported
// functions, _wherry_crosscall, and the ends of callbacks and calls.
func Shared(goarch string, offsets rt.Offsets) ([]string, error) {
	words := map[string]string{"STUB": "_wherry_crosscall", "GLOBAL": "weak"}
	crosscall, err := fill("callback_"+goarch+".gas", goarch, words, offsets, func(tag string) bool {
		return tag != "REGISTERS" && hasArgument(tag, 0)
	})
	if err != nil {
		return nil, err
	}
	ends, err := fill("return_"+goarch+".gas", goarch, nil, offsets, func(string) bool { return true })
	return append(crosscall, ends...), err
}

// SharedGo gives the part of it that Go's own assembler compiles.
func SharedGo(goarch string, offsets rt.Offsets) ([]string, error) {
	return fill("callback_"+goarch+".goasm", goarch, nil, offsets, func(string) bool { return true })
}
