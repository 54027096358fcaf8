package accel

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/wherrygo/wherry/internal/cstack"
	"github.com/wherrygo/wherry/internal/policy"
)

// beforeCompile redirects the calls of a package that has a plan, in the
// _cgo_gotypes.go that is about to be compiled. It gives the plan, or nil.
func (c *Config) beforeCompile(args []string) (*plan, error) {
	i := slices.IndexFunc(args, func(arg string) bool { return filepath.Base(arg) == gotypesName })
	if i < 0 {
		return nil, nil
	}
	objdir := filepath.Dir(args[i])
	text, err := os.ReadFile(filepath.Join(objdir, planName))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	p := new(plan)
	if err == nil {
		err = json.Unmarshal(text, p)
	}
	if err != nil {
		return nil, fmt.Errorf("accel: %w", err)
	}
	if err := misplacedDirectives(args); err != nil {
		return nil, err
	}
	g, err := parseGotypes(args[i])
	if err != nil {
		return nil, fmt.Errorf("accel: %w", err)
	}
	edited, err := g.redirect(p, objdir, c.GoArch)
	if err != nil {
		return nil, err
	}
	return p, os.WriteFile(args[i], edited, 0o666)
}

// redirect gives the file's text with the planned calls made direct, and with
// the report at its end.
func (g *gotypes) redirect(p *plan, objdir, goarch string) ([]byte, error) {
	judged := verdicts(objdir, p.Calls)
	report := Report{Package: p.Package, Accelerated: []Function{}, Kept: []Function{}, Warnings: p.Warnings}
	var edits []edit
	for _, call := range p.Calls {
		i := slices.IndexFunc(g.functions, func(f *function) bool { return f.decl.Name.Name == call.GoName })
		v, known := judged[call.Symbol]
		if call.ByVerdict && known {
			call.Mode, call.Why = string(v.mode()), v.why(call.Function.Function)
		} else if known {
			call.Verdict = v.why(call.Function.Function)
			call.Assumed = call.Mode != "" && !v.allows(policy.Mode(call.Mode))
		}
		if call.Mode != "" && i < 0 {
			call.Mode, call.Why = "", "its generated Go function is gone"
		}
		if call.Mode != "" && call.Libc {
			if err := callsOnlyLibc(objdir, twinSymbol(call.Symbol), call.Function.Function); err != nil {
				call.Mode, call.Why = "", err.Error()
			}
		}
		if call.Mode != "" {
			f := g.functions[i]
			if err := f.recognize(); err != nil {
				return nil, fmt.Errorf("accel: BUG: %s.%s was recognized after cgo and is not now: %w", p.Package, call.GoName, err)
			}
			var registers *signature
			if sig, ok := g.signature(f, goarch); ok && call.Registers {
				registers = &sig
			}
			if call.ByVerdict {
				p.addStub(f.name, f.stub(&call, registers, p.Package), v.result)
			}
			edits = append(edits, g.edits(f, registers, call.Function)...)
			if p.Watched && call.Mode != string(policy.Reentrant) { // its frame leads the watchdog to the caller
				at, _ := g.span(f.decl.Name)
				at -= len("func ")
				edits = append(edits, edit{at, at, "//go:noinline\n"})
			}
		}
		report.add(call.Function)
	}
	declaration, err := report.declaration()
	if err != nil {
		return nil, fmt.Errorf("accel: %w", err)
	}
	text := append(apply(g.text, edits), declaration...)
	if p.Unit {
		text = append(text, unitDeclarations+p.Exported...)
	}
	if p.Reentrant {
		text = fmt.Appendf(text, refillDeclarations, p.noStackSymbol())
	}
	return text, nil
}

// add files a function in the report, once for both its forms; if one of them
// is kept, so is the function.
func (r *Report) add(f Function) {
	same := func(other Function) bool { return other.Function == f.Function }
	if slices.ContainsFunc(r.Kept, same) {
		return
	}
	i := slices.IndexFunc(r.Accelerated, same)
	switch {
	case f.Mode == "":
		if i >= 0 {
			r.Accelerated = slices.Delete(r.Accelerated, i, i+1)
		}
		r.Kept = append(r.Kept, f)
	case i < 0:
		r.Accelerated = append(r.Accelerated, f)
	}
}

