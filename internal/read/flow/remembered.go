package flow

import (
	"maps"

	"github.com/wherrygo/wherry/internal/read/machine"
)

// A word is one of the function's frame.
type word struct {
	base int32
	off  int64
}

// A tracker follows origins beside the values that the fixpoint has found. It guesses: a
// word of the frame has one origin, and what it cannot follow is from elsewhere.
type tracker struct {
	*analysis
	blocks []origins        // what holds where they begin
	frame  map[word]origin  // its words, by all that is stored there
	stored map[word]origin  // the same as far as this round has seen
	found  map[uint64]int32 // places, and what is loaded there
	strict bool             // Function.Strict
	result origin           // of the function
	used   map[int32]bool   // loads of addresses that the function reads from or writes to
}

// rounds bounds how often a value may go through words of the frame, one after the other.
const rounds = 4

// remembered reports whether the function compares its stack pointer, in order, with an address
// that it loads: on another stack that has another outcome. Where it also reads or writes
// at that address, the comparison is about two buffers, for overlap.
func (a *analysis) remembered() bool {
	t := &tracker{analysis: a}
	for range rounds {
		t.fixpoint()
		t.forget()
		for b := range t.leaders {
			if t.blocks[b].set && t.states[b].set {
				t.walkBlock(int32(b), func(int32, *origins) {})
			}
		}
		if maps.Equal(t.frame, t.stored) {
			break
		}
		t.frame = t.stored
	}
	a.result = t.result.source
	a.function.Strict = t.strict
	maps.DeleteFunc(t.found, func(_ uint64, load int32) bool { return t.used[load] })
	return len(t.found) > 0
}

// forget drops what was seen before all origins were known.
func (t *tracker) forget() {
	t.stored, t.found, t.used, t.strict = map[word]origin{}, map[uint64]int32{}, map[int32]bool{}, false
	t.result = origin{source: unset}
}

// fixpoint finds the origins at the start of each block.
func (t *tracker) fixpoint() {
	t.forget()
	t.blocks = make([]origins, len(t.leaders))
	t.blocks[0].set = true
	t.settle(func(b int32, changed func(block int32)) {
		if !t.states[b].set {
			return
		}
		t.walkBlock(b, func(last int32, o *origins) {
			t.successors(last, func(to int32, _ bool) {
				if n := t.block[to] - 1; n >= 0 && t.blocks[n].merge(o) {
					changed(n)
				}
			})
		})
	})
}

func (t *tracker) walkBlock(b int32, done func(last int32, o *origins)) {
	s, o := t.states[b], t.blocks[b]
	t.walk(t.leaders[b], &s, func(i int32) { t.step(i, &s, &o) }, func(last int32) { done(last, &o) })
}

// step runs one instruction over origins. s is what holds before it.
func (t *tracker) step(i int32, s *state, o *origins) {
	inst := &t.insts[i]
	if inst.Order && o.compared.source >= memory {
		t.found[inst.Addr] = o.compared.load
	}
	of := func(r machine.Reg) origin {
		switch {
		case r == machine.NoReg:
			return origin{}
		case s.get(r).kind == stack:
			return origin{source: ownStack}
		}
		return o.regs[r&31]
	}
	if at := sum(of(inst.Mem.Base), of(inst.Mem.Index)); at.source == memory && inst.Op != machine.Lea {
		t.used[at.load] = true
	}
	t.strict = t.strict || inst.Strict && !t.owns(&inst.Mem, s, of)
	result := t.value(i, s, of)
	if !inst.NoFlag {
		o.compared = t.compares(i, s, of)
	}
	t.store(inst, s, of)
	writes, other := inst.Writes, origin{}
	if inst.Flow == machine.Call || inst.Flow == machine.CallReg || inst.Flow == machine.CallMem {
		writes, other = writes|t.arch.Clobbered(), origin{source: lost}
	}
	if inst.Loads && inst.Op != machine.Load {
		other = t.load(i, s, of)
	}
	for r := range t.words {
		if writes&(1<<r) != 0 {
			if o.regs[r] = other; other.source == memory {
				o.regs[r].load += int32(r)
			}
		}
	}
	if inst.Dst != machine.NoReg {
		o.regs[inst.Dst&31] = result
	}
	switch inst.Flow {
	case machine.Call:
		o.regs[t.arch.Result()] = t.returned(inst.Target)
	case machine.CallReg, machine.CallMem:
		o.regs[t.arch.Result()] = origin{}
	case machine.Return:
		if t.result.source == unset {
			t.result = of(t.arch.Result())
		}
		t.result.merge(of(t.arch.Result()))
	}
}

// owns reports whether what is at an address is the function's frame, or the image's.
func (t *tracker) owns(mem *machine.Mem, s *state, of func(machine.Reg) origin) bool {
	part := func(r machine.Reg) bool {
		v := s.get(r)
		return r == t.arch.SP() || of(r).source == ownStack || r != machine.NoReg && v.kind == constant && t.analysis.memory.Holds(uint64(v.off))
	}
	return mem.Segment || mem.Base == machine.NoReg || part(mem.Base) || part(mem.Index)
}

