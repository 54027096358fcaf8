package accel

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"math"
	"slices"
	"strings"
)

// A function that takes its arguments in registers is inlined, which counts for more in
// the caller that it is inlined into than the call that stood there. If that keeps the
// compiler from inlining the caller, what the caller returns is allocated, though through
// plain cgo it is not:
//
//	func CurrentData() *Data { return &Data{C.current_data()} }
//
// So for such a caller the call is left as it is. It costs no more then: one of the two is
// inlined.
//
// The compiler (cmd/compile/internal/inline) inlines functions of up to 80 nodes of its
// syntax tree, where a call that is not inlined counts for 57 more.
const inlineBudget, callCost = 80, 57

// wrapperPrefixes begin the names of the Go functions that stand for C's.
var wrapperPrefixes = []string{"_Cfunc_", "_C2func_", "_Cmacro_"}

func isWrapper(name string) bool {
	return slices.ContainsFunc(wrapperPrefixes, func(prefix string) bool { return strings.HasPrefix(name, prefix) })
}

// spareNodes returns how many nodes more each of these functions may count for when it is
// inlined, so that no caller in the files begins to allocate. A function that is not in
// there may count for any number.
func spareNodes(files []*ast.File) map[string]int {
	n := nodes{functions: map[string][]*ast.FuncDecl{}, types: map[string]bool{}, known: map[string]int{}}
	for _, file := range files {
		n.declare(file)
	}
	spare := map[string]int{}
	for _, name := range slices.Sorted(maps.Keys(n.functions)) { // in each build the same
		for _, f := range n.functions[name] {
			c := n.count(f)
			if c.called == "" || !c.allocates || c.least > inlineBudget {
				continue
			}
			left := inlineBudget - c.least
			if c.open {
				left = 0
			}
			if before, ok := spare[c.called]; !ok || left < before {
				spare[c.called] = left
			}
		}
	}
	return spare
}

// nodes counts those of a package's functions.
type nodes struct {
	functions map[string][]*ast.FuncDecl // methods of one name too
	types     map[string]bool
	known     map[string]int // how many there are at least in each function of a name
}

func (n nodes) declare(file *ast.File) {
	for t := range declaredTypes(file) {
		n.types[t.Name.Name] = true
	}
	for _, decl := range file.Decls {
		if f, ok := decl.(*ast.FuncDecl); ok && f.Body != nil {
			n.functions[f.Name.Name] = append(n.functions[f.Name.Name], f)
		}
	}
}

// A counted function, as it is plainly.
type counted struct {
	least     int    // nodes
	open      bool   // there are more, in functions that may be inlined
	called    string // a C function, by its name in Go
	allocates bool   // perhaps
}

func (n nodes) count(f *ast.FuncDecl) (c counted) {
	var visit func(ast.Node)
	inside := func(list []ast.Expr) {
		for _, e := range list {
			visit(e)
		}
	}
	visit = func(node ast.Node) {
		ast.Inspect(node, func(inner ast.Node) bool {
			switch inner := inner.(type) {
			case *ast.CallExpr:
				n.call(inner, &c)
				if x, ok := ast.Unparen(inner.Fun).(*ast.SelectorExpr); ok {
					visit(x.X)
				}
				inside(inner.Args)
				return false
			case *ast.CompositeLit:
				c.least++
				inside(inner.Elts)
				return false
			case *ast.KeyValueExpr:
				c.least++
				visit(inner.Value)
				return false
			case *ast.SelectorExpr:
				c.least++
				visit(inner.X)
				return false
			case *ast.FuncLit:
				c.allocates = true
				visit(inner.Body)
				return false
			case *ast.DeferStmt, *ast.GoStmt, *ast.SelectStmt:
				c.least += inlineBudget + 1 // never inlined
			case *ast.UnaryExpr:
				c.allocates = c.allocates || inner.Op == token.AND
				c.least++
			case *ast.ParenExpr, *ast.ExprStmt, *ast.BlockStmt, *ast.DeclStmt: // no nodes
			case ast.Expr, ast.Stmt:
				c.least++
			}
			return true
		})
	}
	visit(f.Body)
	return c
}

// call counts a call or conversion without its arguments.
func (n nodes) call(call *ast.CallExpr, c *counted) {
	c.least++
	function := ast.Unparen(call.Fun)
	switch generic := function.(type) {
	case *ast.IndexExpr:
		function = generic.X
	case *ast.IndexListExpr:
		function = generic.X
	}
	name := ""
	switch f := function.(type) {
	case *ast.Ident:
		name = f.Name
		_, isType := types.Universe.Lookup(name).(*types.TypeName)
		if isType || n.types[name] || strings.HasPrefix(name, "_Ctype_") {
			return
		}
		c.least++
	case *ast.SelectorExpr:
		name = f.Sel.Name
		if isSelector(f, "unsafe", name) {
			return
		}
		c.least++
	default: // (*T)(x)
		return
	}
	if isWrapper(name) {
		c.called = name
		c.least += callCost
		return
	}
	c.allocates = true
	if least := n.least(name); name == "_cgoCheckPointer" || least > inlineBudget {
		c.least += callCost
	} else {
		c.least += least
		c.open = true
	}
}

// least returns how many nodes there are at least in functions of a name, and 0 for those
// that are not known, or that call each other.
func (n nodes) least(name string) int {
	least, ok := n.known[name]
	if ok || len(n.functions[name]) == 0 {
		return least
	}
	n.known[name] = 0
	least = math.MaxInt
	for _, f := range n.functions[name] {
		least = min(least, n.count(f).least)
	}
	n.known[name] = least
	return least
}

// surplus returns how many nodes more than a call a function counts for that takes these
// arguments in registers, as edits writes it.
func (s *signature) surplus() int {
	n := 3 // the call, its function and return
	nodes := func(p part) int { return 1 + strings.Count(p.Path, ".") + strings.Count(p.Path, "[") }
	for _, p := range s.Results {
		n += 1 + nodes(p)
	}
	if s.Errno {
		n += 13
	}
	kept := 0
	for _, p := range s.Params {
		n += nodes(p)
		if p.Value.Pointer {
			kept += 3 + nodes(p)
		}
	}
	if kept > 0 {
		n += 2 + kept
	}
	return n
}
