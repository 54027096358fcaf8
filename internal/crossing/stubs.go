package crossing

import (
	"fmt"
	"strings"

	"github.com/wherrygo/wherry/internal/crossing/abi"
)

// A Stub is the call of one C function: STUB of c/stub.h.
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
	OnStack  bool   // the call runs on a C stack from the first on
	Two      bool   // C returns two integers
}

// A Callback is the way of one exported Go function from a C stack into Go: CALLBACK of
// c/callback_ARCH.h.
type Callback struct {
	Symbol   string `json:"symbol"`   // what C calls
	Target   string `json:"target"`   // the Go function, in the register ABI
	Slow     string `json:"slow"`     // the C function that calls back through cgo's frame
	Integers int    `json:"integers"` // integer and pointer arguments
}

// MaxIntegers and MaxFloats are how many arguments both pass: those that Go and C pass in
// registers.
func MaxIntegers(goarch string) int {
	if goarch == "amd64" {
		return 6
	}
	return 8
}

const MaxFloats = 8

// Stubs returns the assembly of a package, for the C compiler. It includes Main's headers.
func Stubs(stubs []Stub, callbacks []Callback) string {
	var text strings.Builder
	text.WriteString("#include \"assembly.h\"\n")
	for _, s := range stubs {
		s.write(&text)
	}
	for _, c := range callbacks { // C's name may be that of a macro of the headers, or linux
		fmt.Fprintf(&text, "\tCALLBACK %q, %s, %d, slow=%s\n", c.Symbol, c.Target, c.Integers, c.Slow)
	}
	return text.String()
}

func (s Stub) write(text *strings.Builder) {
	fmt.Fprintf(text, "\tSTUB %s, %s, %d", s.Symbol, s.Target, s.Integers)
	start := ""
	if s.OnStack {
		start = "_wherry_on_stack"
	}
	for _, argument := range [][2]string{{"yield", s.Yield}, {"via", s.Via}, {"start", start}, {"turns", s.Turns}} {
		if argument[1] != "" {
			fmt.Fprintf(text, ", %s=%s", argument[0], argument[1])
		}
	}
	if s.Two {
		text.WriteString(", two=1")
	}
	fmt.Fprintf(text, ", flags=%d, order=%d\n", s.Flags, s.Order)
	fmt.Fprintf(text, "8:\t.asciz \"%s\"\n9:\t.asciz \"%s\\000%s\"\n\tEND_STUB\n", escape(s.Name), escape(s.Package), escape(s.Promised))
}

// escape writes text for a string of an assembler.
func escape(text string) string {
	return strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", " ").Replace(text)
}
