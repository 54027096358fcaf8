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

// The statements that cgo is known to write, with one space for what stands between words.
var (
	callPattern = pattern(`^(?:errno := )?_cgo_runtime_cgocall\((_cgo_[\pL\pN_]*), (?:0|uintptr\(unsafe\.Pointer\(&(?:p0|r1)\)\))\)$`)
	usesPattern = pattern(`^if _Cgo_always_false \{(?: _Cgo_(?:use|keepalive)\([^ ()]+\))* \}$`) // the arguments escape, or only live on
)

const (
	errnoTest    = "if errno != 0 { r2 = syscall.Errno(errno) }"
	mallocFailed = `if r1 == nil { runtime_throw("runtime: C malloc failed") }`
)

// recognize fills in the parts of a function's body. Anything but the
// statements that cgo is known to write is an error, and the function stays
// as it is.
func (g *gotypes) recognize(f *function) error {
	for _, stmt := range f.decl.Body.List {
		text := strings.Join(strings.Fields(g.source(stmt)), " ")
		call := callPattern().FindStringSubmatch(text)
		switch {
		case call != nil && f.call == nil:
			f.symbol, f.stmt = call[1], stmt
			if assign, ok := stmt.(*ast.AssignStmt); ok {
				f.call = assign.Rhs[0].(*ast.CallExpr)
			} else {
				f.call = stmt.(*ast.ExprStmt).X.(*ast.CallExpr)
			}
		case text == errnoTest:
			f.errno = true
		case usesPattern().MatchString(text) && f.uses == nil:
			f.uses = stmt.(*ast.IfStmt)
		case text == "_Cgo_no_callback(true)", text == "_Cgo_no_callback(false)":
			f.noCall = append(f.noCall, stmt)
		case text == "return":
		case f.decl.Name.Name == "_cgo_cmalloc" && text == mallocFailed:
		default:
			return fmt.Errorf("its generated Go code has an unknown statement")
		}
	}
	if f.call == nil {
		return fmt.Errorf("its generated Go code has no call that wherry knows")
	}
	return nil
}

func isIdent(expr ast.Expr, name string) bool {
	ident, ok := expr.(*ast.Ident)
	return ok && ident.Name == name
}

func isSelector(expr ast.Expr, pkg, name string) bool {
	selector, ok := expr.(*ast.SelectorExpr)
	return ok && isIdent(selector.X, pkg) && selector.Sel.Name == name
}
