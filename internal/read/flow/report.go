package flow

import (
	"sort"

	"github.com/wherrygo/wherry/internal/read/cfi"
	"github.com/wherrygo/wherry/internal/read/machine"
)

// A reporter walks all blocks once more, now that it is known what holds in
// them, and notes what matters.
type reporter struct {
	*analysis
	rows    []cfi.Row
	frame   *cfi.Frame
	results value
	second  bool

	// Of the register with the return address, found when it is asked for.
	parts map[int32]part // of the frame, by the instructions that write them, or load it from there
	kept  map[int32]bool // by an instruction that loads it: whether it was still the caller's
}

func (a *analysis) report() {
	f := a.function
	f.Insts = len(a.insts)
	if a.over {
		f.Returns = true
		f.Findings = append(f.Findings, Finding{Site: a.entry, Kind: Budget})
	}
	r := &reporter{analysis: a}
	if len(a.leaders) == 0 {
		f.Findings = append(f.Findings, Finding{Site: a.entry, Kind: Undecodable})
		f.Returns = true
		return
	}
	a.each(func(i int32, s *state) { r.instruction(i, &a.insts[i], s) })
	if r.second {
		if targets, ok := a.targets(r.results); ok {
			f.Results = targets
		}
	}
	a.loops()
	a.waitLoops()
	if a.deep == whole {
		a.watches()
	}
}

// unwinds returns what unwind information says of an address.
func (r *reporter) unwinds(addr uint64) (row cfi.Row) {
	if r.frame == nil || addr < r.frame.Start || addr >= r.frame.End {
		r.frame = r.memory.Frame(addr)
		if r.frame == nil {
			return row
		}
		r.rows, _ = r.frame.Rows()
	}
	n := sort.Search(len(r.rows), func(i int) bool { return r.rows[i].Addr > addr })
	if n == 0 {
		return row
	}
	return r.rows[n-1]
}

func (r *reporter) note(f Finding) { r.function.Findings = append(r.function.Findings, f) }

func (r *reporter) instruction(i int32, inst *machine.Inst, s *state) {
	f := r.function
	if inst.Waits {
		r.note(Finding{Site: inst.Addr, Kind: WaitLoop})
	}
	f.Aligned = f.Aligned || inst.Strict && !inst.Mem.Segment && inst.Mem.Base != machine.NoReg && inst.Mem.Base != r.arch.SP()
	if inst.Repeat {
		f.Loops = append(f.Loops, inst.Addr)
	}
	r.moves(i, inst, s)
	if v := s.get(r.arch.SP()); r.overwrites(inst, s) || v.kind == stack && v.base == 0 && v.off > 0 {
		// The return address changes, or lies where it can be overwritten.
		r.note(Finding{Site: inst.Addr, Kind: Indirect, Tail: true})
	}
	call := func(t Target, tail bool) {
		f.Calls = append(f.Calls, Call{Site: inst.Addr, Target: t, Tail: tail})
		if tail {
			f.Ends = append(f.Ends, t)
			if !r.handsOver(i, inst, s) && r.memory.Returns(t) {
				// The other one returns to what this one left on the stack.
				r.note(Finding{Site: inst.Addr, Kind: Indirect, Tail: true})
			}
		}
	}
	switch inst.Flow {
	case machine.Trap:
		if inst.Size == 0xff {
			f.Returns = true // for all that is known
			r.note(Finding{Site: inst.Addr, Kind: Undecodable})
		}
	case machine.Return:
		f.Returns = true
		if !r.home(s, inst.Addr) || !r.intact(i) {
			// It returns to what it pushed itself, or nobody knows where to.
			r.note(Finding{Site: inst.Addr, Kind: Indirect, Tail: true})
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
		r.note(Finding{Site: inst.Addr, Kind: SyscallSite, Number: number})
	case machine.Call:
		call(Target{Addr: inst.Target}, false)
	case machine.Jump, machine.Branch:
		if r.jump[i] == none {
			r.outside(inst, inst.Target, call)
		}
	case machine.CallReg, machine.CallMem:
		targets, ok := r.leads(inst, s)
		if !ok {
			r.note(Finding{Site: inst.Addr, Kind: Indirect})
		}
		for _, t := range targets {
			call(t, false)
		}
	case machine.JumpReg, machine.JumpMem:
		targets, ok := r.tails[i]
		if !ok {
			f.Returns = true
			r.note(Finding{Site: inst.Addr, Kind: Indirect, Tail: true})
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
	r.note(Finding{Site: inst.Addr, Kind: Undecodable})
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
	if !isOwn(after.get(sp)) && !r.isFrame(inst) {
		r.note(Finding{Site: inst.Addr, Kind: Indirect, Tail: true})
	}
}

// isFrame reports whether the stack pointer is made of the register by which unwind information
// finds the frame there. So gcc leaves functions that have aligned it and keep their arguments'
// address in r10 or r13: registers whose numbers there are those here.
func (r *reporter) isFrame(inst *machine.Inst) bool {
	from := inst.Src
	if inst.Op == machine.Lea && inst.Mem.Index == machine.NoReg {
		from = inst.Mem.Base
	}
	row := r.unwinds(inst.Addr)
	return (inst.Op == machine.Lea || inst.Op == machine.Move || inst.Op == machine.Add) && row.Known && from >= 8 && row.Reg == uint64(from)
}
