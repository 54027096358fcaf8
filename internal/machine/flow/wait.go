package flow

import "github.com/wherrygo/wherry/internal/machine"

// smallLoop is how many bytes a loop has at most that is looked at here. Loops
// that wait are short, as a rule; longer ones pause, which is seen anyway.
const smallLoop = 128

// waitLoops notes the loops that may wait for another thread. Every loop jumps
// to a lower address somewhere.
func (a *analysis) waitLoops() {
	for i := range a.insts {
		if to := a.jump[i]; to != none && a.insts[to].Addr <= a.insts[i].Addr && a.insts[i].Addr-a.insts[to].Addr <= smallLoop && a.circles(to, int32(i)) {
			if kind, waits := a.waits(a.insts[to].Addr, a.insts[i].Addr); waits {
				a.function.Findings = append(a.function.Findings, Finding{Site: a.insts[i].Addr, Kind: kind})
			}
		}
	}
}

// circles tells whether a way leads from head to latch between their addresses.
func (a *analysis) circles(head, latch int32) bool {
	seen := map[int32]bool{head: true}
	trail := []int32{head}
	for len(trail) > 0 {
		at := trail[len(trail)-1]
		trail = trail[:len(trail)-1]
		if at == latch {
			return true
		}
		a.successors(at, func(to int32, _ bool) {
			if addr := a.insts[to].Addr; !seen[to] && addr >= a.insts[head].Addr && addr <= a.insts[latch].Addr {
				seen[to] = true
				trail = append(trail, to)
			}
		})
	}
	return false
}

// waits tells whether a loop may wait for another thread: because it tries an
// atomic operation again and again, or because nothing changes from one round to
// the next but what another thread writes.
func (a *analysis) waits(head, latch uint64) (kind Kind, waits bool) {
	var loaded uint32            // registers that this round has loaded
	read := map[[2]uint64]bool{} // words of the frame that this round has read
	progress := false
	for addr := head; addr <= latch; {
		i, ok := a.find(addr)
		if !ok {
			addr++ // not reached, or the middle of an instruction
			continue
		}
		inst := &a.insts[i]
		addr += max(uint64(inst.Len), 1)
		if inst.Atomic {
			return LockLoop, true
		}
		progress = progress || a.progresses(inst, loaded, read)
		slot, isFrame := a.slot(&inst.Mem)
		switch {
		case inst.Op == machine.Load:
			loaded |= 1 << inst.Dst
			if isFrame {
				read[slot] = true
			}
		case inst.Op == machine.Move && loaded&(1<<inst.Src) != 0, inst.Op == machine.Const:
			loaded |= 1 << inst.Dst
		}
	}
	return WaitLoop, !progress
}

// slot is a word of the frame, by its base register and distance.
func (a *analysis) slot(m *machine.Mem) ([2]uint64, bool) {
	frame := (m.Base == a.arch.SP() || m.Base == a.arch.FP()) && m.Index == machine.NoReg && !m.Segment
	return [2]uint64{uint64(m.Base), uint64(m.Disp)}, frame
}

// progresses tells whether an instruction makes the next round differ from this
// one: it changes a register in terms of itself, or writes memory. A word of
// the frame counts only if this round has read it before.
func (a *analysis) progresses(inst *machine.Inst, loaded uint32, read map[[2]uint64]bool) bool {
	own := func(r machine.Reg) bool { return r != machine.NoReg && r == inst.Dst && loaded&(1<<r) == 0 }
	switch inst.Op {
	case machine.Store:
		slot, frame := a.slot(&inst.Mem)
		return !frame || read[slot]
	case machine.Load:
		return own(inst.Mem.Base) || own(inst.Mem.Index)
	case machine.Lea:
		return own(inst.Mem.Base) || own(inst.Mem.Index)
	case machine.Const, machine.Move, machine.Compare, machine.CompMem:
		return inst.Stores || inst.Writes != 0
	}
	return own(inst.Src) || own(inst.Src2) || inst.Dst != machine.NoReg && inst.Op != machine.Other && loaded&(1<<inst.Dst) == 0 ||
		inst.Writes != 0 || inst.Stores
}
