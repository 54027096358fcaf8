package gen

import (
	"fmt"
	"go/ast"
	"slices"
	"strings"
)

// A value is a parameter or a result.
type value struct {
	Name, Type string
	kind       kind
}

// A kind is how a value becomes words for C.
type kind int

const (
	word    kind = iota // as it is
	widened             // an integer of less than 32 bits
	boolean
	pointer
	stringKind // address and length
	sliceKind  // likewise
	invalid    // C knows no such thing
)

// widths are the types that C wants widened.
var widths = map[string]string{"int8": "int32", "int16": "int32", "uint8": "uint32", "byte": "uint32", "uint16": "uint32", "bool": "uint32"}

var words = []string{"uint32", "uint64", "uint", "uintptr", "int32", "rune", "int64", "int", "float32", "float64"}

// kindOf returns what a type is to C, or says why it is nothing.
func kindOf(e ast.Expr) (k kind, why string) {
	if imported := importedType(e); imported != "" {
		return invalid, "type " + source(e) + ": stubs know no package but unsafe; pass an unsafe.Pointer, or use direct.Bind"
	}
	switch t := e.(type) {
	case *ast.StarExpr:
		return pointer, ""
	case *ast.SelectorExpr:
		if source(t) == "unsafe.Pointer" {
			return pointer, ""
		}
	case *ast.ArrayType:
		if t.Len == nil {
			return sliceKind, ""
		}
		return invalid, "arrays are passed by address: take a pointer to " + source(e)
	case *ast.Ident:
		switch {
		case t.Name == "string":
			return stringKind, ""
		case t.Name == "bool":
			return boolean, ""
		case widths[t.Name] != "":
			return widened, ""
		case slices.Contains(words, t.Name):
			return word, ""
		}
	}
	return invalid, "type " + source(e) + ": stubs pass Go's integers, floats, bool, pointers, strings and slices; use direct.Bind for others"
}

// importedType returns a type of another package that e names, or "".
func importedType(e ast.Expr) (name string) {
	ast.Inspect(e, func(node ast.Node) bool {
		if selector, ok := node.(*ast.SelectorExpr); ok && source(selector) != "unsafe.Pointer" {
			name = source(selector)
		}
		return true
	})
	return name
}

// A passed is a word that C gets, with the expression for it.
type passed struct{ Name, Type, from string }

// Words are what C gets.
func (f function) Words() (all []passed) {
	hide := "%s"
	if f.noEscape() {
		hide = "direct.NoEscape(%s)"
	}
	address := func(v value, call string) string { return fmt.Sprintf(hide, fmt.Sprintf(call, v.Name)) }
	for _, v := range f.Params {
		length := passed{f.fresh(v.Name + "Len"), "int", "len(" + v.Name + ")"}
		switch v.kind {
		case stringKind:
			all = append(all, passed{v.Name, "*byte", address(v, "unsafe.StringData(%s)")}, length)
		case sliceKind:
			all = append(all, passed{v.Name, "*" + strings.TrimPrefix(v.Type, "[]"), address(v, "unsafe.SliceData(%s)")}, length)
		case pointer:
			if v.Type == "unsafe.Pointer" {
				all = append(all, passed{v.Name, "*byte", address(v, "(*byte)(%s)")})
				continue
			}
			all = append(all, passed{v.Name, v.Type, address(v, "%s")})
		case widened:
			all = append(all, passed{v.Name, widths[v.Type], widths[v.Type] + "(" + v.Name + ")"})
		case boolean:
			all = append(all, passed{v.Name, widths[v.Type], "direct.Word(" + v.Name + ")"})
		default:
			all = append(all, passed{v.Name, v.Type, v.Name})
		}
	}
	return all
}

// fresh returns a name that no parameter has.
func (f function) fresh(name string) string {
	for slices.ContainsFunc(slices.Concat(f.Params, f.Results), func(v value) bool { return v.Name == name }) {
		name += "_"
	}
	return name
}

// Signature is the function's parameters and results, as Go writes them.
func (f function) Signature() string {
	var params []string
	for _, p := range f.Params {
		params = append(params, p.Name+" "+p.Type)
	}
	return f.signature(params)
}

// WordSignature is the same of what C gets.
func (f function) WordSignature() string {
	var params []string
	for _, w := range f.Words() {
		params = append(params, w.Name+" "+w.Type)
	}
	return f.signature(params)
}

func (f function) signature(params []string) string {
	s := "(" + strings.Join(params, ", ") + ")"
	for _, r := range f.Results {
		s += " (" + r.Name + " " + r.Type + ")"
	}
	return s
}

// Arguments are what C gets, for a call.
func (f function) Arguments() string {
	var all []string
	for _, w := range f.Words() {
		all = append(all, w.from)
	}
	return strings.Join(all, ", ")
}

// noEscape reports whether pointer arguments may stay on the goroutine's stack.
// Where C returns a pointer, it may point at what an argument points at, and
// then Go has to see that connection.
func (f function) noEscape() bool {
	for _, r := range f.Results {
		if r.kind == pointer {
			return false
		}
	}
	return true
}
