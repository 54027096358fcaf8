package stub

import (
	"go/ast"
	"strings"
)

// A value is a parameter or a result.
type value struct {
	Name, Type string
	words      []word
}

// A word is a scalar of it.
type word struct {
	suffix string // as `go vet` names it in assembly: _base, _len, _cap
	size   int
	float  bool
	signed bool
	unused bool // C does not get it
}

var scalars = map[string]word{
	"bool": {size: 1}, "uint8": {size: 1}, "byte": {size: 1}, "uint16": {size: 2}, "uint32": {size: 4},
	"uint64": {size: 8}, "uint": {size: 8}, "uintptr": {size: 8},
	"int8": {size: 1, signed: true}, "int16": {size: 2, signed: true}, "int32": {size: 4, signed: true}, "rune": {size: 4, signed: true},
	"int64": {size: 8, signed: true}, "int": {size: 8, signed: true},
	"float32": {size: 4, float: true}, "float64": {size: 8, float: true},
}

// wordsOf takes a type apart, or says why it cannot.
func wordsOf(e ast.Expr) (words []word, why string) {
	switch t := e.(type) {
	case *ast.StarExpr:
		return []word{{size: 8}}, ""
	case *ast.SelectorExpr:
		if text(t) == "unsafe.Pointer" {
			return []word{{size: 8}}, ""
		}
	case *ast.ArrayType:
		if t.Len == nil {
			return []word{{suffix: "_base", size: 8}, {suffix: "_len", size: 8}, {suffix: "_cap", size: 8, unused: true}}, ""
		}
		return nil, "arrays are passed by address: take a pointer to " + text(e)
	case *ast.Ident:
		if t.Name == "string" {
			return []word{{suffix: "_base", size: 8}, {suffix: "_len", size: 8}}, ""
		}
		if w, ok := scalars[t.Name]; ok {
			return []word{w}, ""
		}
	}
	return nil, "type " + text(e) + ": stubs pass Go's integers, floats, bool, pointers, strings and slices; use direct.Bind for others"
}

// An argument is a word with its places.
type argument struct {
	Load string // instruction
	From string // in assembly: name+offset(FP)
	To   string // register
}

// layout returns a function's words with their offsets, and the sizes of all.
func (f function) layout() (params, results []placed, size int) {
	at := 0
	place := func(values []value) (all []placed) {
		for _, v := range values {
			for _, w := range v.words {
				at = (at + w.size - 1) / w.size * w.size
				all = append(all, placed{w, v.Name + w.suffix, at})
				at += w.size
			}
		}
		return all
	}
	params = place(f.Params)
	if len(f.Results) > 0 {
		at = (at + 7) / 8 * 8
	}
	results = place(f.Results)
	return params, results, at
}

type placed struct {
	word
	name   string
	offset int
}

// Signature is the function's parameters and results, as Go writes them.
func (f function) Signature() string {
	var params []string
	for _, p := range f.Params {
		params = append(params, p.Name+" "+p.Type)
	}
	s := "(" + strings.Join(params, ", ") + ")"
	for _, r := range f.Results {
		s += " (" + r.Name + " " + r.Type + ")"
	}
	return s
}

// Arguments are the parameters' names, for a call.
func (f function) Arguments() string {
	var names []string
	for _, p := range f.Params {
		names = append(names, p.Name)
	}
	return strings.Join(names, ", ")
}

// ArgumentSize is the size of arguments and results on the stack.
func (f function) ArgumentSize() int {
	_, _, size := f.layout()
	return size
}

// NoEscape reports whether pointer arguments may stay on the goroutine's stack.
// Where C returns a pointer, it may point at what an argument points at, and
// then Go has to see that connection.
func (f function) NoEscape() bool {
	for _, r := range f.Results {
		if r.Type == "unsafe.Pointer" || strings.HasPrefix(r.Type, "*") {
			return false
		}
	}
	return true
}
