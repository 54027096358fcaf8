package flow

import (
	"slices"

	"github.com/wherrygo/wherry/internal/read/machine"
)

// mayRemember reports whether the function at addr may be one that compares its stack pointer
// with a remembered address. It goes through the code from the first instruction to the last, and
// again while that finds more: most functions need no analysis then. Comparisons of which nothing
// but equality is asked are left out, and distances from the stack pointer where nothing is in
// order with them or with a limit.
func mayRemember(arch machine.Arch, memory Memory, addr uint64, results Results) bool {
	b := pool.Get().(*buffers)
	defer pool.Put(b)
	code := memory.Code(addr)
	if end := memory.Bounds(addr); end > addr && end-addr < uint64(len(code)) {
		code = code[:end-addr]
	}
	all := code
	b.insts = b.insts[:0]
	orders := false
	for at := addr; len(code) > 0; {
		b.insts = append(b.insts, machine.Inst{})
		inst := &b.insts[len(b.insts)-1]
		if !arch.Decode(code, at, inst) {
			return true
		}
		// What is compared here can be used where a jump leads.
		orders = orders || inst.Order || (inst.Flow == machine.Branch || inst.Flow == machine.Jump) && inst.Target-addr >= uint64(len(all))
		at, code = at+uint64(inst.Len), code[inst.Len:]
	}
	if !orders {
		return false
	}
	w := sweep{results: results, arch: arch, memory: memory, words: map[machine.Mem]bool{}, at: map[uint64]uint32{addr: 1 << arch.SP()}}
	for range passes {
		w.more = false
		if w.pass(b.insts) {
			return true
		}
		if !w.more {
			return w.apart && w.limits(b.insts)
		}
	}
	return true
}

// passes is how often all is gone through at most. Few functions need more than three.
const passes = 8

// pass goes through the code once, and reports whether that is enough to know.
func (w *sweep) pass(insts []machine.Inst) bool {
	w.own = 0
	for i := range insts {
		inst := &insts[i]
		next := inst.Addr + uint64(inst.Len)
		w.own |= w.at[inst.Addr] | w.tables
		own := w.compares(inst)
		if own && w.ordered(next) {
			return true
		}
		w.apart = w.apart || own && (inst.Op == machine.SubReg || inst.Op == machine.SubLoad && !isCanary(&inst.Mem)) ||
			inst.Flow == machine.Call && w.results.returned(w.arch, w.memory, inst.Target).source == distance
		w.step(inst)
		switch inst.Flow {
		case machine.Jump, machine.Branch:
			w.reach(inst.Target, inst.Addr)
		case machine.JumpReg, machine.JumpMem: // perhaps by a table: to anywhere
			w.more = w.more || w.own&^w.tables != 0
			w.tables |= w.own
		}
		switch inst.Flow {
		case machine.Jump, machine.JumpReg, machine.JumpMem, machine.Return, machine.Trap:
			w.own = 0
		}
	}
	return false
}

// limits reports whether something is in order with what may be a limit.
func (w *sweep) limits(insts []machine.Inst) bool {
	return slices.ContainsFunc(insts, func(i machine.Inst) bool { return limits8(&i) && w.ordered(i.Addr+uint64(i.Len)) })
}

// reach notes what registers are where a jump leads.
func (w *sweep) reach(to, from uint64) {
	if old := w.at[to]; w.own&^old != 0 {
		w.at[to] = old | w.own
		w.more = w.more || to <= from
	}
}

// isCanary reports whether an address is that of the stack protector's word on x86-64, from
// which a function subtracts what it has put into its frame.
func isCanary(mem *machine.Mem) bool {
	return mem.Segment && mem.Base == machine.NoReg && mem.Index == machine.NoReg && mem.Disp == 0x28
}

// limits8 reports whether an instruction compares 8 bytes with what may be a limit.
func limits8(inst *machine.Inst) bool {
	switch inst.Op {
	case machine.Compare, machine.CompIf:
		return inst.Size == 8 && (inst.Src2 != machine.NoReg || inst.Imm >= leastLimit)
	case machine.CompMem:
		return inst.Size == 8 && inst.Imm >= leastLimit
	case machine.Add:
		return inst.Flags && inst.Width == 8 && -inst.Imm >= leastLimit
	case machine.SubReg:
		return inst.Width == 8
	case machine.CompLoad:
		return inst.Size == 8
	}
	return inst.Op == machine.SubLoad
}

