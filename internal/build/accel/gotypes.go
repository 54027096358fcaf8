package accel

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"strings"
)

// The generated file in which cgo declares the C functions of a package.
const gotypesName = "_cgo_gotypes.go"

// gotypes is a parsed _cgo_gotypes.go.
type gotypes struct {
	fset      *token.FileSet
	text      []byte
	file      *ast.File
	types     map[string]ast.Expr // declared types by name
	own       map[string]bool     // names that other files of the package declare, see ownNames; at compile only those that Go has for types
	functions []*function
	variables func() *variables // once the compiler's files are known
}

// A function is one Go function through which Go code calls C. C.f can have
// two: with and without the errno result.
type function struct {
	name   string // as Go code says it: C.name
	symbol string // the C wrapper that cgo wrote: _cgo_HASH_Cfunc_name
	decl   *ast.FuncDecl
	call   *ast.CallExpr // _cgo_runtime_cgocall(symbol, frame)
	stmt   ast.Stmt      // the statement that call stands in
	errno  bool          // the wrapper's int result is used
	uses   *ast.IfStmt   // if _Cgo_always_false { ... }, or nil
	noCall []ast.Stmt    // _Cgo_no_callback(...) statements

	escape map[string]bool // parameters whose targets are allocated, once that is known
}

func parseGotypes(path string) (*gotypes, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	g := &gotypes{fset: token.NewFileSet(), text: text, types: map[string]ast.Expr{}}
	g.file, err = parser.ParseFile(g.fset, path, text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	for t := range declaredTypes(g.file) {
		g.types[t.Name.Name] = t.Type
	}
	for _, decl := range g.file.Decls {
		if decl, ok := decl.(*ast.FuncDecl); ok {
			if name, ok := calledName(decl); ok {
				g.functions = append(g.functions, &function{name: name, decl: decl})
			}
		}
	}
	return g, nil
}

// calledName returns the C name that a generated Go function stands for. Functions
// of cgo's own (C.CString, C.GoString ...) make no call of that kind.
func calledName(decl *ast.FuncDecl) (string, bool) {
	if decl.Body == nil {
		return "", false
	}
	if decl.Name.Name == "_cgo_cmalloc" { // behind C.malloc, C.CString and C.CBytes
		return "malloc", true
	}
	for _, prefix := range wrapperPrefixes {
		name, ok := strings.CutPrefix(decl.Name.Name, prefix)
		if ok && mentions(decl.Body, "_cgo_runtime_cgocall") {
			return name, true
		}
	}
	return "", false
}

func mentions(node ast.Node, name string) bool {
	found := false
	ast.Inspect(node, func(n ast.Node) bool {
		ident, ok := n.(*ast.Ident)
		found = found || ok && ident.Name == name
		return !found
	})
	return found
}

// recognize fills in the parts of the function's body. Anything but the
// statements that cgo is known to write is an error, and the function stays
// as it is.
func (f *function) recognize() error {
	for _, stmt := range f.decl.Body.List {
		switch {
		case f.isCall(stmt):
		case isErrnoTest(stmt):
			f.errno = true
		case f.isUses(stmt):
		case isCallTo(stmt, "_Cgo_no_callback"):
			f.noCall = append(f.noCall, stmt)
		case isReturn(stmt):
		case f.decl.Name.Name == "_cgo_cmalloc" && isMallocFailed(stmt):
		default:
			return fmt.Errorf("its generated Go code has an unknown statement")
		}
	}
	if f.call == nil {
		return fmt.Errorf("its generated Go code has no call that wherry knows")
	}
	return nil
}

// isCall recognizes
//
//	_cgo_runtime_cgocall(SYMBOL, uintptr(unsafe.Pointer(&p0)))
//	errno := _cgo_runtime_cgocall(SYMBOL, uintptr(unsafe.Pointer(&p0)))
//
// where &p0 may be &r1, or the whole second argument 0.
func (f *function) isCall(stmt ast.Stmt) bool {
	var expr ast.Expr
	switch stmt := stmt.(type) {
	case *ast.ExprStmt:
		expr = stmt.X
	case *ast.AssignStmt:
		if len(stmt.Lhs) != 1 || len(stmt.Rhs) != 1 || !isIdent(stmt.Lhs[0], "errno") || stmt.Tok != token.DEFINE {
			return false
		}
		expr = stmt.Rhs[0]
	}
	call, ok := expr.(*ast.CallExpr)
	if !ok || f.call != nil || !isIdent(call.Fun, "_cgo_runtime_cgocall") || len(call.Args) != 2 {
		return false
	}
	symbol, ok := call.Args[0].(*ast.Ident)
	if !ok || !strings.HasPrefix(symbol.Name, "_cgo_") || !isFrame(call.Args[1]) {
		return false
	}
	f.symbol, f.call, f.stmt = symbol.Name, call, stmt
	return true
}

func isFrame(expr ast.Expr) bool {
	if lit, ok := expr.(*ast.BasicLit); ok {
		return lit.Value == "0"
	}
	outer, ok := expr.(*ast.CallExpr)
	if !ok || !isIdent(outer.Fun, "uintptr") || len(outer.Args) != 1 {
		return false
	}
	inner, ok := outer.Args[0].(*ast.CallExpr)
	if !ok || !isSelector(inner.Fun, "unsafe", "Pointer") || len(inner.Args) != 1 {
		return false
	}
	address, ok := inner.Args[0].(*ast.UnaryExpr)
	return ok && address.Op == token.AND && (isIdent(address.X, "p0") || isIdent(address.X, "r1"))
}

// isErrnoTest recognizes if errno != 0 { r2 = syscall.Errno(errno) }.
func isErrnoTest(stmt ast.Stmt) bool {
	test, ok := stmt.(*ast.IfStmt)
	if !ok || test.Init != nil || test.Else != nil || len(test.Body.List) != 1 {
		return false
	}
	cond, ok := test.Cond.(*ast.BinaryExpr)
	if !ok || cond.Op != token.NEQ || !isIdent(cond.X, "errno") {
		return false
	}
	assign, ok := test.Body.List[0].(*ast.AssignStmt)
	if !ok || len(assign.Lhs) != 1 || len(assign.Rhs) != 1 || !isIdent(assign.Lhs[0], "r2") {
		return false
	}
	call, ok := assign.Rhs[0].(*ast.CallExpr)
	return ok && isSelector(call.Fun, "syscall", "Errno")
}

// isUses recognizes if _Cgo_always_false { _Cgo_use(p0); ... }, which makes
// the arguments escape (_Cgo_use) or only live on (_Cgo_keepalive).
func (f *function) isUses(stmt ast.Stmt) bool {
	test, ok := stmt.(*ast.IfStmt)
	if !ok || test.Init != nil || test.Else != nil || !isIdent(test.Cond, "_Cgo_always_false") || f.uses != nil {
		return false
	}
	for _, use := range test.Body.List {
		if !isCallTo(use, "_Cgo_use") && !isCallTo(use, "_Cgo_keepalive") {
			return false
		}
	}
	f.uses = test
	return true
}

func isMallocFailed(stmt ast.Stmt) bool {
	test, ok := stmt.(*ast.IfStmt)
	return ok && test.Init == nil && test.Else == nil && len(test.Body.List) == 1 && isCallTo(test.Body.List[0], "runtime_throw")
}

func isReturn(stmt ast.Stmt) bool {
	ret, ok := stmt.(*ast.ReturnStmt)
	return ok && len(ret.Results) == 0
}

func isCallTo(stmt ast.Stmt, name string) bool {
	expr, ok := stmt.(*ast.ExprStmt)
	if !ok {
		return false
	}
	call, ok := expr.X.(*ast.CallExpr)
	return ok && isIdent(call.Fun, name)
}

func isIdent(expr ast.Expr, name string) bool {
	ident, ok := expr.(*ast.Ident)
	return ok && ident.Name == name
}

func isSelector(expr ast.Expr, pkg, name string) bool {
	selector, ok := expr.(*ast.SelectorExpr)
	return ok && isIdent(selector.X, pkg) && selector.Sel.Name == name
}
