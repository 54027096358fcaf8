package read

import (
	"cmp"
	"slices"
	"strings"
)

// A summary is about a function with all that it reaches.
type summary struct {
	reach    classSet
	loops    bool
	circles  bool   // a loop outside of the C library, of which it has to be asked whether it waits
	aligned  bool   // an instruction there, of which it has to be asked what it demands
	syscalls string // a function there with a system call instruction
	unseen   string
	files    fileSet // whose code was read
}

// A fileSet says which files. All from the last bit on share it.
type fileSet uint64

func fileBit(i int) fileSet { return 1 << min(i, 63) }

func (s *summary) add(t *summary) {
	s.reach |= t.reach
	s.loops, s.circles, s.aligned = s.loops || t.loops, s.circles || t.circles, s.aligned || t.aligned
	s.files |= t.files
	s.unseen, s.syscalls = first(s.unseen, t.unseen), first(s.syscalls, t.syscalls)
}

// first is the first by the alphabet of two names, one of which may be empty.
func first(a, b string) string {
	if a == "" || b != "" && b < a {
		return b
	}
	return a
}

// own is the summary of a function alone.
func (n *node) own() summary {
	s := summary{reach: n.does}
	if n.syscall {
		s.syscalls = n.from.describe(n.addr)
	}
	switch {
	case n.known != nil:
		s.loops = n.known.loops
		if n.known.unseen {
			s.unseen = n.name
		}
	case n.outline != nil:
		s.files = fileBit(n.file)
		s.loops = n.outline.Loops && !n.ifunc
		s.circles, s.aligned = n.outline.Loops && !n.from.System, n.outline.Aligned && !n.from.System
	}
	return s
}

// solve finds the summaries of all functions, callees first. Those that call each other in a
// circle have one (Tarjan, "Depth-first search and linear graph algorithms", 1972).
func (p *Program) solve() {
	if p.solved {
		return
	}
	p.solved, p.order, p.ways = true, nil, [classes]map[*node]step{}
	var all []*node
	for _, n := range p.nodes {
		n.number = 0
		all = append(all, n)
	}
	for _, n := range p.byName {
		n.number = 0
		all = append(all, n)
	}
	slices.SortFunc(all, func(a, b *node) int {
		return cmp.Or(cmp.Compare(a.file, b.file), cmp.Compare(a.addr, b.addr), strings.Compare(a.name, b.name))
	})
	counter := 0
	var path []*node
	var visit func(n *node)
	visit = func(n *node) {
		counter++
		n.number, n.low, n.onPath = counter, counter, true
		start := len(path)
		path = append(path, n)
		for _, to := range n.calls {
			switch {
			case to.number == 0:
				visit(to)
				n.low = min(n.low, to.low)
			case to.onPath:
				n.low = min(n.low, to.number)
			}
		}
		if n.low == n.number {
			p.circle(path[start:])
			path = path[:start]
		}
	}
	for _, n := range all {
		if n.number == 0 {
			visit(n)
		}
	}
}

// circle summarizes functions that call each other, or a single one.
func (p *Program) circle(group []*node) {
	var s summary
	recursive := len(group) > 1 || slices.Contains(group[0].calls, group[0])
	for _, n := range group {
		if n.onPath = false; recursive && n.known == nil {
			n.does |= setOf(Recursion)
		}
		own := n.own()
		s.add(&own)
	}
	for _, n := range group {
		for _, to := range n.calls {
			if !slices.Contains(group, to) {
				s.add(&to.summary)
			}
		}
	}
	s.loops = s.loops || recursive
	for _, n := range group {
		n.summary = s
		p.order = append(p.order, n)
	}
}

// A step is the next one on a shortest way to what a function does; to is nil where it does that itself.
type step struct{ to *node }

// way returns a shortest way from a function to one that does what is of a class.
func (p *Program) way(n *node, c Class) (names []string) {
	if p.ways[c] == nil {
		p.ways[c] = p.shortest(c)
	}
	for n != nil {
		names = append(names, n.name)
		n = p.ways[c][n].to
	}
	return names
}

func (p *Program) shortest(c Class) map[*node]step {
	next := map[*node]step{}
	var queue []*node
	for _, n := range p.order {
		if n.does.has(c) {
			next[n] = step{}
			queue = append(queue, n)
		}
	}
	byName := func(a, b *node) int { return cmp.Or(strings.Compare(a.name, b.name), cmp.Compare(a.addr, b.addr)) }
	slices.SortStableFunc(queue, byName)
	for len(queue) > 0 {
		n := queue[0]
		queue = queue[1:]
		var callers []*node
		for caller := range n.callers {
			if _, found := next[caller]; !found {
				callers = append(callers, caller)
			}
		}
		slices.SortFunc(callers, byName)
		for _, caller := range callers {
			next[caller] = step{n}
		}
		queue = append(queue, callers...)
	}
	return next
}
