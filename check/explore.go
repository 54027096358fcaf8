package check

import (
	"fmt"
	"maps"
	"path"
	"slices"

	"github.com/wherrygo/wherry/internal/read/flow"
)

// explore reads all functions that are queued, and those that they call. When
// a function turns out not to return, those that call it are read again:
// what stands behind the call is not run.
func (p *Program) explore() {
	for len(p.work) > 0 {
		n := p.work[len(p.work)-1]
		p.work = p.work[:len(p.work)-1]
		if !n.queued {
			continue
		}
		n.queued = false
		p.read(n)
		if p.done++; p.options.Progress != nil && p.done%64 == 0 {
			p.options.Progress(p.done, len(p.work))
		}
	}
}

// read reads a function's code and enters what it found.
func (p *Program) read(n *node) {
	f := flow.Analyze(p.files.Arch, memory{n.from, p}, n.addr)
	for _, e := range n.edges {
		delete(e.to.callers, n)
	}
	n.edges, n.hazards, n.function = nil, nil, f
	if n.ifunc {
		p.choose(n, f)
	} else {
		p.connect(n, f)
	}
	for _, e := range n.edges {
		if e.to.callers == nil {
			e.to.callers = map[*node]struct{}{}
		}
		e.to.callers[n] = struct{}{}
	}
	p.settle(n)
}

// connect turns what flow found into edges and hazards.
func (p *Program) connect(n *node, f *flow.Function) {
	for _, c := range f.Calls {
		to := p.resolve(n.from, c.Target, 0)
		if !p.never(n, to) {
			n.edges = append(n.edges, edge{to, c.Site, c.Depth, c.Tail})
		}
	}
	if frame := n.from.Frame(n.addr); frame != nil && frame.Handlers {
		n.notes |= handled
	}
	for _, finding := range f.Findings {
		switch finding.Kind {
		case flow.Indirect:
			p.indirect(n, finding)
		case flow.SyscallSite:
			p.syscall(n, finding)
		default:
			c := ruleSeeing[finding.Kind]
			n.hazards = append(n.hazards, hazard{class: c, site: finding.Site, detail: rules[c].seen[finding.Kind]})
		}
	}
	if _, replaced := n.from.Replaced[n.addr]; replaced && !n.from.System {
		n.hazards = append(n.hazards, hazard{class: Unresolved, site: n.addr, detail: "weak: another definition may take its place"})
	}
	for _, at := range slices.Sorted(maps.Keys(n.from.Odd)) {
		if at >= n.addr && at < n.from.Bounds(n.addr) {
			n.hazards = append(n.hazards, hazard{class: Unresolved, site: at, detail: n.from.Odd[at]})
		}
	}
}

// indirect is a call or jump to an address that is not known, unless the user names
// what it calls.
func (p *Program) indirect(n *node, finding flow.Finding) {
	slot, detail := "", "through a pointer"
	if finding.Slot != 0 {
		if slot = n.from.Near(finding.Slot); slot == "" {
			slot = fmt.Sprintf("%#x", finding.Slot)
		}
		detail = "through " + slot
	}
	if p.named(n, slot, finding) {
		return
	}
	if finding.Tail {
		detail = "jump " + detail
	}
	n.hazards = append(n.hazards, hazard{class: Indirect, site: finding.Site, detail: detail})
}

// choose makes an IFUNC call all that its resolver may return.
func (p *Program) choose(n *node, f *flow.Function) {
	if len(f.Results) == 0 || len(f.Findings) > 0 {
		n.hazards = append(n.hazards, hazard{class: Indirect, site: n.addr, detail: "chosen at start by a resolver that was not understood"})
		return
	}
	for _, t := range f.Results {
		n.edges = append(n.edges, edge{p.resolve(n.from, t, 0), n.addr, p.files.Arch.Word(), true})
	}
}

// settle notes whether a function may return, and has its callers read again
// when it may not.
func (p *Program) settle(n *node) {
	if n.ifunc || !n.returns || n.function.Returns {
		return
	}
	for _, end := range n.function.Ends {
		if to := p.resolve(n.from, end, 0); to.returns {
			return
		}
	}
	n.returns = false
	for caller := range n.callers {
		if !caller.queued {
			caller.queued = true
			p.work = append(p.work, caller)
		}
	}
}

// never reports whether the user says that a call is never taken.
func (p *Program) never(from, to *node) bool {
	sets := p.options.Annotations
	if !p.options.NoDefaults {
		sets = append(slices.Clone(sets), Defaults())
	}
	for _, a := range sets {
		if f := a.neverCalls(from.names(), to.names()); f != nil {
			from.assume(f)
			return true
		}
		for _, f := range a.neverFrom {
			if ok, _ := path.Match(f.caller, from.from.Soname); ok &&
				slices.ContainsFunc(to.names(), func(name string) bool { return slices.Contains(f.names, name) }) {
				from.assume(f)
				return true
			}
		}
	}
	return false
}

// named follows an indirect call to what the user says that it calls.
func (p *Program) named(n *node, slot string, finding flow.Finding) bool {
	for _, a := range p.options.Annotations {
		f := a.targets[slot]
		if f == nil {
			f = a.targets[n.name]
		}
		if f == nil {
			continue
		}
		n.assume(f)
		for _, name := range f.names {
			to := (*node)(nil)
			if s := n.from.Find(name, ""); s != nil {
				to = p.node(n.from, s.Addr, s.IFunc, s.Name)
			} else if s := n.from.Local(name); s != nil {
				to = p.node(n.from, s.Addr, false, name)
			} else {
				to = p.resolve(n.from, flow.Target{Name: name}, 0)
			}
			n.edges = append(n.edges, edge{to, finding.Site, finding.Depth, finding.Tail})
		}
		return true
	}
	return false
}

func (n *node) assume(f *fact) {
	if n.facts == nil {
		n.facts = map[*fact]struct{}{}
	}
	n.facts[f] = struct{}{}
}
