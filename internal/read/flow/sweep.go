package flow

import "github.com/wherrygo/wherry/internal/read/machine"

// mayRemember reports whether the function at addr may be one that compares its stack pointer
// with a remembered address. It reads the code once, from the first instruction to the last: most
// functions need no analysis then. Comparisons of which nothing but equality is asked are left
// out, and distances from the stack pointer where nothing is in order with them or with a limit.
func mayRemember(arch machine.Arch, memory Memory, addr uint64) bool {
	w := sweep{arch: arch, memory: memory, own: 1 << arch.SP()}
	code := memory.Code(addr)
	if end := memory.Bounds(addr); end > addr && end-addr < uint64(len(code)) {
		code = code[:end-addr]
	}
	var inst machine.Inst
	distance, limit := false, false
	for len(code) > 0 {
		if !arch.Decode(code, addr, &inst) {
			return true
		}
		next := addr + uint64(inst.Len)
		own := w.compares(&inst)
		if own && w.ordered(next) {
			return true
		}
		distance = distance || own && (inst.Op == machine.SubReg || inst.Op == machine.SubLoad && !isCanary(&inst.Mem)) ||
			inst.Flow == machine.Call && isSmall(memory, inst.Target)
		limit = limit || limits8(&inst) && w.ordered(next)
		w.step(&inst)
		addr, code = next, code[inst.Len:]
	}
	return distance && limit
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
	arch    machine.Arch
	memory  Memory
	own     uint32 // registers that may derive from the stack pointer
	spilled bool   // words of the frame may, too
}

func (w *sweep) has(r machine.Reg) bool { return r != machine.NoReg && w.own>>(r&31)&1 != 0 }

// loads reports whether an instruction may load such a word.
func (w *sweep) loads(inst *machine.Inst) bool {
	return w.spilled && (inst.Mem.Base == w.arch.SP() || inst.Mem.Base == w.arch.FP())
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
	case machine.AddReg, machine.SubReg, machine.Select:
		result = w.has(inst.Src) || w.has(inst.Src2) || inst.Op == machine.Select && w.has(inst.Dst)
	case machine.Lea:
		result = w.has(inst.Mem.Base) || w.has(inst.Mem.Index)
	case machine.AddLoad:
		result = w.has(inst.Dst)
	case machine.Load:
		result = inst.Size == 8 && w.loads(inst)
	case machine.Store:
		w.spilled = w.spilled || w.has(inst.Src) && w.has(inst.Mem.Base)
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
	if inst.Flow == machine.Call && isSmall(w.memory, inst.Target) {
		w.own |= 1 << w.arch.Result()
	}
	w.own |= 1 << w.arch.SP()
}