// edits makes one function's call direct, or reentrant.
//
// With all values in registers the function becomes an ordinary Go function
// of one call: no argument frame, so it can be inlined, and nothing escapes.
// Being inlined it has no prologue where a goroutine could be preempted, so
// the stub does Go's stack check, and goes to the function added here.
// Otherwise cgo's frame stays, and its address is the call's only argument.
// Either way the arguments of a direct call need not escape: the goroutine's
// stack cannot move.
//
// During a reentrant call it can, and the collector can run: the arguments
// escape, as cgo's do, and live until the call returns.
//
// A guarded call that is on trial, or has been demoted, calls by cgo, through a C
// function that times it (internal/guard). Its arguments still need
// not escape: it makes no callback, and without one the stack cannot move
// during a cgo call either.
func (g *gotypes) edits(f *function, sig *signature, decision Function) []edit {
	mode := policy.Mode(decision.Mode)
	registers, reentrant, guarded := sig != nil, mode == policy.Reentrant, mode == policy.Guarded
	var list []edit
	params, args, results, assign := "(frame uintptr)", "frame", "int32", "return "
	frame := f.call.Args[1]
	if reentrant || guarded { // on its way into C the stack can move, and a uintptr would not follow
		params = "(frame unsafe.Pointer)"
	}
	call := fmt.Sprintf("%s(%s)", stubSymbol(f.symbol), g.frame(frame, reentrant || guarded))
	if registers {
		for _, comment := range docLines(f.decl) {
			if comment.Text == "//go:cgo_unsafe_args" {
				list = append(list, g.replace(comment, "//"))
			}
		}
		var names []string
		for _, field := range f.decl.Type.Params.List {
			names = append(names, field.Names[0].Name)
		}
		params, args, results, assign = g.source(f.decl.Type.Params), strings.Join(names, ", "), "", ""
		call = fmt.Sprintf("%s(%s)", stubSymbol(f.symbol), args)
		if r := f.decl.Type.Results; r.NumFields() == 1 && !isIdent(r.List[0].Type, "_Ctype_void") {
			assign = r.List[0].Names[0].Name + " = "
			results = g.source(r)
		}
		if f.uses != nil {
			list = append(list, g.replace(f.uses, keepAlive(f, sig, reentrant)))
		}
	} else if f.uses != nil && !reentrant {
		for _, use := range f.uses.Body.List {
			call := use.(*ast.ExprStmt).X.(*ast.CallExpr)
			list = append(list, g.replace(call.Fun, "_Cgo_keepalive"))
		}
	}
	statement := call
	if registers {
		statement = assign + call
	} else {
		// The statement may also declare errno.
		start, end := g.span(f.stmt)
		callStart, callEnd := g.span(f.call)
		statement = string(g.text[start:callStart]) + call + string(g.text[callEnd:end])
	}
	list = append(list, g.replace(f.stmt, statement))
	for _, stmt := range f.noCall {
		list = append(list, g.replace(stmt, ""))
	}
	head := declareStub(f.symbol, params, results)
	if registers || reentrant {
		again := fmt.Sprintf("%s%s(%s)\n\treturn", assign, stubSymbol(f.symbol), args)
		if !registers {
			again = fmt.Sprintf("return %s(%s)", stubSymbol(f.symbol), args)
		}
		head += exported(yieldSymbol(f.symbol), params, results, again)
		if reentrant {
			head += exported(refillSymbol(f.symbol), params, results, fmt.Sprintf("_wherry_refill(%d)\n\t%s", cstack.Order(decision.Stack), again))
		}
	}
	if guarded && registers {
		head += declareByCgo(f.symbol) + g.original(f) + exported(demotedSymbol(f.symbol), params, results, fmt.Sprintf("%s%s(%s)\n\treturn", assign, originalName(f.symbol), args))
	} else if guarded {
		head += declareByCgo(f.symbol) + exported(demotedSymbol(f.symbol), params, results, fmt.Sprintf("return _cgo_runtime_cgocall(%s, uintptr(frame))", byCgo(f.symbol)))
	}
	start := f.decl.Pos()
	if f.decl.Doc != nil {
		start = f.decl.Doc.Pos()
	}
	at := g.fset.File(start).Offset(start)
	return append([]edit{{at, at, head}}, list...)
}

