package accel

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"iter"
	"path/filepath"

	"github.com/wherrygo/wherry/internal/regular"
)

// ownNames lists what a package's own Go files declare outside of functions, those in its
// folder that belong to other builds included: int32 in cgo's file may be one of
// them, and then how it travels is not known here.
func ownNames(pkg string, files []string) map[string]bool {
	own := map[string]bool{}
	for _, path := range files {
		text, err := regular.Source(path)
		if err != nil {
			continue // in no build
		}
		file, _ := parser.ParseFile(token.NewFileSet(), path, text, parser.SkipObjectResolution)
		if file == nil || file.Name.Name != pkg {
			continue // a flag's value, or of no concern
		}
		for name := range declaredNames(file) {
			own[name.Name] = true
		}
	}
	return own
}

// predeclared returns which of the names are Go's own for types.
func predeclared(names map[string]bool) (found []string) {
	for _, name := range types.Universe.Names() {
		if _, isType := types.Universe.Lookup(name).(*types.TypeName); isType && names[name] {
			found = append(found, name)
		}
	}
	return found
}

// declaredNames iterates over the names that a file declares outside of functions.
func declaredNames(file *ast.File) iter.Seq[*ast.Ident] {
	return func(yield func(*ast.Ident) bool) {
		for _, decl := range file.Decls {
			var names []*ast.Ident
			switch decl := decl.(type) {
			case *ast.FuncDecl:
				if decl.Recv == nil {
					names = []*ast.Ident{decl.Name}
				}
			case *ast.GenDecl:
				for _, spec := range decl.Specs {
					switch spec := spec.(type) {
					case *ast.TypeSpec:
						names = append(names, spec.Name)
					case *ast.ValueSpec:
						names = append(names, spec.Names...)
					}
				}
			}
			for _, name := range names {
				if !yield(name) {
					return
				}
			}
		}
	}
}

// declaredTypes iterates over the types that a file declares outside of functions.
func declaredTypes(file *ast.File) iter.Seq[*ast.TypeSpec] {
	return func(yield func(*ast.TypeSpec) bool) {
		for _, decl := range file.Decls {
			if decl, ok := decl.(*ast.GenDecl); ok {
				for _, spec := range decl.Specs {
					if t, ok := spec.(*ast.TypeSpec); ok && !yield(t) {
						return
					}
				}
			}
		}
	}
}

// goFiles lists the Go files of a package: those in its folder, those that
// -overlay puts there or in the place of one, whatever their names, and cgo's
// arguments.
func (c *Config) goFiles(cgo *cgoCommand) []string {
	files := append(inFolder(cgo.dir, "*.go"), cgo.files...)
	for path, replacement := range c.Overlay {
		if replacement != "" && filepath.Ext(path) == ".go" && resolved(filepath.Dir(path)) == resolved(cgo.dir) {
			files = append(files, replacement)
		}
	}
	return files
}

// resolved returns a path without symbolic links, or as it is where none is there.
func resolved(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	return path
}
