package accel

import (
	"encoding/json"
	"errors"
	"fmt"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/wherrygo/wherry/internal/build/policy"
	"github.com/wherrygo/wherry/internal/crossing/enter"
	"github.com/wherrygo/wherry/internal/crossing/inflight"
	"github.com/wherrygo/wherry/internal/crossing/stat"
)

// A plan is what is decided about a package after cgo ran, kept in the
// package's object folder until compile runs.
type plan struct {
	Package  string        `json:"package"` // import path
	Name     string        `json:"name"`
	Calls    []plannedCall `json:"calls"`
	Warnings []string      `json:"warnings"`
	Exports  bool          `json:"exports"`  // functions that C calls
	Counted  bool          `json:"counted"`  // it counts crossings
	Exported string        `json:"exported"` // Go functions to add, for callbacks

	// What the C objects are linked with: see linkedObjects.
	Dir     string   `json:"dir"`
	LDFlags []string `json:"ldflags"`
	Syso    []string `json:"syso"`
	Cxx     bool     `json:"cxx"` // by the C++ compiler

	stubs []enter.Stub
}

// A plannedCall is the decision about one generated Go function.
type plannedCall struct {
	Function
	GoName    string `json:"go_name"`   // the generated function
	Symbol    string `json:"symbol"`    // its C wrapper
	Registers bool   `json:"registers"` // values travel in registers, not in cgo's frame
	Promised  string `json:"promised"`  // who says that it does not call back; empty: its code
}

const planName = "wherry_plan.json"

// afterCgo decides about the package that cgo just handled and adds the C
// side of its direct calls.
func (c *Config) afterCgo(args []string) error {
	objdir, importPath := flagValue(args, "-objdir"), flagValue(args, "-importpath")
	dir, err := os.Getwd() // the go command runs cgo in the package's folder
	if err != nil {
		return fmt.Errorf("accel: %w", err)
	}
	if importPath == "" || within(dir, filepath.Join(c.GoRoot, "src")) {
		return nil // the standard library stays as it is
	}
	if flags := flagValue(args, "-ldflags"); !c.Static && slices.Contains(strings.Fields(strings.ReplaceAll(flags, `"`, " ")), "-static") {
		return fmt.Errorf("accel: %s says #cgo LDFLAGS: -static, which makes the whole program static; say so for the whole build: CGO_LDFLAGS=-static", importPath)
	}
	generated, err := parseGotypes(filepath.Join(objdir, gotypesName))
	if err != nil {
		return nil // no plan: compile finds none and changes nothing
	}
	p := plan{Package: importPath, Name: generated.file.Name.Name}
	generated.own = ownTypes(p.Name, c.goFiles(dir, args))
	directives, err := readDirectives(args, importPath)
	if err != nil {
		return err
	}
	rules := slices.Concat(policy.For(c.Rules, importPath), directives)
	if p.Warnings, err = c.unmatched(rules, generated, dir); err != nil {
		return err
	}
	wrappers := readWrappers(objdir)
	counter := c.newCounter(importPath, args)
	added := map[string]*strings.Builder{} // by C file
	for _, f := range generated.functions {
		call := plannedCall{GoName: f.decl.Name.Name, Promised: promised(policy.Decide(rules, f.name))}
		call.Function = c.decide(rules, f.name)
		if call.Mode != "" {
			if err := c.addTwin(&call, f, generated, args, wrappers, added, counter); err != nil {
				call.Mode, call.Why, call.ByRule = "", fmt.Sprintf("%s (%s)", err, c.GoVersion), false
			}
		}
		counter.call(call, f, wrappers)
		p.Calls = append(p.Calls, call)
	}
	exported, exportedStandIns, exports, err := c.redirectExports(objdir, generated, unsuitableFlag(args) == "", counter)
	if err != nil {
		return fmt.Errorf("accel: %w", err)
	}
	if !exports && generated.exports() {
		p.Warnings = append(p.Warnings, fmt.Sprintf("cgo of %s wrote exported functions in a way that wherry does not know: reentrant functions, of any package, must not call those of %s", c.GoVersion, importPath))
	}
	if p.Counted, err = counter.write(); err != nil {
		return err
	}
	if p.Counted {
		standIns(objdir, added).WriteString(stat.StandIns)
	}
	p.Warnings = append(p.Warnings, counter.warnings...)
	p.Exported, p.Exports = exported, exports
	c.linkInputs(&p, dir, flagValue(args, "-ldflags"))
	if exports {
		standIns(objdir, added).WriteString(unitStandIns + exportedStandIns)
	}
	for path, text := range added {
		if err := appendTo(path, text.String()); err != nil {
			return err
		}
	}
	text, err := json.Marshal(p)
	if err != nil {
		return fmt.Errorf("accel: %w", err)
	}
	return os.WriteFile(filepath.Join(objdir, planName), text, 0o666)
}

