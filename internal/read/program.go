package read

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/wherrygo/wherry/internal/printable"
	"github.com/wherrygo/wherry/internal/read/cfi"
	image "github.com/wherrygo/wherry/internal/read/elf"
	"github.com/wherrygo/wherry/internal/read/flow"
)

// Options say what a file's code does not show.
type Options struct {
	Go        []string         // globs: functions that stand for Go
	Elsewhere []string         // functions that another file may define in another way
	Path      []string         // folders to look for libraries in, before those of the system
	Unseen    map[string]Class // functions of the C library that wait without that wherry sees it, and how
	Watches   bool             // Function.Watches is asked of all

	// For package libc's test: what system calls do, by number, and whether the C library's
	// functions are read whatever their names say.
	Calls   map[int64]Class
	Unnamed bool
}

// A Program is a linked file with the libraries that it needs. Several goroutines must not use it
// at once.
type Program struct {
	files   *Files
	told    *names // by the options
	calls   map[int64]Class
	libc    *names
	watches bool
	lock    sync.Mutex // for nodes, byName and work
	nodes   map[place]*node
	byName  map[string]*node // functions whose code is nowhere
	work    []*node          // to be read

	solved bool
	order  []*node // callees first
	ways   [classes]map[*node]step
}

// Open loads an executable or a shared library with the libraries that it needs. What is
// called in a library that is not found is Unresolved.
func Open(file string, options Options) (*Program, error) {
	m, err := image.Open(file)
	if err != nil {
		return nil, err
	}
	p := newProgram(newFiles(m, options.Path), options)
	p.files.resolve()
	return p, nil
}

func newProgram(files *Files, options Options) *Program {
	p := &Program{files: files, told: &names{exact: map[string]*known{}}, calls: options.Calls, libc: byName(), nodes: map[place]*node{},
		byName: map[string]*node{}, watches: options.Watches}
	if options.Unnamed {
		p.libc = &names{}
	}
	for _, name := range options.Go {
		p.told.add(name, &known{does: setOf(Callback), returns: true})
	}
	for _, name := range options.Elsewhere {
		p.told.exact[printable.Line(name)] = &known{does: setOf(Unresolved), returns: true} // as the symbols' are
	}
	for name, class := range options.Unseen {
		if p.told.about(name) == nil {
			p.told.exact[name] = &known{does: setOf(class), returns: true, unseen: true}
		}
	}
	return p
}

// Files returns the file and the libraries that it needs.
func (p *Program) Files() *Files { return p.files }

// A place is a function's address in one of the files. Of an IFUNC it is the
// resolver's, and ifunc says that what it chooses is meant.
type place struct {
	file  int
	addr  uint64
	ifunc bool
}

// A node is one function of the call graph.
type node struct {
	place
	name    string
	from    *File // nil where the code is nowhere
	known   *known
	outline *flow.Function
	whole   *flow.Function // once it is asked for
	calls   []*node
	callers map[*node]struct{}
	does    classSet
	syscall bool // of its own, outside of the C library
	queued  bool
	returns bool // not known to be without return

	summary
	low, number int
	onPath      bool
}

// memory lets package flow read a file.
type memory struct {
	*File
	program *Program
}

// Returns is asked by several goroutines at once.
func (m memory) Returns(t flow.Target) bool {
	m.program.lock.Lock()
	defer m.program.lock.Unlock()
	return m.program.resolve(m.File, t, 0).returns
}

// A stub is an entry of a linkage table: a few instructions, no further.
type stub struct{ *File }

func (stub) Bounds(addr uint64) uint64 { return addr + 32 }
func (stub) Returns(flow.Target) bool  { return true }
func (stub) Frame(uint64) *cfi.Frame   { return nil }
func (s stub) Code(addr uint64) []byte {
	code := s.File.Code(addr)
	return code[:min(len(code), 32)]
}

// maxStubs is how many entries of linkage tables lead to one another at most.
const maxStubs = 4

// resolve returns the function that a target means. Jumps of the procedure
// linkage table are looked through.
func (p *Program) resolve(by *File, t flow.Target, depth int) *node {
	if t.Name != "" {
		if file, s := p.files.lookup(t.Name, t.Version); s != nil {
			return p.node(file, s.Addr, s.IFunc, "")
		}
		return p.unresolved(t.Name)
	}
	if s := by.At(t.Addr); s != nil {
		return p.node(by, t.Addr, s.IFunc || t.IFunc, "")
	}
	if t.IFunc {
		return p.node(by, t.Addr, true, "")
	}
	at := place{by.Index, t.Addr, false}
	if n, ok := p.nodes[at]; ok {
		return n
	}
	if depth < maxStubs {
		f := flow.Outline(p.files.Arch, stub{by}, t.Addr)
		if f.Insts <= 5 && len(f.Calls) == 1 && f.Calls[0].Tail && len(f.Findings) == 0 {
			n := p.resolve(by, f.Calls[0].Target, depth+1)
			p.nodes[at] = n
			return n
		}
	}
	return p.node(by, t.Addr, false, "")
}

