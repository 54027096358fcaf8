package accel

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/wherrygo/wherry/internal/cstack"
	"github.com/wherrygo/wherry/internal/enter"
	"github.com/wherrygo/wherry/internal/policy"
)

// For each direct function wherry adds a twin to the C file that holds cgo's
// wrapper: the wrapper's own body once more, so that it means the same, but
//   - without asking the runtime where the goroutine's stack is, since a
//     direct call cannot move it, and
//   - where all values are scalars, taking them in registers. gcc sees
//     through the frame on C's stack and leaves nothing of it.
//
// In a reentrant call the goroutine's stack can move while Go runs. A frame
// that is there is found again by the stack pointer in the record.
// All names are such that the package's macros cannot hit them (macros.go).
// Then the assembly that Go calls and that calls the twin.

// wrapperPattern finds the wrappers in a C file that cgo wrote. Their text is
// one function at the left margin; the body between the braces is not read.
var wrapperPattern = regexp.MustCompile(`(?m)^(?:CGO_NO_SANITIZE_THREAD\n)?(void|int)[ \n](_cgo_[0-9a-f]+_(?:Cfunc|C2func|Cmacro)_\w+)\(void \*v\)(?:\n| )\{\n((?:[^}\n].*\n|\n)*)\}\n`)

// A wrapper is the text of one of cgo's wrappers in a C file.
type wrapper struct {
	path   string // of the file
	head   string // up to its opening brace
	result string // void or int
	body   string // between the braces
}

// findWrappers lists the wrappers in a C file by their symbols.
func findWrappers(path, text string, found map[string]wrapper) {
	for _, m := range wrapperPattern.FindAllStringSubmatch(text, -1) {
		found[m[2]] = wrapper{path, strings.TrimSuffix(m[0], m[3]+"}\n"), m[1], m[3]}
	}
}

// stubSymbol and twinSymbol name what is added for a wrapper.
func stubSymbol(wrapper string) string { return "_wherry_direct" + strings.TrimPrefix(wrapper, "_cgo") }
func yieldSymbol(wrapper string) string {
	return "_wherry_yield" + strings.TrimPrefix(wrapper, "_cgo")
}
func refillSymbol(wrapper string) string {
	return "_wherry_refill" + strings.TrimPrefix(wrapper, "_cgo")
}
func demotedSymbol(wrapper string) string {
	return "_wherry_demoted" + strings.TrimPrefix(wrapper, "_cgo")
}
func byCgoSymbol(wrapper string) string {
	return "_wherry_by_cgo" + strings.TrimPrefix(wrapper, "_cgo")
}
func twinSymbol(wrapper string) string { return "_wherry_twin" + strings.TrimPrefix(wrapper, "_cgo") }

// stub describes the assembly that calls a wrapper's twin. sig is nil when the
// function keeps cgo's frame.
func (f *function) stub(call *plannedCall, sig *signature, pkg string) enter.Stub {
	stub := enter.Stub{Symbol: stubSymbol(f.symbol), Target: twinSymbol(f.symbol), Integers: 1}
	if sig != nil {
		stub.Integers, stub.Yield = sig.integers(), yieldSymbol(f.symbol)
	}
	switch policy.Mode(call.Mode) {
	case policy.Guarded:
		stub.Guard = &enter.Guard{Demoted: demotedSymbol(f.symbol), ByCgo: byCgoSymbol(f.symbol), Wrapper: f.symbol, Name: f.name, Package: pkg}
	case policy.Reentrant:
		stub.Yield = yieldSymbol(f.symbol)
		stub.Reentrant = &enter.Reentrant{Refill: refillSymbol(f.symbol), Name: f.name, Order: cstack.Order(call.Stack)}
	}
	return stub
}

// A namedStub is a stub with the C function that it calls in the end.
type namedStub struct {
	enter.Stub
	name string
}

