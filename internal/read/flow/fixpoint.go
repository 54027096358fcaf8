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
	a.settle(func(b int32, changed func(block int32)) {
		s := a.states[b]
		a.walk(a.leaders[b], &s, nil, func(last int32, compare *machine.Inst) {
			a.successors(last, func(to int32, taken bool) {
				t := a.block[to] - 1
				if t < 0 {
					return
				}
				out := &s
				if compare != nil && compare.Src2 != machine.NoReg {
					refined := s
					a.refine(&refined, last, taken, compare)
					out = &refined
				}
				if a.merge(&a.states[t], out) {
					changed(t)
				}
			})
		})
	})
}

// settle runs the first block, and then each for which something has changed, until
// nothing does.
func (a *analysis) settle(run func(b int32, changed func(block int32))) {
	work := []int32{0}
	queued := make([]bool, len(a.leaders))
	changed := func(b int32) {
		if !queued[b] {
			queued[b] = true
			work = append(work, b)
		}
	}
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		queued[b] = false
		run(b, changed)
	}
}

// walk runs a block from its first instruction. Before each it calls visit;
// after the last it calls done with it and the comparison that its flags come
// from.
func (a *analysis) walk(i int32, s *state, visit func(i int32), done func(last int32, compare *machine.Inst)) {
	m := stepper{a: a, s: s}
	var compare *machine.Inst
	for {
		if visit != nil {
			visit(i)
		}
		inst := &a.insts[i]
		m.step(i)
		switch {
		case inst.Op == machine.Compare:
			compare = inst
		case !inst.NoFlag:
			compare = nil
		}
		next := a.next[i]
		if next == none || a.block[next] != 0 || a.jump[i] != none || len(a.tables[i]) > 0 {
			done(i, compare)
			return
		}
		i = next
	}
}

// each calls visit before each instruction that can run, with what holds there.
func (a *analysis) each(visit func(i int32, s *state)) {
	for b, first := range a.leaders {
		if s := a.states[b]; s.set {
			a.walk(first, &s, func(i int32) { visit(i, &s) }, func(int32, *machine.Inst) {})
		}
	}
}

// refine learns from a branch that compared the stack pointer: loops that
// touch each page of a large frame end when it has reached a known place.
func (a *analysis) refine(s *state, last int32, taken bool, compare *machine.Inst) {
	inst := &a.insts[last]
	if compare == nil || inst.Flow != machine.Branch || compare.Src2 == machine.NoReg || compare.Size != 8 {
		return
	}
	cond := inst.Cond
	if !taken {
		cond = cond.Negate()
	}
	if cond != machine.Equal {
		return
	}
	sp := a.arch.SP()
	for _, pair := range [][2]machine.Reg{{compare.Src, compare.Src2}, {compare.Src2, compare.Src}} {
		if pair[0] == sp && s.get(sp).kind != stack && s.get(pair[1]).kind == stack {
			s.regs[sp] = s.get(pair[1])
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
		if joined := a.join(*v, from.regs[r]); !a.equal(joined, *v) {
			*v = joined
			changed = true
		}
	}
	return changed
}
