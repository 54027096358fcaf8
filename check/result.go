package check

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/wherrygo/wherry/internal/nearest"
	"github.com/wherrygo/wherry/internal/read"
	image "github.com/wherrygo/wherry/internal/read/elf"
	"github.com/wherrygo/wherry/internal/read/flow"
)

// A Verdict says whether a function may be called directly.
type Verdict uint8

// The verdicts. Unknown has to be treated as Unsafe.
const (
	Unknown Verdict = iota
	Safe
	Unsafe
)

func (v Verdict) String() string { return [...]string{"unknown", "safe", "unsafe"}[v%3] }

// MarshalText returns the verdict's name.
func (v Verdict) MarshalText() ([]byte, error) { return []byte(v.String()), nil }

// A Result is what was found out about one function.
type Result struct {
	Name    string
	Verdict Verdict
	// Stack is the most bytes of stack that a call uses, with all that it
	// calls, its return address included, the red zone (128 bytes on x86-64)
	// signal handlers, and the dynamic linker in a first call (3.5 KB)
	// not. -1 where there is no bound, as for all that
	// reaches something unknown. Safe functions have one, unless the user
	// allowed a class that has none.
	Stack int64
	// Loops reports whether the function or one that it calls has a loop, so
	// that its time may depend on its arguments, or on other threads.
	Loops bool
	// Watches reports whether one of these loops, outside of the C library, may end by what
	// others write to memory: it waits for another thread, as far as its code shows. So may
	// a function that calls itself.
	Watches bool
	// Strict reports whether the function or one that it calls has an instruction that faults
	// where memory is not aligned at 16 bytes or more, outside of the C library, and that
	// memory may be a caller's.
	Strict      bool
	Hazards     []Hazard // by class
	Notes       []Note
	Assumptions []Assumption
	// Libraries are the shared libraries whose code the verdict rests on. It
	// holds for libraries of the same build ids only.
	Libraries []Library
}

// OnlyAllocates reports whether the C library's allocator is all that stands
// against a function.
func (r *Result) OnlyAllocates() bool {
	return len(r.Hazards) == 1 && r.Hazards[0].Class == Alloc
}

// A Hazard is a class with one shortest path to it.
type Hazard struct {
	Class  Class
	Path   []Frame
	Detail string
}

// A Frame is a function on a path, and the place where it calls the next one
// or where the hazard is.
type Frame struct {
	Function string
	Image    string // the file
	Site     uint64 // the instruction's address in the file; 0 for a function that was not read
	File     string // its source, where debug information has it
	Line     int
}

// Where returns "file:line", or nothing.
func (f Frame) Where() string {
	if f.File == "" {
		return ""
	}
	return fmt.Sprintf("%s:%d", f.File, f.Line)
}

// An Assumption is a fact that a verdict rests on and that is not in the code.
type Assumption struct {
	Text string
	Pos  string // file:line
	User bool   // from the user, not a default
}

// An imageSet says which images' code was read. All from the last bit on
// share it.
type imageSet uint64

func imageBit(i int) imageSet { return 1 << min(i, 63) }

func (s imageSet) has(i int) bool { return s&imageBit(i) != 0 }

// An UnknownFunctionError says that a file has no such function.
type UnknownFunctionError struct {
	File, Name string
	Near       string // one with a similar name, or empty
}

func (e *UnknownFunctionError) Error() string {
	return fmt.Sprintf("check: %s has no function %s%s", e.File, e.Name, nearest.Hint(e.Near))
}

// Check judges functions, by their exact names. Local functions count when
// the file has its symbol table. The first call with a function reads its
// code and all that it reaches; later calls reuse that.
func (p *Program) Check(names ...string) ([]Result, error) {
	roots := make([]*node, len(names))
	for i, name := range names {
		n := p.find(name)
		if n == nil {
			return nil, &UnknownFunctionError{p.files.List[0].Path, name, p.near(name)}
		}
		roots[i] = n
	}
	return p.judge(names, roots), nil
}

// CheckLinked judges functions by the names by which a program that is linked
// with all of the images calls them: the definition is the one that the
// linker would take, in the file itself or in a library. A function that is
// nowhere is Unknown, with a hazard of class Unresolved.
func (p *Program) CheckLinked(names ...string) []Result {
	roots := make([]*node, len(names))
	for i, name := range names {
		if n := p.find(name); n != nil {
			roots[i] = n
		} else {
			roots[i] = p.resolve(p.files.List[0], flow.Target{Name: name}, 0)
		}
	}
	return p.judge(names, roots)
}

