package accel

import (
	"bytes"
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/wherrygo/wherry/internal/build/policy"
	"github.com/wherrygo/wherry/internal/crossing"
	"github.com/wherrygo/wherry/internal/crossing/abi"
	"github.com/wherrygo/wherry/internal/goruntime"
)

// beforeCompile redirects the calls of a package that has a plan, in the
// _cgo_gotypes.go that is about to be compiled. It returns the plan, or nil.
func (c *Config) beforeCompile(line *compileCommand) (*plan, error) {
	if line.gotypes == "" {
		return nil, nil
	}
	objdir := filepath.Dir(line.gotypes)
	p, err := readPlan(objdir)
	if p == nil || err != nil {
		return nil, err
	}
	warnings, err := c.mistaken(misplacedDirectives(line.files), p.Dir)
	if err != nil {
		return nil, err
	}
	p.Warnings = append(p.Warnings, warnings...)
	g, err := parseGotypes(line.gotypes)
	if err != nil {
		return nil, fmt.Errorf("accel: %w", err)
	}
	g.variables = sync.OnceValue(func() *variables { return newVariables(g, line.files, c.GoArch) })
	callers := cgoFiles(line.files)
	if c.Count {
		p.checks = pointerChecks(callers)
	}
	p.spare = spareNodes(callers)
	edited, err := c.redirect(g, p, objdir)
	if err != nil {
		return nil, err
	}
	return p, os.WriteFile(line.gotypes, edited, 0o666)
}

// redirect returns the file's text with the planned calls redirected to their
// stubs, and completes the plan.
func (c *Config) redirect(g *gotypes, p *plan, objdir string) ([]byte, error) {
	judged := c.judge(objdir, p)
	judged.callers = g.mentions(objdir)
	report := &Report{Package: p.Package, Accelerated: []Function{}, Kept: []Function{}, Warnings: firstWarnings(p.Warnings),
		Missing: judged.missing, Libraries: judged.libraries}
	var edits []edit
	for _, d := range p.Calls {
		d.Checks = p.checks[d.Name]
		more, err := c.redirectCall(g, p, &d, judged)
		if err != nil {
			return nil, err
		}
		edits = append(edits, more...)
		report.add(d.Function)
	}
	p.report = report
	if len(p.stubs) > 0 {
		edits = append(edits, g.pointerCheck(pointerCheck{c.Offsets, "_wherry_check_" + p.stubs[0].Symbol})...)
	}
	text := apply(g.text, edits)
	if p.crosses() {
		text = append(text, write("shared", goruntime.TracebackSetter(c.GoVersion))+p.Exported...)
		if c.target().Holds() {
			text = append(text, write("holding", nil)...)
		}
	}
	return text, nil
}

// redirectCall completes one decision by the verdict, and adds the call's stub to the plan.
func (c *Config) redirectCall(g *gotypes, p *plan, d *decision, judged *judgement) ([]edit, error) {
	v, known := judged.verdicts[d.Symbol]
	userWord := d.ByRule && d.NoCallback && d.Promised != cgoNoCallback
	var flags abi.Flags
	if known {
		flags = v.decide(d, c.Static, c.Library)
	}
	if d.Mode == policy.Cgo {
		return nil, nil
	}
	i := slices.IndexFunc(g.functions, func(f *function) bool { return f.decl.Name.Name == d.GoName })
	if i < 0 {
		d.Mode, d.Why = policy.Cgo, "its generated Go function is gone"
		return nil, nil
	}
	f := g.functions[i]
	if err := f.recognize(); err != nil {
		return nil, fmt.Errorf("accel: BUG: %s.%s was recognized after cgo and is not now: %w", p.Package, d.GoName, err)
	}
	var registers *signature
	if d.Registers {
		registers = g.signature(f, c.GoArch)
	}
	f.escape, d.Escapes = g.escaping(f, d, v, userWord)
	stub := d.stub(f, registers, p.Package)
	stub.Flags |= flags
	stub.OnStack = stub.OnStack || flags&abi.MaySwitch != 0 && (v.callsBack || judged.callers[twinSymbol(f.symbol)])
	promised := d.NoCallback && d.Promised != "" // which the runtime is to know
	if !promised && (registers == nil || registers.frame() != "") {
		stub.Via = cgoSymbol(f.symbol)
	}
	if p.Counted {
		stub.Turns = stub.Symbol + "_turns"
	}
	p.stubs = append(p.stubs, stub)
	spare, limited := p.spare[d.GoName]
	inlined := registers != nil && !(limited && registers.surplus() > spare)
	return g.edits(f, registers, stub, inlined), nil
}