// original is the function as cgo wrote it, under another name, but for what it
// calls and for its arguments, which need not escape.
func (g *gotypes) original(f *function) string {
	edits := []edit{g.replace(f.decl.Name, originalName(f.symbol)), g.replace(f.call.Args[0], byCgo(f.symbol))}
	if f.uses != nil {
		for _, use := range f.uses.Body.List {
			edits = append(edits, g.replace(use.(*ast.ExprStmt).X.(*ast.CallExpr).Fun, "_Cgo_keepalive"))
		}
	}
	start, end := g.span(f.decl)
	for i := range edits {
		edits[i].start, edits[i].end = edits[i].start-start, edits[i].end-start
	}
	return "\n//go:cgo_unsafe_args\n" + string(apply(g.text[start:end], edits)) + "\n"
}

func originalName(wrapper string) string { return "_wherry_cgo" + strings.TrimPrefix(wrapper, "_cgo") }

// frame is the address of cgo's argument frame, uintptr(unsafe.Pointer(&p0)) or
// 0, as a uintptr or as a pointer.
func (g *gotypes) frame(expr ast.Expr, pointer bool) string {
	if !pointer {
		return g.source(expr)
	}
	if conversion, ok := expr.(*ast.CallExpr); ok {
		return g.source(conversion.Args[0])
	}
	return "unsafe.Pointer(uintptr(0))" // nil may be a name of the package's own
}

// declareStub declares a stub, which is in the package's C objects.
func declareStub(wrapper, params, results string) string {
	stub := stubSymbol(wrapper)
	return fmt.Sprintf("\n//go:cgo_import_static %s\n//go:linkname %s %s\n//go:noescape\nfunc %s%s %s\n", stub, stub, stub, stub, params, results)
}

// declareByCgo declares the C function that stands in place of cgo's wrapper, and
// byCgo is its address, as cgo has that of a wrapper.
func declareByCgo(wrapper string) string {
	symbol := byCgoSymbol(wrapper)
	return fmt.Sprintf("\n//go:cgo_import_static %s\n//go:linkname %s %s\nvar %s byte\n", symbol, symbol, symbol, symbol)
}

func byCgo(wrapper string) string { return "unsafe.Pointer(&" + byCgoSymbol(wrapper) + ")" }

// exported writes a Go function that a stub goes to.
func exported(name, params, results, body string) string {
	return fmt.Sprintf("\n//go:cgo_export_static %s\n//go:linkname %s %s\n//go:noinline\nfunc %s%s %s {\n\t%s\n}\n\n", name, name, name, name, params, results, body)
}

// keepAlive is what stands in place of cgo's use of the arguments after a
// call: nothing, or for a reentrant call an assignment that never happens.
func keepAlive(f *function, sig *signature, reentrant bool) string {
	var uses strings.Builder
	for i, field := range f.decl.Type.Params.List {
		if reentrant && sig.params[i].pointer {
			fmt.Fprintf(&uses, "\t\t_wherry_sink = unsafe.Pointer(%s)\n", field.Names[0].Name)
		}
	}
	if uses.Len() == 0 {
		return ""
	}
	return "if _Cgo_always_false {\n" + uses.String() + "\t}"
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

// misplacedDirectives refuses //wherry: lines in those Go files of the package
// that did not pass through cgo: they would have no effect.
func misplacedDirectives(args []string) error {
	var errs []error
	for _, arg := range args {
		if !strings.HasSuffix(arg, ".go") || strings.HasSuffix(arg, ".cgo1.go") || filepath.Base(arg) == gotypesName || filepath.Base(arg) == "_cgo_import.go" {
			continue
		}
		text, err := os.ReadFile(arg)
		if err != nil || !bytes.Contains(text, []byte("//wherry:")) {
			continue
		}
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, arg, text, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			continue // compile will say so
		}
		_, err = policy.Directives(fset, file, "")
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

func docLines(decl *ast.FuncDecl) []*ast.Comment {
	if decl.Doc == nil {
		return nil
	}
	return decl.Doc.List
}
