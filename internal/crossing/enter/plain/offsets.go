package main

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/wherrygo/wherry/internal/crossing/enter"
)

// versions are the files of package self for Go's versions, the newest first. GO_MINOR comes
// from package turning's flags for the C compiler.
var versions = []struct {
	minor int
	file  string
}{{26, "offsets.go"}, {25, "offsets_go125.go"}, {24, "offsets_go124.go"}}

// offsets returns package self's constants as macros of C.
func offsets(dir string) (string, error) {
	var text strings.Builder
	for i, version := range versions {
		scope, err := constants(filepath.Join(dir, "doc.go"), filepath.Join(dir, version.file))
		if err != nil {
			return "", err
		}
		fmt.Fprintf(&text, "#%s GO_MINOR >= %d\n", []string{"if", "elif"}[min(i, 1)], version.minor)
		for _, name := range slices.Sorted(maps.Keys(enter.Constants)) {
			value, ok := scope.Lookup(enter.Constants[name]).(*types.Const)
			if !ok {
				return "", fmt.Errorf("package self has no constant %s", enter.Constants[name])
			}
			n, _ := constant.Int64Val(value.Val())
			fmt.Fprintf(&text, "#define %s %d\n", name, n)
		}
	}
	text.WriteString("#endif\n")
	return text.String(), nil
}

// constants returns the names that files declare.
func constants(names ...string) (*types.Scope, error) {
	set := token.NewFileSet()
	var files []*ast.File
	for _, name := range names {
		file, err := parser.ParseFile(set, name, nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		files = append(files, file)
	}
	config := types.Config{Error: func(error) {}} // what else they declare is in other files
	p, _ := config.Check("self", set, files, nil)
	return p.Scope(), nil
}
