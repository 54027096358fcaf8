package accel

import (
	"fmt"
	"go/ast"
	"strings"

	"github.com/wherrygo/wherry/internal/crossing/enter"
	"github.com/wherrygo/wherry/internal/crossing/inflight"
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

// exports reports whether the package exports functions to C.
func (g *gotypes) exports() bool {
	for _, decl := range g.file.Decls {
		if f, ok := decl.(*ast.FuncDecl); ok && strings.HasPrefix(f.Name.Name, "_cgoexp_") {
			return true
		}
	}
	return false
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
				e.types, e.signature.params = append(e.types, g.source(field.Type)), append(e.signature.params, part{value: v})
			case "r0":
				e.result, e.signature.results = g.source(field.Type), []part{{value: v}}
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
		if !ok || args != strings.Join(wantArgs, ", ")+")" || e.signature.integers() > enter.MaxIntegers(goarch) || e.signature.floats() > enter.MaxFloats {
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
	return exported(name, "("+strings.Join(params, ", ")+")", e.result, call)
}

// straight is the C expression for a callback that can go straight to Go: C runs on a C
// stack, or is a lent thread's, whose goroutine is not to stop, on the stack that was last
// seen.
func straight(target inflight.Target) string {
	field := func(name string) string {
		return fmt.Sprintf("(unsigned long)_wherry_thread._wherry_active[%d]", inflight.Layout()[name]/8)
	}
	if !target.Lends() {
		return field("REC_CSP") + " == 0"
	}
	return fmt.Sprintf("%s == 0 && (%s == 0 || ((unsigned long)__builtin_frame_address(0) - %s < %s && *(unsigned long *)(%s + %d) < %s))",
		field("REC_CSP"), field("REC_SYSTEM"), field("REC_FROM"), field("REC_SPAN"), field("REC_G"), target.Offsets.GStackGuard, field("REC_GOSP"))
}

// cHead puts the way through registers before what cgo wrote. A result smaller
// than a register comes with garbage above it, so C has to cut it off itself.
func (e *export) cHead(head, result, params string, names []string, target inflight.Target) string {
	callback, returns, cast := e.symbol("callback"), result, ""
	if r := e.signature.results; len(r) == 1 && !r[0].float && r[0].size < 4 {
		returns, cast = "unsigned long long", fmt.Sprintf("(%s)(unsigned %s)", result, map[int64]string{1: "char", 2: "short"}[r[0].size])
	}
	call := fmt.Sprintf("%s%s(%s)", cast, callback, strings.Join(names, ", "))
	if result == "void" {
		call += ";\n\t\treturn"
	} else {
		call = "return " + call
	}
	declaration := fmt.Sprintf("extern %s %s(%s) __attribute__((__visibility__(\"hidden\")));\n", returns, callback, params)
	fast := fmt.Sprintf("\tif (__builtin_expect(%s, 1)) {\n\t\t%s;\n\t}\n", straight(target), call)
	return unmacroed(declaration) + head + unmacroed(fast)
}
