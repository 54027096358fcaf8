package check

import (
	"fmt"
	"strings"

	"github.com/wherrygo/wherry/internal/read"
	"github.com/wherrygo/wherry/internal/read/cfi"
	"github.com/wherrygo/wherry/internal/read/flow"
)

// A place is a function's address in one of the images. Of an IFUNC it is the
// resolver's, and ifunc says that what it chooses is meant.
type place struct {
	image int
	addr  uint64
	ifunc bool
}

// A node is one function of the call graph.
type node struct {
	place
	name     string
	from     *read.File // nil where the code is nowhere
	fact     *fact
	function *flow.Function
	edges    []edge
	callers  map[*node]struct{}
	hazards  []hazard
	notes    noteSet
	queued   bool
	returns  bool // not known to be without return

	// What solve finds.
	solved  bool
	stack   int64
	reach   classSet
	noted   noteSet
	loops   bool
	watches bool
	strict  bool
	images  imageSet
	facts   map[*fact]struct{}
	low     int
	number  int
	onPath  bool
}

type edge struct {
	to    *node
	site  uint64
	depth int64
	tail  bool
}

type hazard struct {
	class  Class
	site   uint64
	detail string
	solved bool // what solve found
}

// memory lets flow read an image.
type memory struct {
	*read.File
	program *Program
}

func (m memory) Returns(t flow.Target) bool {
	n := m.program.resolve(m.File, t, 0)
	return n == nil || n.returns
}

// resolve returns the function that a target means. Jumps of the procedure
// linkage table are looked through.
func (p *Program) resolve(by *read.File, t flow.Target, depth int) *node {
	if t.Name == "" {
		if name, ok := by.Imports[t.Addr]; ok {
			t = flow.Target{Name: name}
		}
	}
	if t.Name != "" {
		if m, s := p.files.Lookup(t.Name, t.Version); s != nil {
			return p.node(m, s.Addr, s.IFunc, "")
		}
		return p.unresolved(t.Name)
	}
	s := by.At(t.Addr)
	if s != nil {
		return p.node(by, t.Addr, s.IFunc || t.IFunc, "")
	}
	if t.IFunc {
		return p.node(by, t.Addr, true, "")
	}
	if n, ok := p.nodes[place{by.Index, t.Addr, false}]; ok {
		return n
	}
	if depth < 4 {
		f := flow.Analyze(p.files.Arch, stub{memory{by, p}}, t.Addr)
		if f.Insts <= 5 && len(f.Calls) == 1 && f.Calls[0].Tail && len(f.Findings) == 0 && f.Stack == p.files.Arch.Word() {
			n := p.resolve(by, f.Calls[0].Target, depth+1)
			if n != nil {
				p.nodes[place{by.Index, t.Addr, false}] = n
			}
			return n
		}
	}
	return p.node(by, t.Addr, false, "")
}

// stub reads an entry of a linkage table: a few instructions, no further.
type stub struct{ memory }

func (stub) Bounds(addr uint64) uint64 { return addr + 32 }
func (stub) Returns(flow.Target) bool  { return true }
func (stub) Frame(uint64) *cfi.Frame   { return nil }
func (s stub) Code(addr uint64) []byte {
	code := s.memory.Code(addr)
	return code[:min(len(code), 32)]
}

func (p *Program) node(by *read.File, addr uint64, ifunc bool, name string) *node {
	k := place{by.Index, addr, ifunc}
	if n, ok := p.nodes[k]; ok {
		return n
	}
	names := by.Names(addr)
	n := &node{place: k, name: name, from: by, returns: true}
	p.nodes[k] = n
	if name == "" {
		n.name = read.Plainest(names)
	}
	if n.name == "" {
		n.name = by.Near(addr)
	}
	if n.name == "" {
		n.name = fmt.Sprintf("%#x", addr)
	}
	for _, other := range names {
		if n.fact = p.about(other, by.System || strings.HasPrefix(other, outlined)); n.fact != nil {
			break
		}
	}
	p.enter(n)
	return n
}

// outlined begins the names of the helpers for atomic operations that arm64's
// compilers link into each file, under names that are theirs.
const outlined = "__aarch64_"

// names returns all names of a function.
func (n *node) names() []string {
	if n.from != nil {
		if names := n.from.Names(n.addr); len(names) > 0 {
			return names
		}
	}
	return []string{n.name}
}

// unresolved stands for a function that no image defines.
func (p *Program) unresolved(name string) *node {
	n, ok := p.byName[name]
	if !ok {
		n = &node{place: place{image: -1}, name: name, returns: true, fact: p.about(name, true)}
		p.byName[name] = n
		if n.fact == nil {
			detail := "not found"
			if len(p.files.Missing) > 0 {
				detail = "not found; missing: " + strings.Join(p.files.Missing, ", ")
			}
			n.hazards = []hazard{{class: Unresolved, detail: detail}}
		}
		p.enter(n)
	}
	return n
}

// enter takes a new node into account: by a fact, or by reading its code
// later.
func (p *Program) enter(n *node) {
	f := n.fact
	if f != nil && f.kind == depthFact {
		f = nil // speaks of its recursion only
	}
	switch {
	case f == nil && n.from != nil:
		n.queued = true
		p.work = append(p.work, n)
	case f != nil:
		n.returns = !f.noReturn
		switch f.kind {
		case hazardFact:
			n.hazards = []hazard{{class: f.class}}
		case fatalFact:
			n.notes |= 1 << Fatal
		}
	}
}

// about finds the fact about a function: the user's first.
func (p *Program) about(name string, system bool) *fact {
	for _, a := range p.options.Annotations {
		if f := a.about(name); f != nil {
			return f
		}
	}
	if system && !p.options.NoDefaults {
		return Defaults().about(name)
	}
	return nil
}
