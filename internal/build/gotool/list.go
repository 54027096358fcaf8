package gotool

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"path/filepath"
	"slices"

	"github.com/wherrygo/wherry/internal/build/policy"
	"github.com/wherrygo/wherry/internal/regular"
)

// A Package is what go list says of one package.
type Package struct {
	ImportPath                string
	Name                      string
	Dir                       string
	Export                    string // its archive in the build cache
	BuildID                   string // of that
	CgoFiles, IgnoredGoFiles  []string
	SwigFiles, SwigCXXFiles   []string
	Imports                   []string
	CgoLDFLAGS                []string
	TestGoFiles, XTestGoFiles []string
	Standard                  bool
	ForTest                   string
	Error                     *struct{ Err string }
}

// UsesCgo reports whether cgo handles the package: what SWIG writes goes through cgo too.
func (p *Package) UsesCgo() bool { return len(p.CgoFiles)+len(p.SwigFiles)+len(p.SwigCXXFiles) > 0 }

// List runs go list with the command's own flags.
func (c *Command) List(packages []string, flags ...string) ([]Package, error) {
	args := slices.Concat([]string{"list"}, c.PackageFlags(), flags,
		[]string{"-e", "-json=ImportPath,Name,Dir,Export,BuildID,CgoFiles,SwigFiles,SwigCXXFiles,CgoLDFLAGS,IgnoredGoFiles,Imports,TestGoFiles," +
			"XTestGoFiles,Standard,ForTest,Error", "--"}, packages)
	output, err := run("", args...)
	if err != nil {
		return nil, err
	}
	var list []Package
	for decoder := json.NewDecoder(bytes.NewReader(output)); ; {
		var p Package
		if err := decoder.Decode(&p); errors.Is(err, io.EOF) {
			return list, nil
		} else if err != nil {
			return nil, fmt.Errorf("go list: %w", err)
		}
		list = append(list, p)
	}
}

// CheckPackages looks for rules about packages that do not exist or that are
// not cgo packages. A package that uses cgo in another build, under other tags,
// is worth a warning.
func (c *Command) CheckPackages(rules []policy.Rule) (warnings []error, err error) {
	var paths []string
	for _, rule := range rules {
		if !slices.Contains(paths, rule.Package) {
			paths = append(paths, rule.Package)
		}
	}
	if len(paths) == 0 {
		return nil, nil
	}
	list, err := c.List(paths, "-find")
	if err != nil {
		return nil, err
	}
	var errs []error
	for _, path := range paths {
		message, into := "", &errs
		i := slices.IndexFunc(list, func(p Package) bool { return p.ImportPath == path })
		switch {
		case i < 0:
			message = fmt.Sprintf("%s names no single package; want an import path", path)
		case list[i].Error != nil && !list[i].UsesCgo():
			message = fmt.Sprintf("cannot find package %s: %s", path, list[i].Error.Err)
		case list[i].Standard:
			message = fmt.Sprintf("%s is in the standard library, which wherry leaves alone; remove the line", path)
		case !list[i].UsesCgo() && list[i].ignoresCgo():
			message = fmt.Sprintf(`%s uses cgo only under other build tags; the line has no effect in this build`, path)
			into = &warnings
		case !list[i].UsesCgo():
			message = fmt.Sprintf(`%s is not a cgo package: no Go file of this build imports "C", and no SWIG file is there; remove the line`, path)
		}
		if message == "" {
			continue
		}
		for i := range rules {
			if rules[i].Package == path {
				*into = append(*into, &policy.Error{Pos: rules[i].Pos(), Message: message})
				break
			}
		}
	}
	return warnings, errors.Join(errs...)
}

// ignoresCgo reports whether a file that this build leaves out imports "C".
func (p *Package) ignoresCgo() bool {
	return slices.ContainsFunc(p.IgnoredGoFiles, func(name string) bool {
		text, err := regular.Source(filepath.Join(p.Dir, name))
		if err != nil {
			return false
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, text, parser.ImportsOnly)
		return err == nil && slices.ContainsFunc(file.Imports, func(s *ast.ImportSpec) bool { return s.Path.Value == `"C"` })
	})
}
