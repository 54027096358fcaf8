package flow

import (
	"slices"

	"github.com/wherrygo/wherry/internal/read/machine"
)

// spread follows, by one instruction, what may come from memory that others write, and
// reports whether that changed anything.
func (l *loop) spread() (changed bool) {
	taint := func(r int) {
		changed = changed || !l.tainted[r]
		l.tainted[r] = true
	}
	l.visit(func(at write, inst *machine.Inst, _ *state) {
		result := l.result(at.inst)
		if inst.Dst != machine.NoReg && result {
			taint(int(inst.Dst & 31))
		}
		besides := inst.Writes
		if inst.Loads && !l.loads(at.inst) || !inst.Loads && inst.Op != machine.Other && !result {
			besides = 0
		}
		if isCall(inst) {
			besides |= l.arch.Clobbered()
		}
		for r := range l.tainted {
			if besides>>r&1 != 0 {
				taint(r)
			}
		}
	})
	if !slices.ContainsFunc(l.blocks, l.chooses) {
		return changed
	}
	sometimes := func(w write) bool { return !l.always(w.block) }
	for r := range l.tainted {
		if slices.ContainsFunc(l.writes[r], sometimes) {
			taint(r)
		}
	}
	return changed
}

func isCall(inst *machine.Inst) bool {
	return inst.Flow == machine.Call || inst.Flow == machine.CallReg || inst.Flow == machine.CallMem
}

// has reports whether a register's value before an instruction may come from such memory.
func (l *loop) has(i int32, r machine.Reg) bool {
	_, counts := l.sums[spot{r & 31, i}]
	return r != machine.NoReg && l.tainted[r&31] && !counts
}

// result reports whether what an instruction leaves in Dst, or in the flags, may come from
// there.
func (l *loop) result(i int32) bool {
	inst := &l.insts[i]
	switch inst.Op {
	case machine.Const, machine.Push:
		return false
	case machine.Move, machine.Add, machine.AddReg, machine.SubReg, machine.And, machine.Shl, machine.Shr, machine.Compare:
		return l.has(i, inst.Src) || l.has(i, inst.Src2)
	case machine.Insert:
		return l.has(i, inst.Dst)
	case machine.Lea:
		return l.has(i, inst.Mem.Base) || l.has(i, inst.Mem.Index)
	case machine.Load, machine.CompMem:
		return l.loads(i)
	case machine.AddLoad, machine.SubLoad:
		return l.has(i, inst.Dst) || l.loads(i)
	case machine.CompLoad:
		return l.has(i, inst.Src) || l.loads(i)
	case machine.Select:
		return l.has(i, inst.Src) || l.has(i, inst.Src2) || l.has(i, inst.Dst) || l.flags(i)
	case machine.CompIf, machine.NegIf:
		return l.has(i, inst.Src) || l.has(i, inst.Src2) || l.flags(i)
	}
	return true // not described
}

// loads reports whether what an instruction reads from memory may come from there.
func (l *loop) loads(i int32) bool {
	inst := &l.insts[i]
	return inst.Reads && (l.reads[i] || l.has(i, inst.Mem.Base) || l.has(i, inst.Mem.Index))
}
