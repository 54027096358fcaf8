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

	"github.com/wherrygo/wherry/internal/policy"
)

// beforeCompile redirects the calls of a package that has a plan, in the
// _cgo_gotypes.go that is about to be compiled.
func (c *Config) beforeCompile(args []string) error {
	i := slices.IndexFunc(args, func(arg string) bool { return filepath.Base(arg) == gotypesName })
	if i < 0 {
		return nil
	}
	objdir := filepath.Dir(args[i])
	text, err := os.ReadFile(filepath.Join(objdir, planName))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	p := new(plan)
	if err == nil {
		err = json.Unmarshal(text, p)
	}
	if err != nil {
		return fmt.Errorf("accel: %w", err)
	}
	if err := misplacedDirectives(args); err != nil {
		return err
	}
	g, err := parseGotypes(args[i])
	if err != nil {
		return fmt.Errorf("accel: %w", err)
	}
	edited, err := g.redirect(p, objdir)
	if err != nil {
		return err
	}
	return os.WriteFile(args[i], edited, 0o666)
}

// redirect gives the file's text with the planned calls made direct, and with
// the report at its end.
func (g *gotypes) redirect(p *plan, objdir string) ([]byte, error) {
	report := Report{Package: p.Package, Accelerated: []Function{}, Kept: []Function{}, Warnings: p.Warnings}
	var edits []edit
	for _, call := range p.Calls {
		i := slices.IndexFunc(g.functions, func(f *function) bool { return f.decl.Name.Name == call.GoName })
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
			edits = append(edits, g.edits(f, call.Registers)...)
		}
		report.add(call.Function)
	}
	declaration, err := report.declaration()
	if err != nil {
		return nil, fmt.Errorf("accel: %w", err)
	}
	return append(apply(g.text, edits), declaration...), nil
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

// edits makes one function's call direct.
//
// With all values in registers the function becomes an ordinary Go function
// of one call: no argument frame, so it can be inlined, and nothing escapes.
// Being inlined it has no prologue where a goroutine could be preempted, so
// the stub does Go's stack check, and goes to the function added here.
// Otherwise cgo's frame stays, and its address is the call's only argument.
// Either way the arguments need not escape: during a direct call the
// goroutine's stack cannot move.
func (g *gotypes) edits(f *function, registers bool) []edit {
	stub := stubSymbol(f.symbol)
	head := fmt.Sprintf("\n//go:cgo_import_static %s\n//go:linkname %s %s\n//go:noescape\n", stub, stub, stub)
	var list []edit
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
		call := fmt.Sprintf("%s(%s)", stub, strings.Join(names, ", "))
		results := ""
		if r := f.decl.Type.Results; r.NumFields() == 1 && !isIdent(r.List[0].Type, "_Ctype_void") {
			call = r.List[0].Names[0].Name + " = " + call
			results = g.source(r)
		}
		list = append(list, g.replace(f.stmt, call))
		params := g.source(f.decl.Type.Params)
		head += fmt.Sprintf("func %s%s %s\n", stub, params, results)
		yield := yieldSymbol(f.symbol)
		head += fmt.Sprintf("\n//go:cgo_export_static %s\n//go:linkname %s %s\n//go:noinline\nfunc %s%s %s {\n\t%s\n\treturn\n}\n\n", yield, yield, yield, yield, params, results, call)
		if f.uses != nil {
			list = append(list, g.replace(f.uses, ""))
		}
	} else {
		list = append(list, g.replace(f.call, fmt.Sprintf("%s(%s)", stub, g.source(f.call.Args[1]))))
		head += fmt.Sprintf("func %s(frame uintptr) int32\n\n", stub)
		if f.uses != nil {
			for _, use := range f.uses.Body.List {
				call := use.(*ast.ExprStmt).X.(*ast.CallExpr)
				list = append(list, g.replace(call.Fun, "_Cgo_keepalive"))
			}
		}
	}
	for _, stmt := range f.noCall {
		list = append(list, g.replace(stmt, ""))
	}
	start := f.decl.Pos()
	if f.decl.Doc != nil {
		start = f.decl.Doc.Pos()
	}
	at := g.fset.File(start).Offset(start)
	return append([]edit{{at, at, head}}, list...)
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