// assemble gives a stub, and between it and the C function the watchdog in a
// build that has one.
func (c *Config) assemble(stub enter.Stub, name, pkg string) ([]string, error) {
	if !c.Watchdog || stub.Reentrant != nil {
		return stub.Assembly(c.GoArch, c.Offsets)
	}
	watch := enter.Watch{Symbol: "_wherry_watch" + strings.TrimPrefix(stub.Target, "_wherry_twin"), Target: stub.Target, Name: name, Package: pkg}
	stub.Target = watch.Symbol
	lines, err := stub.Assembly(c.GoArch, c.Offsets)
	if err != nil {
		return nil, err
	}
	more, err := watch.Assembly(c.GoArch, c.Offsets)
	return append(lines, more...), err
}

// twin gives the C text of the twin.
func twin(wrapper, result, body string, sig *signature, reentrant bool) string {
	var c strings.Builder
	frameFunc := twinSymbol(wrapper)
	storage := `__attribute__((__visibility__("hidden"), __used__, __noinline__))`
	if sig != nil {
		frameFunc = "_wherry_frame" + strings.TrimPrefix(wrapper, "_cgo")
		storage = "static __inline__ __attribute__((__always_inline__))"
	}
	top := "((char *)v)"
	if reentrant && sig == nil {
		c.WriteString(unmacroed(threadDeclaration))
		top = fmt.Sprintf("((char *)_wherry_thread._wherry_active[%d])", cstack.Layout()["REC_GOSP"]/8)
	}
	fmt.Fprintf(&c, "\n#define _cgo_topofstack() %s\n", top)
	c.WriteString(unmacroed(fmt.Sprintf("%s %s %s(void *v);\n%s %s %s(void *v)\n", storage, result, frameFunc, storage, result, frameFunc)))
	fmt.Fprintf(&c, "{\n%s}\n", body)
	fmt.Fprintf(&c, "#undef _cgo_topofstack\n")
	if sig != nil {
		c.WriteString(unmacroed(registerTwin(wrapper, frameFunc, sig)))
	}
	return c.String()
}

// registerTwin writes the function that takes its arguments in registers. Go
// leaves the upper part of a register undefined when a value is smaller, so
// integers are taken as whole registers and only their low bytes are copied
// into the frame (both architectures are little-endian).
func registerTwin(wrapper, frameFunc string, sig *signature) string {
	var c strings.Builder
	params, result, size := sig.offsets()
	returns := "void"
	if sig.result != nil {
		returns = carrier(*sig.result)
	}
	var declared []string
	for i, p := range sig.params {
		declared = append(declared, fmt.Sprintf("%s _wherry_p%d", carrier(p), i))
	}
	if len(declared) == 0 {
		declared = []string{"void"}
	}
	head := fmt.Sprintf(`__attribute__((__visibility__("hidden"), __used__, __noinline__)) %s %s(%s)`, returns, twinSymbol(wrapper), strings.Join(declared, ", "))
	fmt.Fprintf(&c, "%s;\n%s\n{\n", head, head)
	fmt.Fprintf(&c, "\tchar _wherry_f[%d] __attribute__((__aligned__(8)));\n", max(size, 8))
	if sig.result != nil {
		fmt.Fprintf(&c, "\t%s _wherry_r = 0;\n", returns)
	}
	for i, p := range sig.params {
		fmt.Fprintf(&c, "\t__builtin_memcpy(_wherry_f + %d, &_wherry_p%d, %d);\n", params[i], i, p.size)
	}
	fmt.Fprintf(&c, "\t%s(_wherry_f);\n", frameFunc)
	if sig.result != nil {
		fmt.Fprintf(&c, "\t__builtin_memcpy(&_wherry_r, _wherry_f + %d, %d);\n\treturn _wherry_r;\n", result, sig.result.size)
	}
	c.WriteString("}\n")
	return c.String()
}

func carrier(v value) string {
	switch {
	case v.float && v.size == 4:
		return "float"
	case v.float:
		return "double"
	}
	return "unsigned long long"
}
