package check

import (
	"cmp"
	"maps"
	"slices"
	"strings"
)

// leafStack is assumed of a leaf whose fact does not say how much stack it takes: more than
// any of the C library's that the facts name.
const leafStack = 512

// solve finds, callees first, what every function reaches and how deep its
// stack can become. Components that call each other in a circle are recursion
// (Tarjan, "Depth-first search and linear graph algorithms", 1972).
func (p *Program) solve(roots []*node) {
	counter := 0
	var path []*node
	var visit func(n *node)
	visit = func(n *node) {
		counter++
		n.number, n.low, n.onPath = counter, counter, true
		start := len(path)
		path = append(path, n)
		for _, e := range n.edges {
			switch {
			case e.to.number == 0:
				visit(e.to)
				n.low = min(n.low, e.to.low)
			case e.to.onPath:
				n.low = min(n.low, e.to.number)
			}
		}
		if n.low < n.number {
			return
		}
		group := slices.Clone(path[start:])
		path = path[:start]
		p.component(group)
		for _, m := range group {
			m.onPath = false
		}
	}
	for _, root := range roots {
		if root.number == 0 {
			visit(root)
		}
	}
}

// unboundedStack is the stack of what has no known bound.
const unboundedStack = -1

// component solves functions that call each other, or a single one.
func (p *Program) component(group []*node) {
	recursive := len(group) > 1
	for _, e := range group[0].edges {
		recursive = recursive || e.to == group[0]
	}
	inside := map[*node]bool{}
	for _, n := range group {
		inside[n] = true
	}
	depth := 1
	if recursive {
		if f := p.bounded(group, inside); f != nil {
			depth = f.depth
			group[0].assume(f)
		} else {
			for _, n := range group {
				n.hazards = append(n.hazards, hazard{Recursion, n.addr, "in a circle: " + circle(n, inside), true})
			}
		}
	}
	var reach classSet
	var noted noteSet
	var images imageSet
	loops, watches, strict := recursive, recursive, false
	facts := map[*fact]struct{}{}
	own, beyond := int64(0), int64(0) // stack of the group, and below it
	unbounded := false
	for _, n := range group {
		if n.function != nil {
			images |= imageBit(n.image)
		}
		for _, h := range n.hazards {
			reach |= 1 << h.class
		}
		noted |= n.notes
		maps.Copy(facts, n.facts)
		if f := n.fact; f != nil && f.kind != depthFact {
			loops = loops || f.loops
			facts[f] = struct{}{}
			switch {
			case f.stack >= 0:
				own += f.stack
			case f.kind == hazardFact:
				unbounded = true
			case f.kind == leafFact:
				own += leafStack
			}
			continue
		}
		if n.function == nil {
			unbounded = true
			continue
		}
		loops = loops || len(n.function.Loops) > 0 && !n.ifunc
		watches = watches || len(n.function.Watches) > 0 && !n.from.System
		strict = strict || len(n.function.Strict) > 0 && !n.from.System
		deepest := n.function.Stack
		if n.ifunc {
			deepest = p.files.Arch.Word()
		}
		for _, e := range n.edges {
			at := e.depth
			if e.tail {
				at -= p.files.Arch.Word()
			}
			if inside[e.to] {
				deepest = max(deepest, at)
				continue
			}
			if e.to.stack == unboundedStack {
				unbounded = true
				continue
			}
			if len(group) == 1 {
				beyond = max(beyond, at+e.to.stack)
			} else {
				beyond = max(beyond, e.to.stack)
				deepest = max(deepest, at)
			}
		}
		own += deepest
	}
	for _, n := range group {
		for _, e := range n.edges {
			if inside[e.to] {
				continue
			}
			reach |= e.to.reach
			noted |= e.to.noted
			images |= e.to.images
			loops, watches, strict = loops || e.to.loops, watches || e.to.watches, strict || e.to.strict
			maps.Copy(facts, e.to.facts)
		}
	}
	stack := max(own, beyond)
	if recursive {
		stack = int64(depth)*own + beyond
	}
	const unlimited = 1<<DynamicStack | 1<<Recursion | 1<<Indirect | 1<<Unresolved | 1<<Undecodable
	if unbounded || reach&unlimited != 0 {
		stack = unboundedStack
	}
	for _, n := range group {
		n.solved, n.reach, n.noted, n.images, n.stack, n.facts = true, reach, noted, images, stack, facts
		n.loops, n.watches, n.strict = loops, watches, strict
		p.order = append(p.order, n)
	}
}

// bounded finds the user's bound of a recursion: it has to be about a
// function that is on every circle.
func (p *Program) bounded(group []*node, inside map[*node]bool) *fact {
	for _, n := range group {
		if f := n.fact; f != nil && f.kind == depthFact && !circular(group, inside, n) {
			return f
		}
	}
	return nil
}

// circular reports whether functions still call each other in a circle when one
// is left out.
func circular(group []*node, inside map[*node]bool, without *node) bool {
	const grey, black = 1, 2
	color := map[*node]int{without: black}
	var visit func(n *node) bool
	visit = func(n *node) bool {
		color[n] = grey
		for _, e := range n.edges {
			if !inside[e.to] || color[e.to] == black {
				continue
			}
			if color[e.to] == grey || visit(e.to) {
				return true
			}
		}
		color[n] = black
		return false
	}
	for _, n := range group {
		if color[n] == 0 && visit(n) {
			return true
		}
	}
	return false
}

// circle returns a shortest way from a function back to itself.
func circle(start *node, inside map[*node]bool) string {
	from := map[*node]*node{}
	queue := []*node{start}
	for len(queue) > 0 {
		n := queue[0]
		queue = queue[1:]
		for _, e := range n.edges {
			if e.to == start {
				names := []string{start.name}
				for ; n != start; n = from[n] {
					names = append(names, n.name)
				}
				names = append(names, start.name)
				slices.Reverse(names)
				if len(names) > 8 {
					names = append(append(names[:4:4], "..."), names[len(names)-3:]...)
				}
				return strings.Join(names, " -> ")
			}
			if inside[e.to] && from[e.to] == nil && e.to != start {
				from[e.to] = n
				queue = append(queue, e.to)
			}
		}
	}
	return start.name
}

// A step is the next one on a shortest way to a hazard.
type step struct {
	edge   *edge
	hazard *hazard
}

// ways finds, for a class, the shortest way from every function that reaches
// it.
func (p *Program) ways(c Class) map[*node]*step {
	if p.next[c] != nil {
		return p.next[c]
	}
	next := map[*node]*step{}
	var queue []*node
	for _, n := range p.order {
		for i := range n.hazards {
			if n.hazards[i].class == c && next[n] == nil {
				next[n] = &step{hazard: &n.hazards[i]}
				queue = append(queue, n)
			}
		}
	}
	slices.SortStableFunc(queue, func(a, b *node) int { return strings.Compare(a.name, b.name) })
	for len(queue) > 0 {
		n := queue[0]
		queue = queue[1:]
		callers := make([]*node, 0, len(n.callers))
		for caller := range n.callers {
			if caller.solved && next[caller] == nil {
				callers = append(callers, caller)
			}
		}
		slices.SortFunc(callers, func(a, b *node) int { return cmp.Or(strings.Compare(a.name, b.name), cmp.Compare(a.addr, b.addr)) })
		for _, caller := range callers {
			for i := range caller.edges {
				if caller.edges[i].to == n {
					next[caller] = &step{edge: &caller.edges[i]}
					queue = append(queue, caller)
					break
				}
			}
		}
	}
	p.next[c] = next
	return next
}
