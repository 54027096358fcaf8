package accel

import (
	"fmt"
	"go/ast"
	"strings"

	"github.com/wherrygo/wherry/internal/crossing"
)

// An export is an exported Go function of scalars.
type export struct {
	name      string // cgo's function: _cgoexp_HASH_NAME
	callee    string // as the package calls it
	types     []string
	result    string // its Go type, or ""
	signature signature
}

func (e *export) symbol(what string) string {
	return "_wherry_" + what + strings.TrimPrefix(e.name, "_cgoexp")
}

// exported returns the C names of the functions that the package exports.
func (g *gotypes) exported() map[string]bool {
	names := map[string]bool{}
	for _, decl := range g.file.Decls {
		if f, ok := decl.(*ast.FuncDecl); ok {
			if hashed, ok := strings.CutPrefix(f.Name.Name, "_cgoexp_"); ok {
				_, name, _ := strings.Cut(hashed, "_")
				names[name] = true
			}
		}
	}
	return names
}

// export understands
//
//	func _cgoexp_HASH_NAME(a *struct{ p0 T0; p1 T1; r0 R }) { a.r0 = NAME(a.p0, a.p1) }
//
// with or without a result, and gives nil for anything else.
func (g *gotypes) export(name, goarch string) *export {
	for _, decl := range g.file.Decls {
		f, ok := decl.(*ast.FuncDecl)
		if !ok || f.Name.Name != name || f.Recv != nil || f.Type.Params.NumFields() != 1 || f.Body == nil || len(f.Body.List) != 1 {
			continue
		}
		pointer, ok := f.Type.Params.List[0].Type.(*ast.StarExpr)
		if !ok {
			return nil
		}
		fields, ok := pointer.X.(*ast.StructType)
		if !ok {
			return nil
		}
		e := &export{name: name}
		for _, field := range fields.Fields.List {
			v, ok := g.scalar(field.Type)
			if !ok || len(field.Names) != 1 {
				return nil
			}
			switch field.Names[0].Name {
			case fmt.Sprintf("p%d", len(e.types)):
				e.types, e.signature.Params = append(e.types, g.source(field.Type)), append(e.signature.Params, part{Value: v})
			case "r0":
				e.result, e.signature.Results = g.source(field.Type), []part{{Value: v}}
			default:
				return nil // a receiver, or several results
			}
		}
		call := f.Body.List[0]
		want := "a.r0 = "
		if e.result == "" {
			want = ""
		}
		text, ok := strings.CutPrefix(g.source(call), want)
		if !ok {
			return nil
		}
		callee, args, ok := strings.Cut(text, "(")
		var wantArgs []string
		for i := range e.types {
			wantArgs = append(wantArgs, fmt.Sprintf("a.p%d", i))
		}
		if !ok || args != strings.Join(wantArgs, ", ")+")" || e.signature.integers() > crossing.MaxIntegers(goarch) ||
			e.signature.floats() > crossing.MaxFloats {
			return nil
		}
		e.callee = callee
		return e
	}
	return nil
}

// goFunction is the Go function that takes the arguments in registers.
func (e *export) goFunction() string {
	var params, args []string
	for i, t := range e.types { // what it calls may itself be named p0
		params, args = append(params, fmt.Sprintf("_wherry_p%d %s", i, t)), append(args, fmt.Sprintf("_wherry_p%d", i))
	}
	name, call := e.symbol("exported"), fmt.Sprintf("%s(%s)", e.callee, strings.Join(args, ", "))
	if e.result != "" {
		call = "return " + call
	}
	return write("exported", goFunction{Name: name, Params: "(" + strings.Join(params, ", ") + ")", Results: e.result, Body: call})
}

// An exportText is what the template of that name is about.
type exportText struct {
	*export
	Before, Result, Name, Params string // as cgo wrote them: all before the name, the type, the name, and the list
	Names                        []string
}

// Callback is the assembly that goes to Go: what C calls, unless the result has to be cut off.
func (t *exportText) Callback() string {
	if t.Cast() != "" {
		return t.symbol("callback")
	}
	return t.Name
}

// Slow is what cgo wrote, StandIn what takes Callback's place while only imports are looked for.
func (t *exportText) Slow() string    { return t.symbol("slow") }
func (t *exportText) StandIn() string { return t.symbol("stand_in") }

// Cast is the type of so many bytes that C takes the result for, or empty.
func (t *exportText) Cast() string {
	if r := t.signature.Results; len(r) == 1 && !r[0].Value.Float {
		return map[int64]string{1: "unsigned char", 2: "unsigned short"}[r[0].Value.Size]
	}
	return ""
}
