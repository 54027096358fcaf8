package accel

import (
	"go/ast"
	"go/token"
	"go/types"
)

// A trail leads from a pointer or slice to the variables that it may point into: to all of
// those that may be on a goroutine's stack.
type trail struct {
	*variables
	seen  map[*types.Var]bool
	found []types.Type // of the variables
}

// follow reports whether it is seen where a pointer or slice leads to.
func (t *trail) follow(expr ast.Expr) bool {
	if t.info.Types[expr].IsNil() {
		return true
	}
	switch e := expr.(type) {
	case *ast.ParenExpr:
		return t.follow(e.X)
	case *ast.Ident:
		return t.values(e)
	case *ast.UnaryExpr:
		return e.Op == token.AND && t.variable(e.X)
	case *ast.SliceExpr:
		if _, ok := t.underlying(e.X).(*types.Array); ok {
			return t.variable(e.X)
		}
		return t.follow(e.X)
	case *ast.CompositeLit:
		return t.element(e)
	case *ast.CallExpr:
		if t.info.Types[ast.Unparen(e.Fun)].IsType() {
			return t.conversion(e)
		}
		return t.call(e)
	}
	return false
}

// values follows all values of a local variable.
func (t *trail) values(name *ast.Ident) bool {
	variable, ok := t.info.Uses[name].(*types.Var)
	if !ok || t.seen[variable] {
		return ok
	}
	t.seen[variable] = true
	l := t.locals[variable]
	if l == nil || !l.declared || l.lost || t.isGlobal(variable) {
		return false
	}
	for _, from := range l.from {
		if !t.follow(from) {
			return false
		}
	}
	return true
}

func (t *trail) conversion(call *ast.CallExpr) bool {
	if len(call.Args) != 1 {
		return false
	}
	if from, ok := t.underlying(call.Args[0]).(*types.Basic); ok && from.Info()&types.IsString != 0 {
		return t.element(call) // a copy
	}
	return t.follow(call.Args[0])
}

// call follows the result of a call. What C returns is not on a goroutine's stack: where
// that result has room for an address, the call's arguments escape.
func (t *trail) call(call *ast.CallExpr) bool {
	function := ast.Unparen(call.Fun)
	if selector, ok := function.(*ast.SelectorExpr); ok {
		function = selector.Sel // of package unsafe
	}
	name, ok := function.(*ast.Ident)
	if !ok {
		return false
	}
	switch object := t.info.Uses[name].(type) {
	case *types.Func:
		return isWrapper(object.Name()) && object == t.pkg.Scope().Lookup(object.Name())
	case *types.Builtin:
		switch object.Name() {
		case "make", "new":
			return t.element(call)
		case "append":
			return len(call.Args) > 0 && t.follow(call.Args[0]) && t.element(call)
		case "Slice", "SliceData", "Add":
			return len(call.Args) > 0 && t.follow(call.Args[0])
		}
	}
	return false
}

// element finds what an expression makes that makes a slice or a variable.
func (t *trail) element(expr ast.Expr) bool {
	switch made := t.underlying(expr).(type) {
	case *types.Slice:
		t.found = append(t.found, made.Elem())
		return true
	case *types.Pointer:
		t.found = append(t.found, made.Elem())
		return true
	}
	return false
}

// variable finds the whole variable of which an expression is a part.
func (t *trail) variable(expr ast.Expr) bool {
	switch e := expr.(type) {
	case *ast.ParenExpr:
		return t.variable(e.X)
	case *ast.StarExpr:
		return t.follow(e.X)
	case *ast.CompositeLit:
		t.found = append(t.found, t.info.TypeOf(e))
		return true
	case *ast.Ident:
		variable, ok := t.info.Uses[e].(*types.Var)
		if ok && !t.isGlobal(variable) {
			t.found = append(t.found, variable.Type())
		}
		return ok
	case *ast.SelectorExpr:
		selection := t.info.Selections[e]
		switch {
		case selection == nil || selection.Kind() != types.FieldVal:
			return false
		case !selection.Indirect():
			return t.variable(e.X)
		}
		return len(selection.Index()) == 1 && t.follow(e.X) // not through an embedded pointer
	case *ast.IndexExpr:
		if _, ok := t.underlying(e.X).(*types.Array); ok {
			return t.variable(e.X)
		}
		return t.follow(e.X)
	}
	return false
}

// isGlobal reports whether a variable is a package's, and so on no stack.
func (v *variables) isGlobal(variable *types.Var) bool { return variable.Parent() == v.pkg.Scope() }

// underlying returns nil for what has no type.
func (v *variables) underlying(expr ast.Expr) types.Type {
	if t := v.info.TypeOf(expr); t != nil {
		return t.Underlying()
	}
	return nil
}
