package policy

import (
	"errors"
	"go/ast"
	"go/token"
	"slices"
	"strings"

	"github.com/wherrygo/wherry/internal/printable"
)

const directivePrefix = "//wherry:"

// Directives reads the lines `//wherry:MODE NAME...` of a Go file. Only files
// that import "C" may have them: the others do not pass through cgo, and a
// directive there would have no effect.
func Directives(fset *token.FileSet, file *ast.File, pkg string) ([]Rule, error) {
	var rules []Rule
	var errs []error
	for _, group := range file.Comments {
		for _, comment := range group.List {
			text, ok := strings.CutPrefix(comment.Text, directivePrefix)
			if !ok {
				continue
			}
			pos := fset.Position(comment.Pos())
			pos.Filename = printable.Line(pos.Filename) // a line directive's, where there is one
			fail := func(format string, args ...any) {
				errs = append(errs, errorAt(pos.Filename, pos.Line, format, args...))
			}
			words := strings.Fields(text)
			switch {
			case len(words) == 0 || text[0] == ' ':
				fail("empty //wherry: directive: want //wherry:fast NAME..., //wherry:reentrant NAME..., //wherry:nocallback NAME... or //wherry:cgo " +
					"NAME...")
				continue
			case !importsC(file):
				fail(`//wherry:%s stands in a file that does not import "C", where it has no effect; move it to one that does`, shortened(words[0]))
				continue
			case len(words) == 1:
				fail("//wherry:%s names no function: want //wherry:%s NAME...", shortened(words[0]), shortened(words[0]))
				continue
			}
			here, mistakes := []Rule(nil), len(errs)
			for _, glob := range words[1:] {
				rule := Rule{File: pos.Filename, Line: pos.Line, Package: pkg, Glob: glob, Directive: true}
				if err := rule.setMode(words[0]); err != nil {
					errs = append(errs, err)
				}
				here = append(here, rule)
			}
			if len(errs) == mistakes { // a line with a mistake has no effect
				rules = append(rules, here...)
			}
		}
	}
	return rules, errors.Join(errs...)
}

func importsC(file *ast.File) bool {
	return slices.ContainsFunc(file.Imports, func(spec *ast.ImportSpec) bool { return spec.Path.Value == `"C"` })
}

// Unmatched returns the rules that speak of none of the functions.
func Unmatched(rules []Rule, functions []string) []Rule {
	return slices.DeleteFunc(slices.Clone(rules), func(rule Rule) bool { return slices.ContainsFunc(functions, rule.Matches) })
}