// stub describes the assembly that calls a wrapper's twin. sig is nil when the
// function keeps cgo's frame.
func (d *decision) stub(f *function, sig *signature, pkg string) crossing.Stub {
	stub := crossing.Stub{Symbol: stubSymbol(f.symbol), Target: twinSymbol(f.symbol), Integers: 1, Name: f.name, Package: pkg}
	if sig != nil {
		integers, _ := sig.resultRegisters()
		stub.Integers, stub.Two, stub.Yield = sig.integers(), integers == 2, yieldSymbol(f.symbol)
	}
	if d.Mode == policy.Reentrant {
		stub.OnStack, stub.Order = true, crossing.Order(d.Stack)
		stub.Flags |= abi.ByUser
	}
	if d.NoCallback {
		stub.Promised = cmp.Or(d.Promised, "its code, when it was built,")
		stub.Flags |= abi.NoCallback
		if sig == nil {
			stub.Target = frameSymbol(f.symbol)
		}
	}
	return stub
}

// edits redirects one function's call to its stub.
//
// With all values in registers the function becomes an ordinary Go function
// of one call: no argument frame, so it can be inlined, and is if the callers bear it.
// Being inlined it has no prologue where a goroutine could be preempted, so the stub does
// Go's stack check, and goes to the function added here. Otherwise cgo's frame stays, and
// its address is the call's only argument.
//
// When a call is turned the collector can run while C does, so the arguments live
// until the call returns. They escape, as cgo's do, but for those of which nobody can tell
// where they are: see stays.go.
func (g *gotypes) edits(f *function, sig *signature, s crossing.Stub, inlined bool) []edit {
	stub := goFunction{Name: s.Symbol, Params: "(frame uintptr)", Results: "int32"}
	start := f.decl.Pos()
	if f.decl.Doc != nil {
		start = f.decl.Doc.Pos()
	}
	at := g.fset.File(start).Offset(start)
	list := []edit{{start: at, end: at}}
	if f.uses != nil {
		list = append(list, g.uses(f, sig)...)
	}
	for _, stmt := range f.noCall {
		list = append(list, g.replace(stmt, ""))
	}
	if sig == nil {
		call := fmt.Sprintf("%s(%s)", stub.Name, g.source(f.call.Args[1]))
		list = append(list, g.replace(f.call, call)) // its statement may also declare errno
		list[0].text = write("stub", stub)
		if s.Via != "" { // the frame must not move before cgocall
			list[0].text += write("exported", goFunction{Name: s.Via, Params: stub.Params, Results: stub.Results,
				Body: fmt.Sprintf("return _cgo_runtime_cgocall(%s, frame)", g.source(f.call.Args[0])), Nosplit: true})
		}
		return list
	}
	directive := "//"
	if !inlined {
		directive = "//go:noinline"
	}
	for _, comment := range docLines(f.decl) {
		if comment.Text == "//go:cgo_unsafe_args" {
			list = append(list, g.replace(comment, directive))
		}
	}
	var passed, assign string
	stub.Params, passed = sig.goParams()
	stub.Results, assign = sig.goResults()
	if sig.Errno {
		assign = "var errno syscall.Errno\n\t" + assign
	}
	list = append(list, g.replace(f.stmt, fmt.Sprintf("%s%s(%s)", assign, stub.Name, passed)))
	yield := stub
	yield.Name, yield.Body = yieldSymbol(f.symbol), sig.yields(stub.Name)
	list[0].text = write("stub", stub) + write("exported", yield)
	if s.Via != "" {
		via := stub
		via.Name, via.Body = s.Via, sig.throughCgo(g.source(f.call.Args[0]))
		list[0].text += write("exported", via)
	}
	return list
}

// uses edits the lines by which cgo has the arguments escape and live on. A function
// that takes them in registers has to stay small enough to be inlined, so there an
// assignment that never happens takes the place of a call.
func (g *gotypes) uses(f *function, sig *signature) (list []edit) {
	if sig == nil {
		for _, use := range f.uses.Body.List {
			call := use.(*ast.ExprStmt).X.(*ast.CallExpr)
			if name, ok := call.Args[0].(*ast.Ident); ok && !f.escape[name.Name] {
				list = append(list, g.replace(call.Fun, "_Cgo_keepalive"))
			}
		}
		return list
	}
	type pointer struct {
		Path   string
		Escape bool
	}
	var pointers []pointer
	allowed := len(f.uses.Body.List) > 0 && isCallTo(f.uses.Body.List[0], "_Cgo_use") // not with #cgo noescape
	for _, p := range sig.Params {
		if p.Value.Pointer {
			param, _, _ := strings.Cut(p.Path, ".")
			param, _, _ = strings.Cut(param, "[")
			pointers = append(pointers, pointer{p.Path, allowed && f.escape[param]})
		}
	}
	if len(pointers) == 0 {
		return []edit{g.replace(f.uses, "")}
	}
	return []edit{g.replace(f.uses, write("uses", pointers))}
}

// A goFunction is what the templates of calls.go.tpl write.
type goFunction struct {
	Name, Params, Results, Body string
	Nosplit                     bool
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

func docLines(decl *ast.FuncDecl) []*ast.Comment {
	if decl.Doc == nil {
		return nil
	}
	return decl.Doc.List
}