// value is the origin of what an instruction leaves in Dst.
func (t *tracker) value(i int32, s *state, of func(machine.Reg) origin) origin {
	inst := &t.insts[i]
	switch inst.Op {
	case machine.Move:
		if inst.Size == 8 {
			return of(inst.Src)
		}
	case machine.Lea:
		return sum(of(inst.Mem.Base), of(inst.Mem.Index))
	case machine.Load:
		return t.load(i, s, of)
	case machine.Add:
		return of(inst.Src)
	case machine.AddReg:
		return sum(of(inst.Src), of(inst.Src2))
	case machine.SubReg:
		return difference(of(inst.Src), of(inst.Src2))
	case machine.AddLoad:
		return sum(of(inst.Dst), t.load(i, s, of))
	case machine.SubLoad:
		return difference(of(inst.Dst), t.load(i, s, of))
	case machine.And: // for alignment
		if v := of(inst.Src); v.source == ownStack || v.source >= memory && inst.Width == 8 && inst.Imm < 0 {
			return v
		}
	case machine.AndLoad:
		if mask := s.get(inst.Dst); mask.kind == constant && mask.off < 0 {
			return t.load(i, s, of)
		}
	case machine.Select, machine.NegIf:
		other := inst.Src2
		if other == machine.NoReg {
			other = inst.Dst
		}
		v := of(inst.Src)
		v.merge(of(other))
		return v
	}
	return origin{}
}

// compares returns what the flags that an instruction sets tell about, beside the stack
// pointer.
func (t *tracker) compares(i int32, s *state, of func(machine.Reg) origin) origin {
	inst := &t.insts[i]
	switch inst.Op {
	case machine.Compare, machine.CompIf:
		if inst.Size == 8 && inst.Src2 == machine.NoReg {
			return limits(of(inst.Src), inst.Imm)
		} else if inst.Size == 8 {
			return between(of(inst.Src), of(inst.Src2))
		}
	case machine.SubReg:
		if inst.Width == 8 {
			return between(of(inst.Src), of(inst.Src2))
		}
	case machine.CompLoad:
		if inst.Size == 8 {
			return between(of(inst.Src), t.load(i, s, of))
		}
	case machine.SubLoad:
		return between(of(inst.Dst), t.load(i, s, of))
	case machine.CompMem:
		if inst.Size == 8 {
			return limits(t.load(i, s, of), inst.Imm)
		}
	case machine.Add:
		if inst.Flags && inst.Width == 8 {
			return limits(of(inst.Src), -inst.Imm)
		}
	}
	return origin{}
}

// load is the origin of what an instruction finds at its Mem.
func (t *tracker) load(i int32, s *state, of func(machine.Reg) origin) origin {
	inst := &t.insts[i]
	if inst.Size != 8 && (inst.Op == machine.Load || inst.Op == machine.CompMem) {
		return origin{}
	}
	m := stepper{a: t.analysis, s: s}
	at := m.address(&inst.Mem)
	switch {
	case inst.Mem.Segment: // thread-local
	case at.kind == stack:
		return t.frame[word{at.base, at.off}]
	case at.kind == constant && t.analysis.memory.ReadOnly(uint64(at.off), 8) != nil,
		sum(of(inst.Mem.Base), of(inst.Mem.Index)).source == ownStack:
		return origin{}
	}
	return origin{memory, (i + 1) << 5}
}

// maxGetter bounds the size of functions that may do no more than return where the stack
// pointer is, or how far away from where.
const maxGetter = 96

func isSmall(memory Memory, addr uint64) bool {
	end := memory.Bounds(addr)
	return end > addr && end-addr <= maxGetter
}

// returned is the origin of a function's result.
func (t *tracker) returned(addr uint64) origin {
	if t.deep == returned {
		return origin{}
	}
	return t.results.returned(t.arch, t.analysis.memory, addr)
}

func (r Results) returned(arch machine.Arch, memory Memory, addr uint64) origin {
	if !isSmall(memory, addr) {
		return origin{}
	}
	result, ok := r[addr]
	if !ok {
		if from := analyze(arch, memory, addr, r, returned).result; from == ownStack || from == distance {
			result = origin{from, byCall}
		}
		r[addr] = result
	}
	return result
}

// store notes what an instruction leaves in the frame.
func (t *tracker) store(inst *machine.Inst, s *state, of func(machine.Reg) origin) {
	m := stepper{a: t.analysis, s: s}
	at := m.address(&inst.Mem)
	what := origin{}
	switch {
	case inst.Op == machine.Store && inst.Size == 8:
		what = of(inst.Src)
	case inst.Op == machine.Store, inst.Stores && inst.NoFlag: // sums of a word are as good as the word
	case inst.Op == machine.Lea: // whoever gets the address may store there
	case inst.Op == machine.Add && inst.Dst != t.arch.SP() && inst.Dst != t.arch.FP():
		at = m.add(s.get(inst.Src), constantOf(inst.Imm))
	default:
		return
	}
	if at.kind != stack {
		return
	}
	where := word{at.base, at.off}
	if before, ok := t.stored[where]; ok {
		what.merge(before)
	}
	t.stored[where] = what
}