// decide returns what the rules say of a function, or the default.
func (c *Config) decide(rules []policy.Rule, name string) Function {
	rule := policy.Decide(rules, name)
	if rule == nil && c.Default == policy.Cgo {
		return Function{Function: name, Why: "no rule names it", Word: string(policy.Fast), Asks: policy.Asks(policy.Fast)}
	}
	if rule == nil {
		return Function{Function: name, Mode: string(policy.Fast), Why: "by default"}
	}
	why, byPolicy := "named by a line of wherry.policy", true
	if rule.Directive {
		why, byPolicy = directiveText(rule), false
	}
	f := Function{Function: name, Mode: string(rule.Mode), Stack: rule.Stack, Why: why, ByPolicy: byPolicy, ByRule: true}
	switch rule.Mode {
	case policy.Cgo:
		f.Mode = ""
	case policy.NoCallback:
		f.Mode, f.NoCallback = string(policy.Fast), true
	}
	return f
}

const _ = uint(inflight.MaxSize - policy.MaxStack) // what a rule may say can be had

// addTwin writes the C side of one call that leaves cgo. An error says why the
// function stays there.
func (c *Config) addTwin(call *plannedCall, f *function, g *gotypes, args []string, wrappers map[string]wrapper, added map[string]*strings.Builder, counter *counter) error {
	if flag := unsuitableFlag(args); flag != "" {
		return fmt.Errorf("the package's C code is compiled with %s", flag)
	}
	if err := f.recognize(); err != nil {
		return err
	}
	w, ok := wrappers[f.symbol]
	if !ok {
		return errors.New("its generated C wrapper was not found")
	}
	var sig *signature
	if s, ok := g.signature(f, c.GoArch); ok {
		sig = &s
	}
	if len(f.noCall) > 0 {
		if policy.Mode(call.Mode) == policy.Reentrant {
			return errors.New("#cgo nocallback says that it never calls back")
		}
		call.NoCallback, call.Promised = true, "#cgo nocallback"
	}
	if added[w.path] == nil {
		added[w.path] = new(strings.Builder)
	}
	added[w.path].WriteString(twin(f.symbol, w.result, counter.twin(call.Function)+w.body, sig))
	call.Symbol, call.Registers = f.symbol, sig != nil
	return nil
}

// standIns is the text added to _cgo_main.c. The package's objects are linked
// once without Go code, to find what they import, and what the Go side will
// define needs a definition there; so do cgo's own exports.
func standIns(objdir string, added map[string]*strings.Builder) *strings.Builder {
	main := filepath.Join(objdir, "_cgo_main.c")
	if added[main] == nil {
		added[main] = new(strings.Builder)
	}
	return added[main]
}

// readWrappers finds all wrappers that cgo wrote for a package.
func readWrappers(objdir string) map[string]wrapper {
	found := map[string]wrapper{}
	files, _ := filepath.Glob(filepath.Join(escapeGlob(objdir), "*.cgo2.c")) // the pattern is well formed
	for _, path := range append(files, filepath.Join(objdir, "_cgo_export.c")) {
		if text, err := os.ReadFile(path); err == nil {
			findWrappers(path, string(text), found)
		}
	}
	return found
}

// unsuitableFlag returns a C compiler flag under which the added code would not
// assemble, or could not be checked.
func unsuitableFlag(args []string) string {
	if i := slices.Index(args, "--"); i >= 0 {
		for _, arg := range append(strings.Fields(os.Getenv("CC")), args[i:]...) {
			for _, prefix := range []string{"-flto", "-fwhole-program", "-masm=intel", "-fsanitize", "-m32", "-mx32"} {
				if strings.HasPrefix(arg, prefix) {
					return arg
				}
			}
		}
	}
	return ""
}

func readDirectives(args []string, importPath string) ([]policy.Rule, error) {
	var rules []policy.Rule
	var errs []error
	fset := token.NewFileSet()
	for _, arg := range args {
		if !strings.HasSuffix(arg, ".go") {
			continue
		}
		file, err := parser.ParseFile(fset, arg, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			continue // cgo read it, so this is a flag's value
		}
		found, err := policy.Directives(fset, file, importPath)
		rules, errs = append(rules, found...), append(errs, err)
	}
	return rules, errors.Join(errs...)
}

// unmatched looks for rules that name no function of the package. In a main
// module that is the user's mistake and an error; elsewhere a dependency may
// have changed, and the build goes on with a warning.
func (c *Config) unmatched(rules []policy.Rule, g *gotypes, dir string) (warnings []string, err error) {
	var names []string
	for _, f := range g.functions {
		names = append(names, f.name)
	}
	names = append(names, "malloc") // C.CString may or may not need it
	var errs []error
	for _, rule := range policy.Unmatched(rules, names) {
		text := fmt.Sprintf("%s matches no C function that %s calls", rule.Glob, rule.Package)
		if near := policy.Closest(rule.Glob, names); near != "" {
			text += fmt.Sprintf("; did you mean %s?", near)
		}
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

func flagValue(args []string, name string) string {
	for i, arg := range args {
		if value, ok := strings.CutPrefix(arg, name+"="); ok {
			return value
		}
		if arg == name && i+1 < len(args) {
			return args[i+1]
		}
	}
	return ""
}

func within(path, dir string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

func appendTo(path, text string) error {
	file, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		return fmt.Errorf("accel: %w", err)
	}
	_, err = file.WriteString(text)
	return errors.Join(err, file.Close())
}

// escapeGlob keeps the wildcards in a folder's own name from matching.
func escapeGlob(path string) string {
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(path)
}
