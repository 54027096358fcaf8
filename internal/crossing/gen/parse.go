package gen

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/build/constraint"
	"go/parser"
	"go/printer"
	"go/token"
	"go/types"
	"strings"
)

// A file is what a Go file declares.
type file struct {
	Package   string
	Source    string // its base name
	Base      string // without .go
	Functions []function
}

// A function is one stub.
type function struct {
	Name    string // in Go
	C       string
	Doc     []string // lines of its comment, without the directive
	Params  []value
	Results []value // none or one
}

const directive = "//wherry:bind "

// parse reads a file. All that is wrong in it is in the error, a line each.
func parse(name string, text []byte) (*file, error) {
	set := token.NewFileSet()
	tree, err := parser.ParseFile(set, name, text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	var problems []string
	problem := func(at token.Pos, format string, args ...any) {
		p := set.Position(at)
		problems = append(problems, fmt.Sprintf("%s:%d:%d: %s", name, p.Line, p.Column, fmt.Sprintf(format, args...)))
	}
	f := &file{Package: tree.Name.Name}
	if !ignored(tree) {
		problem(tree.Package, "want the line //go:build ignore above: the generated files declare the same functions")
	}
	seen := map[string]bool{}
	for _, decl := range tree.Decls {
		d, ok := decl.(*ast.FuncDecl)
		if !ok {
			continue // imports, and types for the reader's sake
		}
		fn := function{Name: d.Name.Name}
		if d.Doc != nil {
			for _, line := range d.Doc.List {
				if c, ok := strings.CutPrefix(line.Text, directive); ok {
					fn.C = strings.TrimSpace(c)
				} else {
					fn.Doc = append(fn.Doc, line.Text)
				}
			}
		}
		for len(fn.Doc) > 0 && fn.Doc[len(fn.Doc)-1] == "//" {
			fn.Doc = fn.Doc[:len(fn.Doc)-1]
		}
		switch {
		case fn.C == "":
			problem(d.Pos(), "%s has no comment %sC_NAME", fn.Name, directive)
		case !isIdentifier(fn.C):
			problem(d.Pos(), "%s: %q is no name of a C function", fn.Name, fn.C)
		case d.Body != nil:
			problem(d.Body.Pos(), "%s has a body; C has it", fn.Name)
		case d.Recv != nil || d.Type.TypeParams != nil:
			problem(d.Pos(), "%s: methods and generic functions cannot be stubs; write a plain function", fn.Name)
		case seen[fn.Name]:
			problem(d.Pos(), "%s is declared twice", fn.Name)
		}
		seen[fn.Name] = true
		fn.Params = values(d.Type.Params, "p", func(at ast.Expr, why string) { problem(at.Pos(), "%s: %s", fn.Name, why) })
		fn.Results = values(d.Type.Results, "r", func(at ast.Expr, why string) { problem(at.Pos(), "%s: %s", fn.Name, why) })
		if len(fn.Results) > 1 {
			problem(d.Type.Results.Pos(), "%s: C returns one result; for errno use direct.Bind", fn.Name)
		}
		for _, r := range fn.Results {
			if r.kind == stringKind || r.kind == sliceKind {
				problem(d.Type.Results.Pos(), "%s: C returns no %s; return a pointer and copy", fn.Name, r.Type)
			}
		}
		fn.rename()
		f.Functions = append(f.Functions, fn)
	}
	if len(f.Functions) == 0 && len(problems) == 0 {
		problem(tree.Package, "no function has a comment %sC_NAME", directive)
	}
	if len(problems) > 0 {
		return nil, fmt.Errorf("%s", strings.Join(problems, "\n"))
	}
	return f, nil
}

// rename gives parameters and results names that differ from each other and from what
// the stub uses: packages, predeclared types and functions.
func (f *function) rename() {
	seen := map[string]bool{"args": true, "direct": true, "unsafe": true}
	for _, values := range [][]value{f.Params, f.Results} {
		for i := range values {
			for seen[values[i].Name] || types.Universe.Lookup(values[i].Name) != nil {
				values[i].Name += "_"
			}
			seen[values[i].Name] = true
		}
	}
}

func ignored(tree *ast.File) bool {
	for _, group := range tree.Comments {
		for _, line := range group.List {
			if line.Pos() < tree.Package && constraint.IsGoBuild(line.Text) {
				if expr, err := constraint.Parse(line.Text); err == nil {
					return expr.String() == "ignore"
				}
			}
		}
	}
	return false
}

func isIdentifier(name string) bool { return token.IsIdentifier(name) || token.IsKeyword(name) }

// values returns the parameters or the results, all with names.
func values(list *ast.FieldList, letter string, problem func(ast.Expr, string)) []value {
	if list == nil {
		return nil
	}
	var all []value
	for _, field := range list.List {
		names := field.Names
		if len(names) == 0 {
			names = []*ast.Ident{{Name: "_"}}
		}
		kind, why := kindOf(field.Type)
		if why != "" {
			problem(field.Type, why)
		}
		for _, name := range names {
			v := value{Name: name.Name, Type: source(field.Type), kind: kind}
			if v.Name == "_" || letter == "r" {
				v.Name = fmt.Sprintf("%s%d", letter, len(all))
			}
			all = append(all, v)
		}
	}
	return all
}

func source(e ast.Expr) string {
	var b bytes.Buffer
	if err := printer.Fprint(&b, token.NewFileSet(), e); err != nil {
		return fmt.Sprint(err)
	}
	return b.String()
}
