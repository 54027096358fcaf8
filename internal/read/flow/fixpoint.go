package flow

import "github.com/wherrygo/wherry/internal/read/machine"

// fixpoint finds what holds at the start of each block on every path to it.
func (a *analysis) fixpoint() {
	a.states = grow(a.states, len(a.leaders))
	for i := range a.states {
		a.states[i].set = false
	}
	if len(a.leaders) == 0 {
		return
	}
	first := &a.states[0]
	*first = state{set: true}
	first.regs[a.arch.SP()] = value{kind: stack}
	if r := a.arch.Link(); r != machine.NoReg {
		first.regs[r] = value{kind: linked}
	}
	a.settle(func(b int32, changed func(block int32)) {
		s := a.states[b]
		a.walk(a.leaders[b], &s, nil, func(last int32) {
			a.successors(last, func(to int32, taken bool) {
				t := a.block[to] - 1
				if t < 0 {
					return
				}
				out := &s
				if inst := &a.insts[last]; inst.Flow == machine.Branch && s.flags.informs() {
					learned, cond := s, inst.Cond
					if !taken {
						cond = cond.Negate()
					}
					m := stepper{a, &learned}
					m.learn(cond)
					out = &learned
				}
				if a.merge(&a.states[t], out) {
					changed(t)
				}
			})
		})
	})
}

// settle runs the first block, and then each for which something has changed, until nothing does.
// It goes through them by address, again and again: most ways lead forward.
func (a *analysis) settle(run func(b int32, changed func(block int32))) {
	waiting := make([]bool, len(a.leaders))
	waiting[0] = true
	at, again := int32(0), true
	changed := func(b int32) {
		waiting[b] = true
		again = again || b <= at
	}
	for again {
		again = false
		for at = range int32(len(waiting)) {
			if waiting[at] {
				waiting[at] = false
				run(at, changed)
			}
		}
	}
}

// walk runs a block from its first instruction. Before each it calls visit; after the last it calls
// done with it.
func (a *analysis) walk(i int32, s *state, visit func(i int32), done func(last int32)) {
	m := stepper{a, s}
	for {
		if visit != nil {
			visit(i)
		}
		if !a.insts[i].NoFlag {
			s.flags = m.compares(i)
		}
		m.step(i)
		next := a.next[i]
		if next == none || a.block[next] != 0 || a.jump[i] != none || len(a.tables[i]) > 0 {
			done(i)
			return
		}
		i = next
	}
}

// each calls visit before each instruction that can run, with what holds there.
func (a *analysis) each(visit func(i int32, s *state)) {
	var s state
	at := func(i int32) { visit(i, &s) }
	for b, first := range a.leaders {
		if s = a.states[b]; s.set {
			a.walk(first, &s, at, func(int32) {})
		}
	}
}

// merge joins a state into another and reports whether that changed.
func (a *analysis) merge(into, from *state) bool {
	if !into.set {
		*into = *from
		return true
	}
	changed := false
	for r := range a.words {
		v := &into.regs[r]
		if v.kind == unknown {
			continue
		}
		if joined := a.join(*v, from.regs[r]); joined != *v {
			*v = joined
			changed = true
		}
	}
	if into.flags != from.flags && into.flags != (comparison{}) {
		into.flags, changed = comparison{}, true
	}
	if into.kept != from.kept && into.kept != (held{}) {
		into.kept, changed = held{}, true
	}
	if into.held != from.held && into.held != (held{}) {
		into.held, changed = held{}, true
	}
	return changed
}
