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
		if to := a.jump[i]; to != none && a.insts[to].Addr <= a.insts[i].Addr && a.insts[i].Addr-a.insts[to].Addr <= smallLoop &&
			a.circles(to, int32(i)) {
			if kind, waits := a.waits(a.insts[to].Addr, a.insts[i].Addr); waits {
				a.function.Findings = append(a.function.Findings, Finding{Site: a.insts[i].Addr, Kind: kind})
			}
		}
	}
	for _, back := range a.backs {
		waits, calls := a.dependsOnOthers(back[0], back[1])
		if waits {
			a.function.Findings = append(a.function.Findings, Finding{Site: a.insts[back[1]].Addr, Kind: WaitLoop})
		} else if calls != nil {
			a.function.Asks = append(a.function.Asks, Ask{a.insts[back[1]].Addr, calls})
		}
	}
}

// circles reports whether a way leads from head to latch between their addresses.
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

// waits reports whether a loop may wait for another thread: because it tries an
// atomic operation again and again, or because nothing changes from one round to
// the next but what another thread writes.
func (a *analysis) waits(head, latch uint64) (kind Kind, waits bool) {
	insts, calls := 0, false
	r := round{arch: a.arch, slots: map[[2]uint64]bool{}, counted: map[[2]uint64]bool{}, places: map[machine.Mem]bool{}}
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
		if inst.Clock {
			return WaitLoop, true
		}
		r.instruction(inst)
		insts++
		calls = calls || inst.Flow == machine.Call || inst.Flow == machine.CallReg || inst.Flow == machine.CallMem
	}
	if calls && (insts > onlyAsks || len(r.stores) > 0) {
		return 0, false // what it calls may make progress in memory
	}
	return WaitLoop, !r.ended(calls)
}

// A round is one way through a loop, in the order of addresses. It progresses
// when it changes what it has read before: a register, or a word of the frame;
// or when it writes other memory. What only counts the rounds, and is not looked
// at in the loop, is no progress.
type round struct {
	arch     machine.Arch
	read     uint32               // registers, as the round before left them
	written  uint32               // registers
	slots    map[[2]uint64]bool   // words of the frame, likewise read
	places   map[machine.Mem]bool // of memory that are read
	stores   []machine.Mem        // that are written
	moving   uint32               // registers by which other memory is read
	counters uint32               // registers that a number is added to
	counted  map[[2]uint64]bool   // words of the frame, likewise
	used     uint32               // registers that are read otherwise
	flags    uint32               // the counter that the flags are of
	progress bool
}

// ended reports whether a round makes progress. One that asks nobody, neither
// memory nor a function, does so if only by counting.
func (r *round) ended(calls bool) bool {
	if !calls && len(r.places) == 0 {
		return r.progress || r.counters != 0 || len(r.counted) > 0 || len(r.stores) > 0
	}
	for slot := range r.counted {
		r.progress = r.progress || r.slots[slot]
	}
	for _, at := range r.stores {
		// One at an address that stays, to a place that the loop does not
		// read, changes nothing for it.
		r.progress = r.progress || r.registers(&at)&r.written != 0 || r.moving&r.written != 0 || r.places[at]
	}
	return r.progress || r.counters&r.used != 0
}

// registers returns those that an address is made of.
func (r *round) registers(at *machine.Mem) uint32 {
	set := uint32(0)
	for _, reg := range [...]machine.Reg{at.Base, at.Index} {
		if reg != machine.NoReg {
			set |= 1 << reg
		}
	}
	return set
}

func (r *round) instruction(inst *machine.Inst) {
	if r.counts(inst) {
		return
	}
	reads := r.registers(&inst.Mem)
	for _, reg := range [...]machine.Reg{inst.Src, inst.Src2} {
		if reg != machine.NoReg {
			reads |= 1 << reg
		}
	}
	if inst.Fresh {
		reads |= inst.Reads
	}
	r.read |= reads &^ r.written
	r.used |= reads
	if inst.Op == machine.Other {
		r.used |= inst.Reads
	}
	if inst.Flow == machine.Branch || inst.Op == machine.Select || inst.Writes != 0 && (inst.NoFlag || !inst.Fresh) {
		r.used |= r.flags
	}
	if !inst.NoFlag && !inst.Fresh { // what makes vectors leaves the flags alone
		r.flags = 0
	}
	// A word of the frame, by its base register and distance.
	frame := (inst.Mem.Base == r.arch.SP() || inst.Mem.Base == r.arch.FP()) && inst.Mem.Index == machine.NoReg && !inst.Mem.Segment
	slot := [2]uint64{uint64(inst.Mem.Base), uint64(inst.Mem.Disp)}
	memory := inst.Mem.Base != machine.NoReg || inst.Mem.Index != machine.NoReg || inst.Mem.Disp != 0
	switch plain := inst.Op == machine.Other && inst.Writes == 0 && memory && !inst.Repeat; {
	case inst.Stores && plain && frame:
		r.counted[slot] = true // or anything else that is made of what the word held
	case inst.Stores && plain || inst.Op == machine.Store && !frame:
		r.stores = append(r.stores, inst.Mem)
	case inst.Stores:
		r.progress = true
	case memory && !frame && inst.Op != machine.Store:
		r.places[inst.Mem] = true
		r.moving |= r.registers(&inst.Mem)
	}
	if !inst.Fresh {
		// What Writes stands for may also have read them.
		r.progress = r.progress || inst.Writes&^r.written != 0
		r.used |= inst.Writes
	}
	r.write(inst.Writes)
	if inst.Dst != machine.NoReg {
		if (inst.Op == machine.Select || inst.Op == machine.Insert) && r.written&(1<<inst.Dst) == 0 {
			r.read |= 1 << inst.Dst
		}
		r.write(1 << inst.Dst)
	}
	switch {
	case inst.Op == machine.Store:
		r.progress = r.progress || frame && r.slots[slot]
	case frame && !inst.Stores:
		r.slots[slot] = true
	}
}

// counts takes what adds to a register for a counter, as long as nothing else
// writes that.
func (r *round) counts(inst *machine.Inst) bool {
	adds := !inst.Loads && !inst.Stores && inst.Writes == 0 &&
		(inst.Op == machine.Add && inst.Mem.Base == machine.NoReg || inst.Op == machine.AddReg && inst.Src2 != inst.Dst) &&
		inst.Src == inst.Dst ||
		inst.Op == machine.Lea && !inst.Mem.Segment && inst.Mem.Base == inst.Dst && inst.Mem.Index == machine.NoReg
	if !adds || inst.Dst == machine.NoReg || inst.Dst == r.arch.SP() || r.written&(1<<inst.Dst) != 0 {
		return false
	}
	if inst.Op == machine.AddReg && inst.Src2 != machine.NoReg {
		r.used |= 1 << inst.Src2
		r.read |= 1 << inst.Src2 &^ r.written
	}
	r.counters |= 1 << inst.Dst
	if !inst.NoFlag {
		r.flags = 1 << inst.Dst
	}
	return true
}

func (r *round) write(registers uint32) {
	r.progress = r.progress || r.read&registers != 0
	r.written |= registers
}