// judge reads what roots reach and solves it.
func (p *Program) judge(names []string, roots []*node) []Result {
	before := p.done
	p.explore()
	if p.done != before && p.solved {
		// A function that was read again may have changed what others reach.
		p.reset()
	}
	p.solve(roots)
	p.solved = true
	p.next = [classes]map[*node]*step{}
	results := make([]Result, len(names))
	for i, n := range roots {
		results[i] = p.result(names[i], n)
	}
	return results
}

// reset forgets what solve found.
func (p *Program) reset() {
	forget := func(n *node) {
		n.solved, n.number, n.low, n.onPath = false, 0, 0, false
		n.hazards = slices.DeleteFunc(n.hazards, func(h hazard) bool { return h.solved })
	}
	for _, n := range p.nodes {
		forget(n)
	}
	for _, n := range p.byName {
		forget(n)
	}
	p.order = nil
}

func (p *Program) find(name string) *node {
	root := p.files.List[0]
	s := root.Find(name, "")
	if s == nil || !s.Func {
		s = root.Local(name)
	}
	if s == nil {
		return nil
	}
	return p.node(root, s.Addr, s.IFunc, s.Name)
}

func (p *Program) near(name string) string {
	if names := nearest.Names(name, p.AllFunctions()); len(names) > 0 {
		return names[0]
	}
	return ""
}

func (p *Program) result(name string, n *node) Result {
	r := Result{Name: name, Stack: n.stack, Loops: n.loops, Watches: n.watches, Strict: n.strict, Verdict: Safe}
	facts := map[*fact]struct{}{}
	maps.Copy(facts, n.facts)
	for c := range classes {
		if !n.reach.has(c) {
			continue
		}
		if f := p.allowed(c, name); f != nil {
			facts[f] = struct{}{}
			if c == Jump && n.noted&handled != 0 {
				r.Hazards = append(r.Hazards, Hazard{Class: Indirect, Path: []Frame{{Function: n.name, Image: p.trace(n, c).Path[0].Image}},
					Detail: "an exception runs handlers, which are not read"})
				if r.Verdict == Safe {
					r.Verdict = Unknown
				}
			}
			continue
		}
		r.Hazards = append(r.Hazards, p.trace(n, c))
		switch {
		case !c.Uncertain():
			r.Verdict = Unsafe
		case r.Verdict == Safe:
			r.Verdict = Unknown
		}
	}
	for note := range notes {
		if n.noted&(1<<note) != 0 {
			r.Notes = append(r.Notes, note)
		}
	}
	for f := range facts {
		r.Assumptions = append(r.Assumptions, Assumption{f.text, f.pos, !f.builtin})
	}
	for i, l := range p.files.List {
		if l.Kind == image.Library && n.images.has(i) {
			r.Libraries = append(r.Libraries, library(l))
		}
	}
	slices.SortFunc(r.Assumptions, func(a, b Assumption) int { return strings.Compare(a.Pos, b.Pos) })
	return r
}

func (p *Program) allowed(c Class, name string) *fact {
	for _, a := range p.options.Annotations {
		for _, f := range a.allow {
			if f.class == c && (len(f.names) == 0 || read.Matches(f.names, name)) {
				return f
			}
		}
	}
	return nil
}

// trace returns a shortest path from a function to a hazard.
func (p *Program) trace(n *node, c Class) Hazard {
	h := Hazard{Class: c}
	ways := p.ways(c)
	for at := n; at != nil; {
		s := ways[at]
		if s == nil {
			break // cannot be: every reached class has a way
		}
		site := uint64(0)
		if s.edge != nil {
			site = s.edge.site
		} else {
			site = s.hazard.site
			h.Detail = s.hazard.detail
		}
		frame := Frame{Function: at.name, Site: site}
		if at.from != nil {
			frame.Image = at.from.Path
			if site != 0 {
				frame.File, frame.Line = at.from.Line(site)
			}
		}
		h.Path = append(h.Path, frame)
		if s.edge == nil {
			break
		}
		at = s.edge.to
	}
	return h
}
