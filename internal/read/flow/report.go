package flow

import "github.com/wherrygo/wherry/internal/read/machine"

// A reporter walks all blocks once more, now that it is known what holds in
// them, and notes what matters.
type reporter struct {
	*analysis
	results value
	second  bool
}

func (a *analysis) report() {
	f := a.function
	f.Insts = len(a.insts)
	if a.over {
		f.Returns = true
		f.Findings = append(f.Findings, Finding{Kind: Budget})
	}
	r := &reporter{analysis: a}
	if len(a.leaders) == 0 {
		f.Findings = append(f.Findings, Finding{Kind: Undecodable})
		f.Returns = true
		return
	}
	a.each(func(i int32, s *state) { r.instruction(i, &a.insts[i], s) })
	if r.second {
		if targets, ok := a.targets(r.results); ok {
			f.Results = targets
		}
	}
	f.Loops = f.Loops || a.loops()
	a.waitLoops()
	if a.deep == whole {
		f.Watches = a.watches()
	}
}

func (r *reporter) note(f Finding) { r.function.Findings = append(r.function.Findings, f) }

func (r *reporter) instruction(i int32, inst *machine.Inst, s *state) {
	f := r.function
	if inst.Waits {
		r.note(Finding{Kind: WaitLoop})
	}
	f.Aligned = f.Aligned || inst.Strict && !inst.Mem.Segment && inst.Mem.Base != machine.NoReg && inst.Mem.Base != r.arch.SP()
	if inst.Repeat {
		f.Loops = true
	}
	r.moves(i, inst, s)
	if v := s.get(r.arch.SP()); r.overwrites(inst, s) || v.kind == stack && v.base == 0 && v.off > 0 {
		// The return address changes, or lies where it can be overwritten.
		r.note(Finding{Kind: Indirect, Tail: true})
	}
	call := func(t Target, tail bool) {
		f.Calls = append(f.Calls, Call{t, tail})
		if tail {
			f.Ends = append(f.Ends, t)
			if !r.handsOver(i, inst, s) && r.memory.Returns(t) {
				// The other one returns to what this one left on the stack.
				r.note(Finding{Kind: Indirect, Tail: true})
			}
		}
	}
	switch inst.Flow {
	case machine.Trap:
		if inst.Size == 0xff {
			f.Returns = true // for all that is known
			r.note(Finding{Kind: Undecodable})
		}
	case machine.Return:
		f.Returns = true
		if !r.home(s) {
			// It returns to what it pushed itself, or nobody knows where to.
			r.note(Finding{Kind: Indirect, Tail: true})
		}
		v := s.get(r.arch.Result())
		if !r.second {
			r.results, r.second = v, true
		} else {
			r.results = r.join(r.results, v)
		}
	case machine.Syscall:
		number := int64(-1)
		if v := s.get(r.arch.SyscallNumber()); v.kind == constant && inst.Imm != machine.OtherCalls {
			number = v.off
		}
		r.note(Finding{Kind: SyscallSite, Number: number})
	case machine.Call:
		call(Target{Addr: inst.Target}, false)
	case machine.Jump, machine.Branch:
		if r.jump[i] == none {
			r.outside(inst, inst.Target, call)
		}
	case machine.CallReg, machine.CallMem:
		targets, ok := r.leads(inst, s)
		if !ok {
			r.note(Finding{Kind: Indirect})
		}
		for _, t := range targets {
			call(t, false)
		}
	case machine.JumpReg, machine.JumpMem:
		targets, ok := r.tails[i]
		if !ok {
			f.Returns = true
			r.note(Finding{Kind: Indirect, Tail: true})
		}
		for _, t := range targets {
			call(t, true)
		}
	}
	if r.next[i] == none && r.continues(inst) {
		r.outside(inst, inst.Addr+uint64(inst.Len), call)
	}
}

// outside handles a path that leaves the function's own code.
func (r *reporter) outside(inst *machine.Inst, addr uint64, call func(Target, bool)) {
	if r.leaves(addr) {
		call(Target{Addr: addr}, true)
		return
	}
	r.function.Returns = true
	r.note(Finding{Kind: Undecodable})
}

// moves finds instructions that move the stack pointer to another stack, which may be that of a
// coroutine, which goes on elsewhere. What moves it by an amount that is not known stays on this
// one. If it was lost before, that is noted where it was lost.
func (r *reporter) moves(i int32, inst *machine.Inst, s *state) {
	sp := r.arch.SP()
	switch {
	case inst.Dst != sp && inst.Writes&(1<<sp) == 0, inst.Writes&(1<<sp) == 0 && inst.Op == machine.Add && inst.Src == sp,
		inst.Op == machine.Push, inst.Op == machine.Pop && inst.Dst != sp:
		return
	}
	after := *s
	m := stepper{a: r.analysis, s: &after}
	m.step(i)
	if !isOwn(after.get(sp)) {
		r.note(Finding{Kind: Indirect, Tail: true})
	}
}
