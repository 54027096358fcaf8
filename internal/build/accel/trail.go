package accel

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"math"
	"slices"
)

// A trail leads from a pointer or slice to the variables that it may point into: to all of
// those that may be on a goroutine's stack.
type trail struct {
	*variables
	seen  map[*types.Var]bool
	found []target
}

// A target is a variable, or an array of so many that a slice leads to.
type target struct {
	types.Type
	count int64
}

func (t *trail) find(found types.Type, count int64) bool {
	t.found = append(t.found, target{found, count})
	return true
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
		return t.element(e, elements(e))
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
		return t.element(call, 1) // a copy, of at most 32 bytes where it is on the stack
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
		case "make":
			return t.element(call, t.made(call.Args[1:]))
		case "new":
			return t.element(call, 1)
		case "append":
			return len(call.Args) > 0 && t.follow(call.Args[0]) && t.element(call, 1)
		case "Slice", "SliceData", "Add":
			return len(call.Args) > 0 && t.follow(call.Args[0])
		}
	}
	return false
}

// element finds what an expression makes that makes a variable, or a slice of so many.
func (t *trail) element(expr ast.Expr, count int64) bool {
	switch made := t.underlying(expr).(type) {
	case *types.Slice:
		return t.find(made.Elem(), count)
	case *types.Pointer:
		return t.find(made.Elem(), 1)
	}
	return false
}

// made is how many elements make makes, by its arguments. Where these are no constants the
// compiler has the elements on the stack only if they are at most 32 bytes; a variable counts
// as one of its constants, as the compiler sees through it.
func (t *trail) made(lengths []ast.Expr) (count int64) {
	count = 1
	seen := map[*types.Var]bool{}
	for ; len(lengths) > 0; lengths = lengths[1:] {
		length := ast.Unparen(lengths[0])
		if value := t.info.Types[length].Value; value != nil {
			n, exact := constant.Int64Val(constant.ToInt(value))
			if !exact {
				return math.MaxInt64
			}
			count = max(count, n)
		} else if name, ok := length.(*ast.Ident); ok {
			if variable, ok := t.info.Uses[name].(*types.Var); ok && !seen[variable] && t.locals[variable] != nil {
				seen[variable] = true
				lengths = append(slices.Clip(lengths), t.locals[variable].from...)
			}
		}
	}
	return count
}

// elements is how many elements a literal of a slice has: with indices it may be any number.
func elements(literal *ast.CompositeLit) int64 {
	isIndexed := func(element ast.Expr) bool { _, ok := element.(*ast.KeyValueExpr); return ok }
	if slices.ContainsFunc(literal.Elts, isIndexed) {
		return math.MaxInt64
	}
	return int64(max(len(literal.Elts), 1))
}

// variable finds the whole variable of which an expression is a part.
func (t *trail) variable(expr ast.Expr) bool {
	switch e := expr.(type) {
	case *ast.ParenExpr:
		return t.variable(e.X)
	case *ast.StarExpr:
		return t.follow(e.X)
	case *ast.CompositeLit:
		return t.find(t.info.TypeOf(e), 1)
	case *ast.Ident:
		variable, ok := t.info.Uses[e].(*types.Var)
		return ok && (t.isGlobal(variable) || t.find(variable.Type(), 1))
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
