package flow

import (
	"slices"
	"sort"

	"github.com/wherrygo/wherry/internal/read/cfi"
	"github.com/wherrygo/wherry/internal/read/machine"
)

// unbounded is the depth of a stack pointer that moved by an unknown amount.
const unbounded = -1 << 40

// A reporter walks all blocks once more, now that it is known what holds in
// them, and notes what matters.
type reporter struct {
	*analysis
	aligned map[int32]value // the stack pointer before each alignment
	memo    map[int32]int64
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
	r := &reporter{analysis: a, aligned: map[int32]value{}, memo: map[int32]int64{}}
	f.Stack = a.arch.Word()
	if len(a.leaders) == 0 {
		f.Findings = append(f.Findings, Finding{Site: a.entry, Kind: Undecodable})
		f.Returns = true
		return
	}
	r.align()
	for b := range a.leaders {
		if a.states[b].set {
			r.blockAt(int32(b))
		}
	}
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

// align collects what the stack pointer was before each alignment.
func (r *reporter) align() {
	if !slices.ContainsFunc(r.insts, aligns) {
		return
	}
	r.each(func(i int32, s *state) {
		if inst := &r.insts[i]; aligns(*inst) && s.get(inst.Src).kind == stack {
			r.aligned[i+1] = s.get(inst.Src)
		}
	})
}

// aligns reports whether an instruction may align the stack pointer.
func aligns(inst machine.Inst) bool {
	return inst.Op == machine.And && inst.Width == 8 && alignment(inst.Imm) > 0
}

// depth returns how many bytes below the function's entry a stack address is,
// at most, with the return address; or unbounded.
func (r *reporter) depth(v value) int64 {
	if v.kind != stack {
		return unbounded
	}
	return r.baseDepth(v.base) - v.off
}

func (r *reporter) baseDepth(base int32) int64 {
	if base == 0 {
		return r.arch.Word()
	}
	if d, ok := r.memo[base]; ok {
		return d
	}
	r.memo[base] = unbounded // an alignment in a loop may go ever deeper
	before, ok := r.aligned[base]
	d := int64(unbounded)
	if ok {
		if d = r.depth(before); d > unbounded/2 {
			// Stack pointers are multiples of 8 at least.
			d += max(alignment(r.insts[base-1].Imm)-8, 0)
		}
	}
	r.memo[base] = d
	return d
}

// row returns what unwind information says of an address: a depth, or
// unbounded where it does not say it by the stack pointer.
func (r *reporter) row(addr uint64) int64 {
	row := r.unwinds(addr)
	if !row.Known || row.Reg != r.arch.DwarfSP() || row.Offset < 0 || row.Offset > 1<<30 {
		return unbounded
	}
	return row.Offset
}

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

func (r *reporter) blockAt(b int32) {
	s := r.states[b]
	sp := r.arch.SP()
	probe := r.probe(b)
	r.walk(r.leaders[b], &s, func(i int32) {
		inst := &r.insts[i]
		v := s.get(sp)
		depth, frame := r.depth(v), r.row(inst.Addr)
		switch {
		case depth > unbounded/2:
			depth = max(depth, frame)
		case v.kind != stack && probe > 0 && r.touches(inst):
			depth = probe
		default: // aligned in a loop, or ways of different depth meet: no bound
			r.note(Finding{Site: inst.Addr, Kind: Dynamic})
			depth = r.arch.Word()
		}
		r.use(depth)
		r.instruction(i, inst, &s)
	}, func(last int32, _ *machine.Inst) {
		// The depth behind the block's last instruction counts too.
		if d := r.depth(s.get(sp)); d > unbounded/2 {
			r.use(d)
		}
	})
}

func (r *reporter) use(depth int64) { r.function.Stack = max(r.function.Stack, depth) }

// probe returns the depth that a loop which touches each page of a frame will
// reach, if the block is such a loop.
func (r *reporter) probe(b int32) int64 {
	if r.states[b].get(r.arch.SP()).kind == stack {
		return 0
	}
	s := r.states[b]
	found := int64(0)
	r.walk(r.leaders[b], &s, nil, func(last int32, compare *machine.Inst) {
		inst := &r.insts[last]
		if compare == nil || inst.Flow != machine.Branch || inst.Cond != machine.NotEqual || compare.Src2 == machine.NoReg ||
			r.jump[last] != r.leaders[b] {
			return
		}
		for _, pair := range [][2]machine.Reg{{compare.Src, compare.Src2}, {compare.Src2, compare.Src}} {
			if v := s.get(pair[1]); pair[0] == r.arch.SP() && v.kind == stack {
				found = r.depth(v)
			}
		}
	})
	return max(found, 0)
}

// touches reports whether an instruction may stand in such a loop.
func (r *reporter) touches(inst *machine.Inst) bool {
	return inst.Flow == machine.Next && inst.Op != machine.Push || inst.Flow == machine.Branch
}

func (r *reporter) note(f Finding) {
	for i := range r.function.Findings {
		if old := &r.function.Findings[i]; old.Kind == f.Kind && f.Kind == Dynamic {
			return // one place is enough
		}
	}
	r.function.Findings = append(r.function.Findings, f)
}

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
	if v := s.get(r.arch.SP()); r.overwrites(inst, s) || v.kind == stack && v.base == 0 && r.depth(v) < r.arch.Word() {
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
		targets, ok := r.calls[i]
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

// moves finds instructions that move the stack pointer by an amount that is
// not known, or to another stack.
func (r *reporter) moves(i int32, inst *machine.Inst, s *state) {
	sp := r.arch.SP()
	if inst.Dst != sp && inst.Writes&(1<<sp) == 0 {
		return
	}
	if inst.Op == machine.Add && inst.Src == sp && inst.Width == 8 && inst.Writes&(1<<sp) == 0 && s.get(sp).kind == stack {
		return // as nearly all do
	}
	after := *s
	m := stepper{a: r.analysis, s: &after}
	m.step(i)
	if after.get(sp).kind == stack {
		return
	}
	switch {
	case inst.Op == machine.Add && inst.Src == sp, inst.Op == machine.Push, inst.Op == machine.Pop && inst.Dst != sp:
		// By a known amount: if it was lost before, that is noted where it was lost.
	case after.get(sp).kind == within, r.isFrame(inst):
		r.note(Finding{Site: inst.Addr, Kind: Dynamic})
	default:
		// It may be that of a coroutine, which goes on elsewhere.
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
