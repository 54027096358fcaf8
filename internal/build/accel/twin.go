package accel

import (
	"cmp"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/wherrygo/wherry/internal/build/policy"
	"github.com/wherrygo/wherry/internal/crossing/enter"
	"github.com/wherrygo/wherry/internal/crossing/inflight"
)

// For each function that leaves cgo wherry adds a twin to the C file that holds
// cgo's wrapper: the wrapper's own body once more, so that it means the same.
// Where all values are scalars it takes them in registers; gcc sees through the
// frame on C's stack and leaves nothing of it. Otherwise it takes the address of
// cgo's frame on the goroutine's stack. Only a callback can move that stack, so there
// are two: one asks the runtime where it is, as cgo's wrapper does, the other not.
// Which is called is known when the package has been judged.
// All names are such that the package's macros cannot hit them (macros.go).

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

// Names of what is added for a wrapper.
func stubSymbol(wrapper string) string  { return "_wherry_call" + strings.TrimPrefix(wrapper, "_cgo") }
func yieldSymbol(wrapper string) string { return "_wherry_yield" + strings.TrimPrefix(wrapper, "_cgo") }
func twinSymbol(wrapper string) string  { return "_wherry_twin" + strings.TrimPrefix(wrapper, "_cgo") }
func stillSymbol(wrapper string) string { return "_wherry_still" + strings.TrimPrefix(wrapper, "_cgo") }

// stub describes the assembly that calls a wrapper's twin. sig is nil when the
// function keeps cgo's frame.
func (f *function) stub(call *plannedCall, sig *signature, pkg string) enter.Stub {
	stub := enter.Stub{Symbol: stubSymbol(f.symbol), Target: twinSymbol(f.symbol), Integers: 1, Name: f.name, Package: pkg}
	if sig != nil {
		integers, _ := sig.resultRegisters()
		stub.Integers, stub.Two, stub.Yield = sig.integers(), integers == 2, yieldSymbol(f.symbol)
	}
	if policy.Mode(call.Mode) == policy.Reentrant {
		stub.OnStack, stub.Order = true, inflight.Order(call.Stack)
		stub.Flags |= inflight.ByUser
	}
	if call.NoCallback {
		stub.Promised = cmp.Or(call.Promised, "its code, when it was built,")
		stub.Flags |= inflight.NoCallback
		if sig == nil {
			stub.Target = stillSymbol(f.symbol)
		}
	}
	return stub
}

// twin returns the C text of the twin, or of both.
func twin(wrapper, result, body string, sig *signature) string {
	const hidden = `__attribute__((__visibility__("hidden"), __used__, __noinline__))`
	define := func(storage, name string) string {
		return unmacroed(fmt.Sprintf("%s %s %s(void *v);\n%s %s %s(void *v)\n", storage, result, name, storage, result, name)) + fmt.Sprintf("{\n%s}\n", body)
	}
	const still = "\n#define _cgo_topofstack() ((char *)v)\n"
	if sig == nil {
		return define(hidden, twinSymbol(wrapper)) + still + define(hidden, stillSymbol(wrapper)) + "#undef _cgo_topofstack\n"
	}
	frameFunc := "_wherry_frame" + strings.TrimPrefix(wrapper, "_cgo")
	return still + define("static __inline__ __attribute__((__always_inline__))", frameFunc) + "#undef _cgo_topofstack\n" + unmacroed(registerTwin(wrapper, frameFunc, sig))
}

// registerTwin writes the function that takes its arguments in registers. Go
// leaves the upper part of a register undefined when a value is smaller, so
// integers are taken as whole registers and only their low bytes are copied
// into the frame (both architectures are little-endian).
func registerTwin(wrapper, frameFunc string, sig *signature) string {
	var c strings.Builder
	var declared []string
	for i, p := range sig.params {
		declared = append(declared, fmt.Sprintf("%s _wherry_p%d", carrier(p.value), i))
	}
	if len(declared) == 0 {
		declared = []string{"void"}
	}
	results := sig.carried()
	returns := "void"
	switch len(results) {
	case 0:
	case 1:
		returns = carrier(results[0].value)
	default: // a struct of two, which C returns in the registers that Go takes two results from
		returns = "_wherry_results" + strings.TrimPrefix(wrapper, "_cgo")
		fmt.Fprintf(&c, "typedef struct { %s _wherry_0; %s _wherry_1; } %s;\n", wide(results[0].value), wide(results[1].value), returns)
	}
	head := fmt.Sprintf(`__attribute__((__visibility__("hidden"), __used__, __noinline__)) %s %s(%s)`, returns, twinSymbol(wrapper), strings.Join(declared, ", "))
	fmt.Fprintf(&c, "%s;\n%s\n{\n", head, head)
	fmt.Fprintf(&c, "\tchar _wherry_f[%d] __attribute__((__aligned__(8)));\n", max(sig.size, 8))
	for i, p := range sig.params {
		fmt.Fprintf(&c, "\t__builtin_memcpy(_wherry_f + %d, &_wherry_p%d, %d);\n", p.offset, i, p.size)
	}
	if sig.errno {
		fmt.Fprintf(&c, "\tunsigned long long _wherry_e = (unsigned)%s(_wherry_f);\n", frameFunc)
	} else {
		fmt.Fprintf(&c, "\t%s(_wherry_f);\n", frameFunc)
	}
	for i, r := range results {
		if r.path == "" {
			fmt.Fprintf(&c, "\tunsigned long long _wherry_r%d = _wherry_e;\n", i)
			continue
		}
		declared := wide(r.value)
		if len(results) == 1 {
			declared = returns
		}
		fmt.Fprintf(&c, "\t%s _wherry_r%d = 0;\n\t__builtin_memcpy(&_wherry_r%d, _wherry_f + %d, %d);\n", declared, i, i, r.offset, r.size)
	}
	switch len(results) {
	case 1:
		c.WriteString("\treturn _wherry_r0;\n")
	case 2:
		fmt.Fprintf(&c, "\t%s _wherry_r = {_wherry_r0, _wherry_r1};\n\treturn _wherry_r;\n", returns)
	}
	c.WriteString("}\n")
	return c.String()
}

// carried lists the results, with errno as one that has no path.
func (s *signature) carried() []part {
	if !s.errno {
		return s.results
	}
	return append(slices.Clone(s.results), part{value: value{size: 8}})
}

func carrier(v value) string {
	if v.float && v.size == 4 {
		return "float"
	}
	return wide(v)
}

// wide is the type of a whole register. Two floats in a struct would share one.
func wide(v value) string {
	if v.float {
		return "double"
	}
	return "unsigned long long"
}

// promised says whose word it is that a function does not call back, if it is that of a
// rule. A line of a policy is named by what it says: where it stands may change, and the
// package is not built again.
func promised(rule *policy.Rule) string {
	switch {
	case rule == nil || rule.Mode != policy.NoCallback:
		return ""
	case rule.Directive:
		return directiveText(rule)
	}
	return fmt.Sprintf("the line \"%s %s %s\" of %s", rule.Package, rule.Glob, rule.Words(), filepath.Base(rule.File))
}

func directiveText(rule *policy.Rule) string {
	return fmt.Sprintf("//wherry:%s in %s:%d", rule.Words(), filepath.Base(rule.File), rule.Line)
}
