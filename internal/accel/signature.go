package accel

import (
	"go/ast"

	"github.com/wherrygo/wherry/internal/enter"
)

// A value is how one argument or result travels in registers.
type value struct {
	size  int64 // bytes
	float bool

	pointer bool
}

// A signature is that of a function whose arguments and result all travel in
// registers, in the same classes in Go and in C.
type signature struct {
	params []value
	result *value // nil: void
}

var basicTypes = map[string]value{
	"bool": {size: 1}, "int8": {size: 1}, "uint8": {size: 1}, "byte": {size: 1},
	"int16": {size: 2}, "uint16": {size: 2}, "int32": {size: 4}, "uint32": {size: 4},
	"int64": {size: 8}, "uint64": {size: 8}, "int": {size: 8}, "uint": {size: 8}, "uintptr": {size: 8},
	"float32": {size: 4, float: true}, "float64": {size: 8, float: true},
}

// signature gives the function's, or false when some type is no scalar or
// when there are more arguments than registers. Such functions keep cgo's
// argument frame, and only its address travels in a register.
func (g *gotypes) signature(f *function, goarch string) (signature, bool) {
	var sig signature
	for _, field := range f.decl.Type.Params.List {
		v, ok := g.scalar(field.Type)
		if !ok || len(field.Names) != 1 {
			return sig, false
		}
		sig.params = append(sig.params, v)
	}
	if sig.integers() > enter.MaxIntegers(goarch) || sig.floats() > enter.MaxFloats {
		return sig, false
	}
	results := f.decl.Type.Results
	if results.NumFields() > 1 || f.errno {
		return sig, false
	}
	if results.NumFields() == 1 && !isIdent(results.List[0].Type, "_Ctype_void") {
		v, ok := g.scalar(results.List[0].Type)
		if !ok || len(results.List[0].Names) != 1 { // cgo names it
			return sig, false
		}
		sig.result = &v
	}
	return sig, true
}

// scalar resolves a type to a register class by the declarations in the file.
func (g *gotypes) scalar(expr ast.Expr) (value, bool) {
	for range len(g.types) + 1 { // a chain of names is no longer than that
		switch t := expr.(type) {
		case *ast.StarExpr:
			return value{8, false, true}, true
		case *ast.SelectorExpr:
			return value{8, false, true}, isSelector(t, "unsafe", "Pointer")
		case *ast.Ident:
			if g.own[t.Name] {
				return value{}, false
			}
			declared, ok := g.types[t.Name]
			if !ok {
				v, ok := basicTypes[t.Name]
				return v, ok
			}
			expr = declared
		default:
			return value{}, false
		}
	}
	return value{}, false
}

func (s signature) floats() int {
	n := 0
	for _, p := range s.params {
		if p.float {
			n++
		}
	}
	return n
}

func (s signature) integers() int { return len(s.params) - s.floats() }

// offsets gives the place of each argument and of the result in cgo's frame,
// and the frame's size. It is the layout of Go's stack-based calling
// convention, which cgo mirrors in the struct that it writes into the wrapper:
// each value at a multiple of its size, the result from a whole word on.
func (s signature) offsets() (params []int64, result, size int64) {
	align := func(n, to int64) int64 { return (n + to - 1) / to * to }
	for _, p := range s.params {
		size = align(size, p.size)
		params = append(params, size)
		size += p.size
	}
	size = align(size, 8)
	result = size
	if s.result != nil {
		size += align(s.result.size, 8)
	}
	return params, result, size
}
