package accel

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"strings"
)

// A parameter's type does not say what a pointer leads to: &derived.base is a *C.base, and
// (*C.char)(unsafe.Pointer(&x)) leads to anything. What would be on the goroutine's stack
// is the whole variable, and C may know it as what it is. So an argument stays there only
// if each call in the package shows the variable: it is declared, or made, in the function
// that calls, and pointers to it are followed through local variables. What comes from
// elsewhere (an argument of the caller's, a field, a function's result) may be a part of
// anything, also of what another package declares.
//
// The package is type-checked without its imports. What depends on them has no type then,
// and is not known. That is quick, and does not make another type of one.

// variables is what a package's calls of C functions show of their arguments.
type variables struct {
	g      *gotypes
	pkg    *types.Package // nil if the files are not understood
	info   types.Info
	sizes  types.Sizes
	locals map[*types.Var]*local            // of all functions
	calls  map[types.Object][]*ast.CallExpr // by the function that is called
	uses   map[types.Object]int             // how often a function is named
	arrays []types.Type                     // as cgo writes unions, vectors and types of arrays
}

// A local is a variable in a function that may hold a pointer or a slice.
type local struct {
	declared bool       // in a statement: it is no parameter and no result
	lost     bool       // it gets values in ways that are not followed
	from     []ast.Expr // its values
}

// newVariables reads the compiler's files, of which g is one.
func newVariables(g *gotypes, files []string, goarch string) *variables {
	v := &variables{g: g, sizes: types.SizesFor("gc", goarch), locals: map[*types.Var]*local{},
		calls: map[types.Object][]*ast.CallExpr{}, uses: map[types.Object]int{}}
	v.info = types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{},
		Selections: map[*ast.SelectorExpr]*types.Selection{}}
	parsed := []*ast.File{g.file}
	for _, path := range files {
		if filepath.Base(path) == gotypesName {
			continue
		}
		file, err := parser.ParseFile(g.fset, path, nil, parser.SkipObjectResolution)
		if err != nil {
			return v // it is of a newer Go, perhaps
		}
		parsed = append(parsed, file)
	}
	lenient := types.Config{Importer: noImports{}, Error: func(error) {}, Sizes: v.sizes, DisableUnusedImportCheck: true}
	v.pkg, _ = lenient.Check("p", g.fset, parsed, &v.info) // its error is that of the imports
	v.readArrays()
	for _, file := range parsed {
		ast.Inspect(file, v.read)
	}
	return v
}

// noImports imports what is no package.
type noImports struct{}

func (noImports) Import(path string) (*types.Package, error) {
	if path == "unsafe" {
		return types.Unsafe, nil
	}
	return nil, fmt.Errorf("%s is not looked at", path)
}

// readArrays notes the types of arrays that cgo has written for what may be no array in C.
func (v *variables) readArrays() {
	for _, t := range v.g.types {
		v.noteArray(t)
		ast.Inspect(t, func(n ast.Node) bool {
			if field, ok := n.(*ast.Field); ok && !isPadding(field) {
				if array, ok := field.Type.(*ast.ArrayType); ok && isIdent(array.Elt, "byte") {
					v.noteArray(array)
				}
			}
			return true
		})
	}
}

func (v *variables) noteArray(expr ast.Expr) {
	if array, ok := v.info.TypeOf(expr).(*types.Array); ok {
		v.arrays = append(v.arrays, array)
	}
}

// read notes calls of C functions, and where local variables get their values.
func (v *variables) read(node ast.Node) bool {
	switch n := node.(type) {
	case *ast.CallExpr:
		if name, ok := ast.Unparen(n.Fun).(*ast.Ident); ok && isWrapper(name.Name) {
			v.calls[v.info.Uses[name]] = append(v.calls[v.info.Uses[name]], n)
		}
	case *ast.Ident:
		if isWrapper(n.Name) {
			v.uses[v.info.Uses[n]]++
		}
	case *ast.AssignStmt:
		v.assign(n.Lhs, n.Rhs)
	case *ast.ValueSpec:
		var names []ast.Expr
		for _, name := range n.Names {
			names = append(names, name)
		}
		v.assign(names, n.Values)
	case *ast.RangeStmt:
		for _, to := range []ast.Expr{n.Key, n.Value} {
			if to != nil {
				v.lose(ast.Unparen(to))
			}
		}
	case *ast.UnaryExpr:
		if n.Op == token.AND {
			v.lose(ast.Unparen(n.X))
		}
	case *ast.SelectorExpr: // a method may take the address
		if s := v.info.Selections[n]; s != nil && s.Kind() != types.FieldVal {
			v.lose(ast.Unparen(n.X))
		}
	}
	return true
}

