package check

import "slices"

// maxClock is how many instructions a function has at most that does no more
// than ask for the time.
const maxClock = 100

// simple finds whether a function that is solved does so little that a loop
// that asks it again and again waits.
func (n *node) simple(recursive bool) {
	n.pure, n.clock = false, false
	if n.fact != nil && n.fact.kind != depthFact {
		n.clock = n.fact.kind == leafFact && slices.Contains(n.fact.notes, VDSO)
		return
	}
	if n.function == nil || recursive || len(n.hazards) > 0 {
		return
	}
	pure, clock, other := !n.function.Writes, false, false
	for _, e := range n.edges {
		pure = pure && (e.to.pure || !e.to.returns)
		clock = clock || e.to.clock
		other = other || !e.to.clock && !e.to.pure && e.to.returns
	}
	n.pure, n.clock = pure, clock && !other && n.function.Insts <= maxClock && len(n.function.Loops) == 0
}

// asks judges the loops that only the functions can end that they call: they
// wait where those change nothing, or where all that passes is time.
func (n *node) asks(inside map[*node]bool) {
	if n.function == nil {
		return
	}
	for _, ask := range n.function.Asks {
		waits, seen := true, map[uint64]bool{}
		for _, e := range n.edges {
			if slices.Contains(ask.Calls, e.site) {
				seen[e.site] = true
				waits = waits && !inside[e.to] && (e.to.pure || e.to.clock)
			}
		}
		if waits && len(seen) == len(ask.Calls) {
			h := found(Block, ask.Site, asking)
			h.solved = true
			n.hazards = append(n.hazards, h)
		}
	}
}
