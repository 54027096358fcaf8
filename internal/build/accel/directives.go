package accel

import (
	"bytes"
	"errors"
	"fmt"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/wherrygo/wherry/internal/build/policy"
	"github.com/wherrygo/wherry/internal/nearest"
	"github.com/wherrygo/wherry/internal/regular"
)

func readDirectives(cgo *cgoCommand) (rules []policy.Rule, mistakes []error) {
	fset := token.NewFileSet()
	for _, path := range cgo.files {
		text, err := regular.Source(path)
		if err != nil {
			continue
		}
		file, err := parser.ParseFile(fset, path, text, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			continue // cgo read it, so this is a flag's value
		}
		found, err := policy.Directives(fset, file, cgo.importPath)
		rules, mistakes = append(rules, found...), append(mistakes, err)
	}
	return rules, mistakes
}

// mistaken returns what is wrong with directives of a package: in a main module an error, as
// warnings elsewhere, where the user can mend nothing.
func (c *Config) mistaken(mistakes []error, p *plan) (warnings []string, err error) {
	err = errors.Join(mistakes...)
	if err == nil || c.isMain(p) {
		return nil, err
	}
	for line := range strings.Lines(err.Error()) {
		warnings = append(warnings, strings.TrimSuffix(line, "\n")+"; ignored")
	}
	return warnings, nil
}

// unmatched looks for rules that name no function of the package. In a main
// module that is the user's mistake and an error; elsewhere a dependency may
// have changed, and the build goes on with a warning.
func (c *Config) unmatched(source *parsed, p *plan) (warnings []string, err error) {
	var names []string
	for _, f := range source.functions {
		names = append(names, f.name)
	}
	names = append(names, "malloc") // C.CString may or may not need it
	var errs []error
	for _, rule := range policy.Unmatched(source.rules, names) {
		text := fmt.Sprintf("%s matches no C function that %s calls", rule.Glob, rule.Package) + nearest.DidYouMean(rule.Glob, names)
		if c.isMain(p) {
			errs = append(errs, &policy.Error{Pos: rule.Pos(), Message: text})
		} else {
			warnings = append(warnings, rule.Pos()+": "+text)
		}
	}
	return warnings, errors.Join(errs...)
}

// IsMain reports whether a package belongs to a main module, by its path.
func (c *Config) IsMain(pkg string) bool {
	return pkg == "command-line-arguments" ||
		slices.ContainsFunc(c.Main, func(m Module) bool { return strings.HasPrefix(pkg+"/", m.Path+"/") })
}

// isMain is IsMain while the package is built, when its folder is known.
func (c *Config) isMain(p *plan) bool { return c.IsMain(p.Package) && !isOthers(p.Dir) }

// isOthers reports whether a folder is one of the module cache, whose names have a version, or
// vendored: a module's path can begin with that of a main module.
func isOthers(dir string) bool {
	return strings.Contains(dir, "@") || strings.Contains(filepath.ToSlash(dir)+"/", "/vendor/")
}

// misplacedDirectives returns what is wrong with //wherry: lines in those Go files of the package
// that did not pass through cgo: they would have no effect.
func misplacedDirectives(files []string) (mistakes []error) {
	for _, arg := range files {
		if strings.HasSuffix(arg, ".cgo1.go") || filepath.Base(arg) == gotypesName || filepath.Base(arg) == "_cgo_import.go" {
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
		mistakes = append(mistakes, err)
	}
	return mistakes
}
