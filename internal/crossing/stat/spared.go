package stat

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
)

// An Allocation is where the compiler says (-m) that Go code allocates.
type Allocation struct {
	File         string
	Line, Column int
}

var allocates = regexp.MustCompile(`(?m)^(.+\.go):(\d+):(\d+): (?:moved to heap: .*|.* escapes to heap)$`)

// Allocations reads what the compiler says with -m. Names of files begin in dir.
func Allocations(output, dir string) map[Allocation]bool {
	all := map[Allocation]bool{}
	for _, m := range allocates.FindAllStringSubmatch(output, -1) {
		line, _ := strconv.Atoi(m[2]) // digits
		column, _ := strconv.Atoi(m[3])
		if !filepath.IsAbs(m[1]) {
			m[1] = filepath.Join(dir, m[1])
		}
		all[Allocation{filepath.Clean(m[1]), line, column}] = true
	}
	return all
}

// Spared returns how many allocations a call of each C function would spare, on average
// over the places in a package's files that call it, if the given ones did not happen.
// An allocation belongs to the calls to which its variable is passed.
func Spared(files []string, gone map[Allocation]bool) map[string]float64 {
	calls, spared := map[string]float64{}, map[string]float64{}
	fset := token.NewFileSet()
	for _, path := range files {
		file, err := parser.ParseFile(fset, path, nil, parser.SkipObjectResolution)
		if err != nil {
			continue // the go command built it, so it has changed since
		}
		for _, decl := range file.Decls {
			called := callsOfC(decl)
			for _, c := range called {
				calls[c.name]++
			}
			for a := range gone {
				if a.File == path && fset.Position(decl.Pos()).Line <= a.Line && a.Line <= fset.Position(decl.End()).Line {
					at := fset.File(decl.Pos()).LineStart(a.Line) + token.Pos(a.Column-1)
					for _, c := range madeFor(at, variable(decl, at), called) {
						spared[c.name] += c.part
					}
				}
			}
		}
	}
	for name := range spared {
		spared[name] /= calls[name]
	}
	return spared
}

// A callOfC is C.name(...), in loops.
type callOfC struct {
	name  string
	call  *ast.CallExpr
	loops []ast.Node
	part  float64 // of an allocation
}

func callsOfC(decl ast.Node) (all []callOfC) {
	var around []ast.Node
	ast.Inspect(decl, func(n ast.Node) bool {
		if n == nil {
			around = around[:len(around)-1]
			return true
		}
		around = append(around, n)
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		if f, ok := call.Fun.(*ast.SelectorExpr); ok {
			if pkg, ok := f.X.(*ast.Ident); ok && pkg.Name == "C" {
				found := callOfC{name: f.Sel.Name, call: call}
				for _, n := range around {
					switch n.(type) {
					case *ast.ForStmt, *ast.RangeStmt:
						found.loops = append(found.loops, n)
					}
				}
				all = append(all, found)
			}
		}
		return true
	})
	return all
}

// madeFor returns the calls that an allocation is made for, each with its part: those
// that it stands in, or to which its variable is passed, but not in a loop behind it.
func madeFor(at token.Pos, name string, called []callOfC) (list []callOfC) {
	for _, c := range called {
		inside := c.call.Pos() <= at && at < c.call.End()
		behind := func(loop ast.Node) bool { return at < loop.Pos() || loop.End() <= at }
		if (inside || name != "" && mentions(c.call, name)) && !slices.ContainsFunc(c.loops, behind) {
			list = append(list, c)
		}
	}
	for i := range list {
		list[i].part = 1 / float64(len(list))
	}
	return list
}

// variable returns the name of the one that is declared at a place, or to which an
// expression there is assigned.
func variable(decl ast.Node, at token.Pos) (name string) {
	ast.Inspect(decl, func(n ast.Node) bool {
		var left, right []ast.Expr
		switch n := n.(type) {
		case *ast.Ident:
			if n.Pos() == at {
				name = n.Name
			}
		case *ast.AssignStmt:
			left, right = n.Lhs, n.Rhs
		case *ast.ValueSpec:
			for _, name := range n.Names {
				left = append(left, name)
			}
			right = n.Values
		}
		for i, value := range right {
			if value.Pos() <= at && at < value.End() && i < len(left) {
				if ident, ok := left[i].(*ast.Ident); ok {
					name = ident.Name
				}
			}
		}
		return true
	})
	return name
}

func mentions(call *ast.CallExpr, name string) (found bool) {
	for _, arg := range call.Args {
		ast.Inspect(arg, func(n ast.Node) bool {
			ident, ok := n.(*ast.Ident)
			found = found || ok && ident.Name == name
			return !found
		})
	}
	return found
}