// outlined begins the names of the helpers for atomic operations that arm64's
// compilers link into each file, under names that are theirs.
const outlined = "__aarch64_"

func (p *Program) node(by *File, addr uint64, ifunc bool, name string) *node {
	at := place{by.Index, addr, ifunc}
	if n, ok := p.nodes[at]; ok {
		return n
	}
	all := by.Names(addr)
	n := &node{place: at, name: name, from: by, returns: true}
	p.nodes[at] = n
	if name == "" {
		n.name = plainest(all)
	}
	if n.name == "" {
		n.name = by.Near(addr)
	}
	if n.name == "" {
		n.name = fmt.Sprintf("%#x", addr)
	}
	for _, other := range all {
		if n.known = p.about(other, by.System || strings.HasPrefix(other, outlined)); n.known != nil {
			break
		}
	}
	p.enter(n)
	return n
}

// unresolved stands for a function that no file defines.
func (p *Program) unresolved(name string) *node {
	n, ok := p.byName[name]
	if !ok {
		n = &node{place: place{file: -1}, name: name, returns: true, known: p.about(name, true)}
		p.byName[name] = n
		if n.known == nil {
			n.does = setOf(Unresolved)
		}
		p.enter(n)
	}
	return n
}

// enter takes a new node into account: by what is known of it, or by reading its code later.
func (p *Program) enter(n *node) {
	switch {
	case n.known != nil:
		n.returns, n.does = n.known.returns, n.known.does
	case n.from != nil:
		n.queued = true
		p.work = append(p.work, n)
	}
	p.solved = false
}

func (p *Program) about(name string, system bool) *known {
	if k := p.told.about(name); k != nil || !system {
		return k
	}
	return p.libc.about(name)
}

// explore reads all functions that are queued, and those that they call. When a function turns
// out not to return, those that call it are read again: what stands behind the call is not run.
func (p *Program) explore() {
	for len(p.work) > 0 {
		n := p.work[len(p.work)-1]
		p.work = p.work[:len(p.work)-1]
		if n.queued {
			n.queued = false
			p.read(n)
		}
	}
}

// read reads a function's code and enters what it found.
func (p *Program) read(n *node) {
	f := flow.Outline(p.files.Arch, memory{n.from, p}, n.addr)
	for _, to := range n.calls {
		delete(to.callers, n)
	}
	n.calls, n.does, n.syscall, n.outline = nil, 0, false, f
	if n.ifunc {
		p.choose(n, f)
	} else {
		p.connect(n, f)
	}
	for _, to := range n.calls {
		if to.callers == nil {
			to.callers = map[*node]struct{}{}
		}
		to.callers[n] = struct{}{}
	}
	p.settle(n)
	p.solved = false
}

// findings are what package flow may find, as classes. A system call of unknown number may do
// more than wait: raise a signal, whose handler calls back.
var findings = map[flow.Kind]classSet{flow.Indirect: setOf(Indirect), flow.Undecodable: setOf(Undecodable), flow.Budget: setOf(Undecodable),
	flow.WaitLoop: setOf(Block), flow.LockLoop: setOf(Lock),
	flow.SyscallSite: setOf(Syscall) | setOf(IO)}

// connect turns what was found into calls and classes.
func (p *Program) connect(n *node, f *flow.Function) {
	for _, c := range f.Calls {
		if to := p.resolve(n.from, c.Target, 0); !p.never(n, to) && !slices.Contains(n.calls, to) {
			n.calls = append(n.calls, to)
		}
	}
	for _, found := range f.Findings {
		if c, listed := p.calls[found.Number]; listed && found.Kind == flow.SyscallSite {
			n.does |= setOf(c)
		} else {
			n.does |= findings[found.Kind]
		}
		n.syscall = n.syscall || found.Kind == flow.SyscallSite && !n.from.System
	}
}

// never reports whether the call is one that the C library never makes.
func (p *Program) never(n, to *node) bool {
	return slices.ContainsFunc(p.libc.never, func(never never) bool {
		ok, _ := path.Match(never.library, n.from.Soname)
		return ok && (to.name == never.callee || to.from != nil && slices.Contains(to.from.Names(to.addr), never.callee))
	})
}

// choose makes an IFUNC call all that its resolver may return.
func (p *Program) choose(n *node, f *flow.Function) {
	if len(f.Results) == 0 || len(f.Findings) > 0 {
		n.does |= setOf(Indirect)
		return
	}
	for _, t := range f.Results {
		n.calls = append(n.calls, p.resolve(n.from, t, 0))
	}
}

// settle notes whether a function may return, and has its callers read again
// when it may not.
func (p *Program) settle(n *node) {
	if n.ifunc || !n.returns || n.outline.Returns {
		return
	}
	for _, end := range n.outline.Ends {
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