func (v *variables) assign(to, from []ast.Expr) {
	for i, expr := range to {
		name, ok := ast.Unparen(expr).(*ast.Ident)
		if !ok {
			continue
		}
		l := v.local(name)
		if l == nil {
			continue
		}
		l.declared = l.declared || v.info.Defs[name] != nil
		switch {
		case len(from) == len(to):
			l.from = append(l.from, from[i])
		case len(from) > 0: // a call's results
			l.lost = true
		}
	}
}

func (v *variables) lose(expr ast.Expr) {
	if name, ok := expr.(*ast.Ident); ok {
		if l := v.local(name); l != nil {
			l.lost = true
		}
	}
}

// local returns nil for what is no variable.
func (v *variables) local(name *ast.Ident) *local {
	variable, ok := v.info.ObjectOf(name).(*types.Var)
	if !ok {
		return nil
	}
	l := v.locals[variable]
	if l == nil {
		l = &local{}
		v.locals[variable] = l
	}
	return l
}

// mostOnStack is how many bytes a variable may have that stays on the goroutine's stack: a
// function that calls itself has one in each frame, and a stack has a limit where the heap has none.
const mostOnStack = 256

// hides says which call may pass parameter i of one of cgo's functions a pointer into what may
// not be on the goroutine's stack, where C aligns the parameter's target so. It is empty if
// there is none.
func (v *variables) hides(name string, i, alignment int) string {
	if v.pkg == nil {
		return "the package's Go files are not understood"
	}
	f, ok := v.pkg.Scope().Lookup(name).(*types.Func)
	if !ok || v.uses[f] != len(v.calls[f]) {
		return "not all its calls are known"
	}
	pointer, ok := f.Signature().Params().At(i).Type().Underlying().(*types.Pointer)
	if !ok {
		return "what its arguments point to is not known"
	}
	for _, call := range v.calls[f] {
		at := v.g.fset.Position(call.Pos())
		place := fmt.Sprintf("%s:%d", filepath.Base(at.Filename), at.Line)
		t := trail{variables: v, seen: map[*types.Var]bool{}}
		if i >= len(call.Args) || !t.follow(call.Args[i]) {
			return place + " does not show what variable its argument is in"
		}
		for _, target := range t.found {
			if !v.plain(target.Type, pointer.Elem()) || v.sizes.Alignof(target.Type) < int64(alignment) {
				return place + " passes a part of what has pointers, or may be aligned in C at more than in Go"
			}
			if v.sizes.Sizeof(target.Type) > mostOnStack/target.count {
				return place + fmt.Sprintf(" passes a part of more than %d bytes", mostOnStack)
			}
		}
	}
	return ""
}

// plain reports whether a variable has no pointers, and C takes no part of it for more
// than its Go type says, but for parts of the type for which its alignment is known.
func (v *variables) plain(t, aligned types.Type) bool {
	if types.Identical(t, aligned) {
		return true
	}
	switch t := types.Unalias(t).(type) {
	case *types.Named:
		if strings.HasPrefix(t.Obj().Name(), "_Ctype_") {
			basic, ok := t.Underlying().(*types.Basic)
			return ok && v.plain(basic, aligned)
		}
		return v.plain(t.Underlying(), aligned)
	case *types.Basic:
		return t.Info()&(types.IsNumeric|types.IsBoolean) != 0
	case *types.Array:
		isC := func(array types.Type) bool { return types.Identical(array, t) }
		return !slices.ContainsFunc(v.arrays, isC) && v.plain(t.Elem(), aligned)
	case *types.Struct:
		for i := range t.NumFields() {
			at := t.Field(i).Pos()
			isC := at >= v.g.file.FileStart && at < v.g.file.FileEnd
			if isC && t != aligned.Underlying() || !v.plain(t.Field(i).Type(), aligned) {
				return false
			}
		}
		return true
	}
	return false
}
