package accel

import (
	"errors"
	"fmt"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/wherrygo/wherry/internal/build/policy"
	"github.com/wherrygo/wherry/internal/crossing"
	"github.com/wherrygo/wherry/internal/nearest"
	"github.com/wherrygo/wherry/internal/regular"
)

// A parsed package is what cgo left of one, as far as it is of concern.
type parsed struct {
	*gotypes
	rules    []policy.Rule
	wrappers map[string]wrapper
}

// A decision is what becomes of one generated Go function.
type decision struct {
	Function
	GoName    string `json:"go_name"`   // the generated function
	Symbol    string `json:"symbol"`    // its C wrapper
	Registers bool   `json:"registers"` // values travel in registers, not in cgo's frame
	Promised  string `json:"promised"`  // who says that it does not call back; empty: its code
}

// afterCgo decides about the package that cgo just handled and adds the C
// side of its direct calls.
func (c *Config) afterCgo(cgo *cgoCommand) error {
	if cgo.importPath == "" || within(cgo.dir, filepath.Join(c.GoRoot, "src")) {
		return nil // the standard library stays as it is
	}
	if !c.Static && (slices.Contains(cgo.ldflags, "-static") || slices.Contains(cgo.ldflags, "-static-pie")) {
		return c.becomeStatic(cgo.importPath)
	}
	generated, err := parseGotypes(filepath.Join(cgo.objdir, gotypesName))
	if err != nil {
		return nil // no plan: compile finds none and changes nothing
	}
	p := &plan{Package: cgo.importPath}
	generated.own = ownTypes(generated.file.Name.Name, c.goFiles(cgo))
	directives, mistakes := readDirectives(cgo)
	if p.Warnings, err = c.mistaken(mistakes, cgo.dir); err != nil {
		return err
	}
	source := &parsed{generated, slices.Concat(policy.For(c.Rules, cgo.importPath), directives), readWrappers(cgo.objdir)}
	warnings, err := c.unmatched(source, cgo.dir)
	if err != nil {
		return err
	}
	p.Warnings = append(p.Warnings, warnings...)
	text := &cText{c, cgo, source, c.newCounter(cgo), map[string]*strings.Builder{}, map[string][]*alignments{}}
	for _, f := range generated.functions {
		d := c.decide(source.rules, f)
		if d.Mode != policy.Cgo {
			if err := text.addTwin(&d, f); err != nil {
				d.Mode, d.Why, d.ByRule = policy.Cgo, fmt.Sprintf("%s (%s)", err, c.GoVersion), false
			}
		}
		text.counter.call(d, f, source.wrappers)
		p.Calls = append(p.Calls, d)
	}
	if err := text.finish(p); err != nil {
		return err
	}
	c.linkInputs(p, cgo)
	return errors.Join(breakLines(cgo.objdir), p.store(cgo.objdir))
}

// decide returns what the rules say of a function, or the default.
func (c *Config) decide(rules []policy.Rule, f *function) decision {
	rule := policy.Decide(rules, f.name)
	d := decision{GoName: f.decl.Name.Name, Promised: promised(rule)}
	d.Name = f.name
	switch {
	case rule == nil && c.OnCgo:
		d.Why, d.Word, d.Asks = "no rule names it", policy.Fast.String(), policy.Asks(policy.Fast)
		return d
	case rule == nil:
		d.Mode, d.Why = policy.Fast, "by default"
		return d
	case rule.Directive:
		d.Why = directiveText(rule)
	default:
		d.Why, d.ByPolicy = "named by a line of wherry.policy", true
	}
	d.Mode, d.Stack, d.ByRule = rule.Mode, rule.Stack, true
	if rule.Mode == policy.NoCallback {
		d.Mode, d.NoCallback = policy.Fast, true
	}
	return d
}

const _ = uint(crossing.MaxSize - policy.MaxStack) // what a rule may say can be had

// promised says whose word it is that a function does not call back, if it is that of a
// rule. A line of a policy is named by what it says: where it stands may change, and the
// package is not built again.
func promised(rule *policy.Rule) string {
	switch {
	case rule == nil || rule.Mode != policy.NoCallback:
		return ""
	case rule.Directive:
		return directiveText(rule)
	}
	return fmt.Sprintf("the line \"%s %s %s\" of %s", rule.Package, rule.Glob, rule.Words(), filepath.Base(rule.File))
}

func directiveText(rule *policy.Rule) string {
	return fmt.Sprintf("//wherry:%s in %s:%d", rule.Words(), filepath.Base(rule.File), rule.Line)
}

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
func (c *Config) mistaken(mistakes []error, dir string) (warnings []string, err error) {
	err = errors.Join(mistakes...)
	if err == nil || c.isMain(dir) {
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
func (c *Config) unmatched(source *parsed, dir string) (warnings []string, err error) {
	var names []string
	for _, f := range source.functions {
		names = append(names, f.name)
	}
	names = append(names, "malloc") // C.CString may or may not need it
	var errs []error
	for _, rule := range policy.Unmatched(source.rules, names) {
		text := fmt.Sprintf("%s matches no C function that %s calls", rule.Glob, rule.Package) + nearest.DidYouMean(rule.Glob, names)
		if c.isMain(dir) {
			errs = append(errs, &policy.Error{Pos: rule.Pos(), Message: text})
		} else {
			warnings = append(warnings, rule.Pos()+": "+text)
		}
	}
	return warnings, errors.Join(errs...)
}

// isMain reports whether a package's folder belongs to a main module: it is the
// nearest one with a go.mod, and the package is not vendored.
func (c *Config) isMain(dir string) bool {
	if strings.Contains(filepath.ToSlash(dir)+"/", "/vendor/") {
		return false
	}
	for ; ; dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil || dir == filepath.Dir(dir) {
			return slices.ContainsFunc(c.Main, func(m Module) bool { return m.Dir == dir })
		}
	}
}

func within(path, dir string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}
