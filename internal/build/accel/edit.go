package accel

import (
	"fmt"
	"go/ast"
	"slices"
	"strings"

	"github.com/wherrygo/wherry/internal/crossing"
)

// edits redirects one function's call to its stub.
//
// With all values in registers the function becomes an ordinary Go function
// of one call: no argument frame, so it can be inlined, and is if the callers bear it.
// Being inlined it has no prologue where a goroutine could be preempted, so the stub does
// Go's stack check, and goes to the function added here. Otherwise cgo's frame stays, and
// its address is the call's only argument.
//
// When a call is turned the collector can run while C does, so the arguments live
// until the call returns. They escape, as cgo's do, but for those of which nobody can tell
// where they are: see stays.go.
func (g *gotypes) edits(f *function, sig *signature, s crossing.Stub, inlined bool) []edit {
	stub := goFunction{Name: s.Symbol, Params: "(frame uintptr)", Results: "int32"}
	start := f.decl.Pos()
	if f.decl.Doc != nil {
		start = f.decl.Doc.Pos()
	}
	at := g.fset.File(start).Offset(start)
	list := []edit{{start: at, end: at}}
	if f.uses != nil {
		list = append(list, g.uses(f, sig)...)
	}
	for _, stmt := range f.noCall {
		list = append(list, g.replace(stmt, ""))
	}
	if sig == nil {
		call := fmt.Sprintf("%s(%s)", stub.Name, g.source(f.call.Args[1]))
		list = append(list, g.replace(f.call, call)) // its statement may also declare errno
		list[0].text = write("stub", stub)
		if s.Via != "" { // the frame must not move before cgocall
			list[0].text += write("exported", goFunction{Name: s.Via, Params: stub.Params, Results: stub.Results,
				Body: fmt.Sprintf("return _cgo_runtime_cgocall(%s, frame)", g.source(f.call.Args[0])), Nosplit: true})
		}
		return list
	}
	directive := "//"
	if !inlined {
		directive = "//go:noinline"
	}
	for _, comment := range docLines(f.decl) {
		if comment.Text == "//go:cgo_unsafe_args" {
			list = append(list, g.replace(comment, directive))
		}
	}
	var passed, assign string
	stub.Params, passed = sig.goParams()
	stub.Results, assign = sig.goResults()
	if sig.Errno {
		assign = "var errno syscall.Errno\n\t" + assign
	}
	list = append(list, g.replace(f.stmt, fmt.Sprintf("%s%s(%s)", assign, stub.Name, passed)))
	yield := stub
	yield.Name, yield.Body = yieldSymbol(f.symbol), sig.yields(stub.Name)
	list[0].text = write("stub", stub) + write("exported", yield)
	if s.Via != "" {
		via := stub
		via.Name, via.Body = s.Via, sig.throughCgo(g.source(f.call.Args[0]))
		list[0].text += write("exported", via)
	}
	return list
}

// uses edits the lines by which cgo has the arguments escape and live on. A function
// that takes them in registers has to stay small enough to be inlined, so there an
// assignment that never happens takes the place of a call.
func (g *gotypes) uses(f *function, sig *signature) (list []edit) {
	if sig == nil {
		for _, use := range f.uses.Body.List {
			call := use.(*ast.ExprStmt).X.(*ast.CallExpr)
			if name, ok := call.Args[0].(*ast.Ident); ok && !f.escape[name.Name] {
				list = append(list, g.replace(call.Fun, "_Cgo_keepalive"))
			}
		}
		return list
	}
	type pointer struct {
		Path   string
		Escape bool
	}
	var pointers []pointer
	allowed := strings.Contains(g.source(f.uses), "_Cgo_use(") // not with #cgo noescape
	for _, p := range sig.Params {
		if p.Value.Pointer {
			param, _, _ := strings.Cut(p.Path, ".")
			param, _, _ = strings.Cut(param, "[")
			pointers = append(pointers, pointer{p.Path, allowed && f.escape[param]})
		}
	}
	if len(pointers) == 0 {
		return []edit{g.replace(f.uses, "")}
	}
	return []edit{g.replace(f.uses, write("uses", pointers))}
}

// A goFunction is what the templates of calls.go.tpl write.
type goFunction struct {
	Name, Params, Results, Body string
	Nosplit                     bool
}

// An edit replaces the bytes [start, end) of a text.
type edit struct {
	start, end int
	text       string
}

func (g *gotypes) span(node ast.Node) (start, end int) {
	file := g.fset.File(node.Pos())
	return file.Offset(node.Pos()), file.Offset(node.End())
}

func (g *gotypes) replace(node ast.Node, text string) edit {
	start, end := g.span(node)
	return edit{start, end, text}
}

func (g *gotypes) source(node ast.Node) string {
	start, end := g.span(node)
	return string(g.text[start:end])
}

func apply(text []byte, edits []edit) []byte {
	slices.SortStableFunc(edits, func(a, b edit) int { return a.start - b.start })
	var result []byte
	done := 0
	for _, e := range edits {
		result = append(append(result, text[done:e.start]...), e.text...)
		done = e.end
	}
	return append(result, text[done:]...)
}

func docLines(decl *ast.FuncDecl) []*ast.Comment {
	if decl.Doc == nil {
		return nil
	}
	return decl.Doc.List
}
