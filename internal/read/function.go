package read

import (
	"fmt"
	"runtime"
	"slices"
	"sync"

	image "github.com/wherrygo/wherry/internal/read/elf"
	"github.com/wherrygo/wherry/internal/read/flow"
)

// A Function is what one shows with all that it reaches.
type Function struct {
	Does     []Reason  // by class; it is done soon for itself where there are none, but for Loops
	Loops    bool      // it has a loop, so that its time may depend on its arguments, or on other threads
	Syscalls string    // a function outside of the C library, with a system call instruction, that it may come to or is
	Unseen   string    // one of Options.Unseen that it may come to
	Files    []Library // the shared libraries whose code was read

	// Watches reports whether a loop, outside of the C library, may end by what others write
	// to memory. Without Options.Watches it is asked only of a function that does nothing
	// else but allocate, on the stack or not.
	Watches bool
	// Strict reports whether an instruction, outside of the C library, faults where memory is
	// not aligned at 16 bytes or more, and that memory may be a caller's.
	Strict bool
}

// A Library is a shared library.
type Library struct {
	Path, Soname string
	System       bool // of the C library's family
}

// A Reason is a class with one of the shortest ways to it, by names.
type Reason struct {
	Class Class
	Path  []string
}

// Read reads functions by their names, local ones too, with all that they reach.
func (p *Program) Read(names ...string) ([]Function, error) {
	var roots []*node
	for _, name := range names {
		n := p.find(name)
		if n == nil {
			return nil, fmt.Errorf("read: %s has no function %s", p.files.List[0].Path, name)
		}
		roots = append(roots, n)
	}
	p.explore()
	p.solve()
	var functions []Function
	for _, n := range roots {
		functions = append(functions, p.function(n))
	}
	return functions, nil
}

func (p *Program) find(name string) *node {
	root := p.files.List[0]
	s := root.Find(name, "")
	if s == nil || !s.Func {
		s = root.local(name)
	}
	if s == nil {
		return nil
	}
	return p.node(root, s.Addr, s.IFunc, s.Name)
}

func (p *Program) function(n *node) Function {
	f := Function{Loops: n.loops, Syscalls: n.syscalls, Unseen: n.unseen}
	for c := range classes {
		if n.reach.has(c) {
			f.Does = append(f.Does, Reason{c, p.way(n, c)})
		}
	}
	for i, file := range p.files.List {
		if file.Kind == image.Library && n.files&fileBit(i) != 0 { // libc.so.6 is a program too
			f.Files = append(f.Files, Library{file.Path, file.Soname, file.System})
		}
	}
	if n.aligned {
		f.Strict = p.some(n, func(m *node) bool {
			return m.aligned && m.outline != nil && m.outline.Aligned && p.whole(m).Strict
		})
	}
	if n.circles && (n.reach&^setOf(Alloc) == 0 || p.watches) {
		f.Watches = p.some(n, func(m *node) bool {
			return m.circles && m.outline != nil && m.outline.Loops && p.whole(m).Watches
		})
	}
	return f
}

// some reports whether something holds for one of the functions outside of the C library that
// a function reaches.
func (p *Program) some(n *node, holds func(*node) bool) bool {
	seen := map[*node]bool{n: true}
	for work := []*node{n}; len(work) > 0; {
		at := work[len(work)-1]
		work = work[:len(work)-1]
		if at.known == nil && at.from != nil && !at.from.System && holds(at) {
			return true
		}
		for _, to := range at.calls {
			if !seen[to] {
				seen[to] = true
				work = append(work, to)
			}
		}
	}
	return false
}

// whole reads a function again, for what an outline leaves out.
func (p *Program) whole(n *node) *flow.Function {
	if n.whole == nil {
		n.whole = flow.Analyze(p.files.Arch, memory{n.from, p}, n.addr, n.from.results)
	}
	return n.whole
}

// ComparesStack returns the functions, outside of the C library, that compare their stack
// pointer with an address that the program remembers, as interpreters do to find out how
// deep a recursion is: they must not run on another stack than the one that it is of. It is
// a guess: a comparison behind a call is not seen.
func (p *Program) ComparesStack() []string {
	var names []string
	for _, file := range p.files.List {
		if !file.System {
			names = append(names, p.comparing(file)...)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// share is how many functions one goroutine looks at before it takes more.
const share = 256

// comparing looks at all functions of a file: most of what is read of a large one.
func (p *Program) comparing(file *File) (names []string) {
	addrs := file.starts()
	shares := make(chan []uint64, len(addrs)/share+1)
	for some := range slices.Chunk(addrs, share) {
		shares <- some
	}
	close(shares)
	var group sync.WaitGroup
	var lock sync.Mutex // for names and bug
	var bug any
	for range min(runtime.GOMAXPROCS(0), len(shares)) {
		group.Add(1)
		go func() {
			defer group.Done()
			defer func() {
				if found := recover(); found != nil { // whoever asked can go on without an answer
					lock.Lock()
					bug = found
					lock.Unlock()
				}
			}()
			results := flow.Results{}
			for some := range shares {
				for _, addr := range some {
					if flow.Remembers(p.files.Arch, memory{file, p}, addr, results) {
						lock.Lock()
						names = append(names, file.describe(addr))
						lock.Unlock()
					}
				}
			}
		}()
	}
	group.Wait()
	if bug != nil {
		panic(bug)
	}
	return names
}
