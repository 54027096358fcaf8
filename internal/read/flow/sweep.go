package flow

import "github.com/wherrygo/wherry/internal/read/machine"

// MayRemember reports whether the function at addr may be one of which Analyze says that it
// compares its stack pointer with a remembered address. It reads the code once, from the
// first instruction to the last: most functions need no analysis then.
func MayRemember(arch machine.Arch, memory Memory, addr uint64) bool {
	w := sweep{arch: arch, memory: memory, own: 1 << arch.SP()}
	code := memory.Code(addr)
	if end := memory.Bounds(addr); end > addr && end-addr < uint64(len(code)) {
		code = code[:end-addr]
	}
	var inst machine.Inst
	for len(code) > 0 {
		if !arch.Decode(code, addr, &inst) {
			return true
		}
		if w.compares(&inst) {
			return true
		}
		w.step(&inst)
		addr += uint64(inst.Len)
		code = code[inst.Len:]
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
