package flow

import "github.com/wherrygo/wherry/internal/machine"

// smallLoop is how many bytes a loop has at most that is looked at here. Loops
// that wait are short, as a rule; longer ones pause, which is seen anyway.
const smallLoop = 128

// onlyAsks is how many instructions a loop has at most that does nothing but
// ask a function again and again.
const onlyAsks = 5

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
	insts, calls := 0, false
	r := round{arch: a.arch, slots: map[[2]uint64]bool{}}
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
		r.instruction(inst)
		insts++
		calls = calls || inst.Flow == machine.Call || inst.Flow == machine.CallReg || inst.Flow == machine.CallMem
	}
	if calls && insts > onlyAsks {
		return 0, false // what it calls may make progress in memory
	}
	return WaitLoop, !r.progress
}

// A round is one way through a loop, in the order of addresses. It progresses
// when it changes what it has read before: a register, or a word of the frame;
// or when it writes other memory.
type round struct {
	arch     machine.Arch
	read     uint32             // registers, as the round before left them
	written  uint32             // registers
	slots    map[[2]uint64]bool // words of the frame, likewise read
	progress bool
}

func (r *round) instruction(inst *machine.Inst) {
	for _, reg := range []machine.Reg{inst.Src, inst.Src2, inst.Mem.Base, inst.Mem.Index} {
		if reg != machine.NoReg && r.written&(1<<reg) == 0 {
			r.read |= 1 << reg
		}
	}
	// What Writes stands for may also have read them.
	r.progress = r.progress || inst.Stores || inst.Writes&^r.written != 0
	r.write(inst.Writes)
	if inst.Dst != machine.NoReg {
		if (inst.Op == machine.Select || inst.Op == machine.Insert) && r.written&(1<<inst.Dst) == 0 {
			r.read |= 1 << inst.Dst
		}
		r.write(1 << inst.Dst)
	}
	// A word of the frame, by its base register and distance.
	frame := (inst.Mem.Base == r.arch.SP() || inst.Mem.Base == r.arch.FP()) && inst.Mem.Index == machine.NoReg && !inst.Mem.Segment
	slot := [2]uint64{uint64(inst.Mem.Base), uint64(inst.Mem.Disp)}
	switch {
	case inst.Op == machine.Load && frame:
		r.slots[slot] = true
	case inst.Op == machine.Store:
		r.progress = r.progress || !frame || r.slots[slot]
	}
}

func (r *round) write(registers uint32) {
	r.progress = r.progress || r.read&registers != 0
	r.written |= registers
}
