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

	"github.com/wherrygo/wherry/internal/build/policy"
	"github.com/wherrygo/wherry/internal/crossing/inflight"
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
	edited, err := c.redirect(g, p, objdir)
	if err != nil {
		return nil, err
	}
	return p, os.WriteFile(args[i], edited, 0o666)
}

// redirect returns the file's text with the planned calls redirected to their
// stubs, and with the report at its end.
func (c *Config) redirect(g *gotypes, p *plan, objdir string) ([]byte, error) {
	report := Report{Package: p.Package, Accelerated: []Function{}, Kept: []Function{}, Warnings: p.Warnings}
	judged, callers := c.verdicts(objdir, p, &report), g.mentions(objdir)
	var edits []edit
	for _, call := range p.Calls {
		i := slices.IndexFunc(g.functions, func(f *function) bool { return f.decl.Name.Name == call.GoName })
		v, known := judged[call.Symbol]
		flags := 0
		if known {
			flags = v.decide(&call, c.Static)
		}
		if call.Mode != "" && i < 0 {
			call.Mode, call.Why = "", "its generated Go function is gone"
		}
		if call.Mode != "" {
			f := g.functions[i]
			if err := f.recognize(); err != nil {
				return nil, fmt.Errorf("accel: BUG: %s.%s was recognized after cgo and is not now: %w", p.Package, call.GoName, err)
			}
			var registers *signature
			if sig, ok := g.signature(f, c.GoArch); ok && call.Registers {
				registers = &sig
			}
			call.Escapes = !call.NoCallback && registers != nil && slices.ContainsFunc(registers.params, func(p part) bool { return p.pointer })
			stub := f.stub(&call, registers, p.Package)
			stub.Flags |= flags
			stub.OnStack = stub.OnStack || flags&inflight.MaySwitch != 0 && (v.callsBack() || callers[twinSymbol(f.symbol)])
			p.stubs = append(p.stubs, stub)
			edits = append(edits, g.edits(f, registers, call.Function)...)
		}
		report.add(call.Function)
	}
	declaration, err := report.declaration()
	if err != nil {
		return nil, fmt.Errorf("accel: %w", err)
	}
	if len(p.stubs) > 0 {
		check, err := g.pointerCheck("_wherry_check_"+p.stubs[0].Symbol, c.Offsets.Heap)
		if err != nil {
			return nil, err
		}
		edits = append(edits, check...)
	}
	text := append(apply(g.text, edits), declaration...)
	if p.unit() {
		text = append(text, unitDeclarations+p.Exported...)
		if c.target().Lends() {
			text = append(text, lendDeclarations...)
		}
	}
	return text, nil
}

// unit reports whether the package needs what calls and callbacks share.
func (p *plan) unit() bool { return p.Exports || len(p.stubs) > 0 }

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

// edits redirects one function's call to its stub.
//
// With all values in registers the function becomes an ordinary Go function
// of one call: no argument frame, so it can be inlined. Being inlined it has no
// prologue where a goroutine could be preempted, so the stub does Go's stack
// check, and goes to the function added here. Otherwise cgo's frame stays, and
// its address is the call's only argument.
//
// When a call is turned the collector can run while C does, so the arguments live
// until the call returns. They escape, as cgo's do, unless no callback can come:
// only that could move the goroutine's stack.
func (g *gotypes) edits(f *function, sig *signature, decision Function) []edit {
	var list []edit
	params, results := "(frame uintptr)", "int32"
	call := fmt.Sprintf("%s(%s)", stubSymbol(f.symbol), g.source(f.call.Args[1]))
	if sig != nil {
		for _, comment := range docLines(f.decl) {
			if comment.Text == "//go:cgo_unsafe_args" {
				list = append(list, g.replace(comment, "//"))
			}
		}
		var passed string
		params, passed = sig.goParams()
		call = fmt.Sprintf("%s(%s)", stubSymbol(f.symbol), passed)
	}
	if f.uses != nil {
		list = append(list, g.uses(f, sig, decision.NoCallback)...)
	}
	if sig != nil {
		var assign string
		results, assign = sig.goResults()
		if sig.errno {
			assign = "var errno syscall.Errno\n\t" + assign
		}
		list = append(list, g.replace(f.stmt, assign+call))
	} else {
		list = append(list, g.replace(f.call, call)) // its statement may also declare errno
	}
	for _, stmt := range f.noCall {
		list = append(list, g.replace(stmt, ""))
	}
	head := declareStub(f.symbol, params, results)
	if sig != nil {
		head += exported(yieldSymbol(f.symbol), params, results, sig.yields(stubSymbol(f.symbol)))
	}
	start := f.decl.Pos()
	if f.decl.Doc != nil {
		start = f.decl.Doc.Pos()
	}
	at := g.fset.File(start).Offset(start)
	return append([]edit{{at, at, head}}, list...)
}

// uses edits the lines by which cgo has the arguments escape and live on. A function
// that takes them in registers has to stay small enough to be inlined, so there an
// assignment that never happens takes the place of a call.
func (g *gotypes) uses(f *function, sig *signature, noCallback bool) (list []edit) {
	if sig == nil {
		for _, use := range f.uses.Body.List {
			if noCallback {
				list = append(list, g.replace(use.(*ast.ExprStmt).X.(*ast.CallExpr).Fun, "_Cgo_keepalive"))
			}
		}
		return list
	}
	escapes := !noCallback && len(f.uses.Body.List) > 0 && isCallTo(f.uses.Body.List[0], "_Cgo_use")
	var text strings.Builder
	for _, p := range sig.params {
		switch {
		case p.pointer && escapes:
			fmt.Fprintf(&text, "\t\t_wherry_sink = unsafe.Pointer(%s)\n", p.path)
		case p.pointer:
			fmt.Fprintf(&text, "\t\t_wherry_kept = uintptr(unsafe.Pointer(%s))\n", p.path)
		}
	}
	if text.Len() == 0 {
		return []edit{g.replace(f.uses, "")}
	}
	return []edit{g.replace(f.uses, "if _Cgo_always_false {\n"+text.String()+"\t}")}
}

// declareStub declares a stub, which is in the package's C objects.
func declareStub(wrapper, params, results string) string {
	stub := stubSymbol(wrapper)
	return fmt.Sprintf("\n//go:cgo_import_static %s\n//go:linkname %s %s\n//go:noescape\nfunc %s%s %s\n", stub, stub, stub, stub, params, results)
}

// exported writes a Go function that a stub goes to.
func exported(name, params, results, body string) string {
	return fmt.Sprintf("\n//go:cgo_export_static %s\n//go:linkname %s %s\n//go:noinline\nfunc %s%s %s {\n\t%s\n}\n\n", name, name, name, name, params, results, body)
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