// farAhead is how many instructions behind a comparison those are looked for that use its flags.
const farAhead = 24

// ordered reports whether flags that hold at addr may be used for an order, on some way from there.
func (w *sweep) ordered(addr uint64) bool {
	left := farAhead
	for work := []uint64{addr}; len(work) > 0; {
		addr := work[len(work)-1]
		work = work[:len(work)-1]
		var inst machine.Inst
		for {
			left--
			if left < 0 || !w.arch.Decode(w.memory.Code(addr), addr, &inst) || inst.Order ||
				inst.Flow == machine.JumpReg || inst.Flow == machine.JumpMem {
				return true
			}
			if !inst.NoFlag || inst.Flow == machine.Return || inst.Flow == machine.Trap {
				break
			}
			if inst.Flow == machine.Branch {
				work = append(work, inst.Target)
			}
			addr += uint64(inst.Len)
			if inst.Flow == machine.Jump {
				addr = inst.Target
			}
		}
	}
	return false
}

type sweep struct {
	results Results
	arch    machine.Arch
	memory  Memory
	own     uint32               // registers that may derive from the stack pointer
	at      map[uint64]uint32    // those where jumps lead
	tables  uint32               // those at jumps of unknown target
	words   map[machine.Mem]bool // words of the frame that may derive from it, too
	anyOf   bool                 // all of them may
	more    bool                 // another pass may find more

	apart bool // a distance from it was seen
}

func (w *sweep) has(r machine.Reg) bool { return r != machine.NoReg && w.own>>(r&31)&1 != 0 }

// loads reports whether an instruction may load such a word.
func (w *sweep) loads(inst *machine.Inst) bool {
	return w.frames(&inst.Mem) && (w.anyOf || w.words[inst.Mem] || len(w.words) > 0 && inst.Mem.Index != machine.NoReg)
}

// frames reports whether an address is one of the frame. That the stack pointer moves between two
// accesses to one word is not seen.
func (w *sweep) frames(mem *machine.Mem) bool {
	return mem.Base == w.arch.SP() || mem.Base == w.arch.FP()
}

// compares reports whether an instruction compares what may derive from the stack pointer
// with something else, or takes one from the other.
func (w *sweep) compares(inst *machine.Inst) bool {
	switch inst.Op {
	case machine.Compare, machine.CompIf:
		return inst.Size == 8 && inst.Src2 != machine.NoReg && (w.has(inst.Src) || w.has(inst.Src2))
	case machine.SubReg:
		return inst.Width == 8 && inst.Dst != w.arch.SP() && (w.has(inst.Src) || w.has(inst.Src2))
	case machine.CompLoad:
		return inst.Size == 8 && (w.has(inst.Src) || w.loads(inst))
	case machine.SubLoad:
		return w.has(inst.Dst) || w.loads(inst)
	}
	return false
}

func (w *sweep) step(inst *machine.Inst) {
	result := false
	switch inst.Op {
	case machine.Move, machine.Add, machine.And:
		result = w.has(inst.Src)
	case machine.AddReg, machine.SubReg, machine.Select, machine.NegIf:
		result = w.has(inst.Src) || w.has(inst.Src2) || inst.Op >= machine.Select && w.has(inst.Dst)
	case machine.Lea:
		result = w.has(inst.Mem.Base) || w.has(inst.Mem.Index)
	case machine.AddLoad, machine.AndLoad:
		result = w.has(inst.Dst)
	case machine.Load:
		result = inst.Size == 8 && w.loads(inst)
	case machine.Store:
		if w.has(inst.Src) && w.has(inst.Mem.Base) {
			if !w.words[inst.Mem] {
				w.words[inst.Mem], w.more = true, true
			}
			w.anyOf = w.anyOf || !w.frames(&inst.Mem) || inst.Mem.Index != machine.NoReg
		}
	}
	writes := inst.Writes
	if inst.Flow == machine.Call || inst.Flow == machine.CallReg || inst.Flow == machine.CallMem {
		writes |= w.arch.Clobbered()
	}
	w.own &^= writes
	if inst.Dst != machine.NoReg {
		if w.own &^= 1 << (inst.Dst & 31); result {
			w.own |= 1 << (inst.Dst & 31)
		}
	}
	if inst.Flow == machine.Call && w.results.returned(w.arch, w.memory, inst.Target).source != elsewhere {
		w.own |= 1 << w.arch.Result()
	}
	w.own |= 1 << w.arch.SP()
}
