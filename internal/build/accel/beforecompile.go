package accel

import (
	"cmp"
	"fmt"
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
	warnings, err := c.mistaken(misplacedDirectives(line.files), p)
	if err != nil {
		return nil, err
	}
	p.Warnings = append(p.Warnings, warnings...)
	p.Mistaken = p.Mistaken || len(warnings) > 0 && !isOthers(p.Dir)
	g, err := parseGotypes(line.gotypes)
	if err != nil {
		return nil, fmt.Errorf("accel: %w", err)
	}
	g.own = map[string]bool{}
	for _, name := range p.Shadowed {
		g.own[name] = true
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
	code := c.read(objdir, p)
	code.callers = g.mentions(objdir)
	report := &Report{Package: p.Package, Accelerated: []Function{}, Kept: []Function{}, Warnings: firstWarnings(p.Warnings),
		Mistaken: p.Mistaken, Missing: code.missing, Libraries: code.libraries}
	var edits []edit
	for _, d := range p.Calls {
		d.Checks = p.checks[d.Name]
		more, err := c.redirectCall(g, p, &d, code)
		if err != nil {
			return nil, err
		}
		edits = append(edits, more...)
		report.add(d.Function)
	}
	p.report = report
	if len(p.stubs) > 0 {
		call, _, _ := strings.Cut(p.stubs[0].Symbol, "_Cfunc_") // with cgo's hash of the package
		edits = append(edits, g.pointerCheck(pointerCheck{c.Offsets, call, g.plain()})...)
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

// redirectCall completes one decision by the code, and adds the call's stub to the plan.
func (c *Config) redirectCall(g *gotypes, p *plan, d *decision, code *reading) ([]edit, error) {
	shown, known := code.facts[d.Symbol]
	userWord := d.ByRule && d.NoCallback && d.Promised != cgoNoCallback
	var flags abi.Flags
	if known {
		flags = d.byCode(shown, c.Static, c.ForHost)
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
	if err := g.recognize(f); err != nil {
		return nil, fmt.Errorf("accel: BUG: %s.%s was recognized after cgo and is not now: %w", p.Package, d.GoName, err)
	}
	var registers *signature
	if d.Registers {
		registers = g.signature(f, c.GoArch)
	}
	f.escape, d.Escapes = g.escaping(f, d, shown, userWord)
	stub := d.stub(f, registers, p.Package)
	stub.Flags |= flags
	stub.OnStack = stub.OnStack || flags&abi.MaySwitch != 0 && (shown.callsBack || code.callers[twinSymbol(f.symbol)])
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
