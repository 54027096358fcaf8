package accel

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strings"
)

// cgoFiles returns those of the compiler's arguments that cgo wrote from the package's files.
func cgoFiles(args []string) (files []*ast.File) {
	for _, path := range args {
		if !strings.HasSuffix(path, ".cgo1.go") {
			continue
		}
		if file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution); err == nil {
			files = append(files, file) // if not, compile will say so
		}
	}
	return files
}

// pointerChecks returns how many of cgo's pointer checks a call of each C function has,
// on average over the places in the files that call it.
// cgo writes
//
//	func() T { _cgo0 := p; _cgoCheckPointer(_cgo0, nil); return _Cfunc_f(_cgo0) }()
//
// and without a check _Cfunc_f(p).
func pointerChecks(files []*ast.File) map[string]float64 {
	calls, checks := map[string]float64{}, map[string]float64{}
	for _, file := range files {
		for _, decl := range file.Decls {
			countChecks(decl, calls, checks)
		}
	}
	for name := range checks {
		checks[name] /= calls[name]
	}
	return checks
}

// countChecks adds the checks of a function literal to the C functions that it calls, but
// those of literals in it to theirs.
func countChecks(node ast.Node, calls, checks map[string]float64) {
	var names []string
	n := 0.0
	ast.Inspect(node, func(inner ast.Node) bool {
		if literal, ok := inner.(*ast.FuncLit); ok && inner != node {
			countChecks(literal, calls, checks)
			return false
		}
		call, ok := inner.(*ast.CallExpr)
		if !ok {
			return true
		}
		function, ok := ast.Unparen(call.Fun).(*ast.Ident)
		if !ok {
			return true
		}
		if function.Name == "_cgoCheckPointer" {
			n++
		}
		for _, prefix := range []string{"_Cfunc_", "_C2func_"} {
			if name, ok := strings.CutPrefix(function.Name, prefix); ok {
				names = append(names, name)
			}
		}
		return true
	})
	for _, name := range names {
		calls[name]++
	}
	if n > 0 && len(names) > 0 {
		checks[names[len(names)-1]] += n // the others are in its arguments
	}
}
