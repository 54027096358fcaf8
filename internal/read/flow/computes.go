package flow

import "github.com/wherrygo/wherry/internal/read/machine"

// maxComputing is how many bytes of code a function has at most that is asked whether it
// only computes.
const maxComputing = 2048

// computes reports whether what a function returns depends on its arguments in registers
// alone: it reads nothing but its frame and memory that nobody writes, writes nothing but
// its frame, and calls no others but such.
func (a *analysis) computes(addr uint64) bool {
	pure, known := a.pure[addr]
	if known {
		return pure
	}
	a.pure[addr] = false // for functions that call each other
	if end := a.memory.Bounds(addr); end > addr && end-addr <= maxComputing {
		a.pure[addr] = analyze(a.arch, a.memory, addr, a.callees, computed).alone
	}
	return a.pure[addr]
}

// computing reports that of the function that has been read.
func (a *analysis) computing() bool {
	f := a.function
	if len(f.Findings) > 0 {
		return false
	}
	for _, c := range f.Calls {
		if c.Target.Name != "" || c.Target.IFunc || !a.computes(c.Target.Addr) {
			return false
		}
	}
	only := true
	a.each(func(i int32, s *state) {
		inst := &a.insts[i]
		m := stepper{a: a, s: s}
		at := m.address(&inst.Mem)
		framed := at.kind == stack && (at.base != 0 || at.off < 0)
		switch {
		case inst.Atomic, inst.Waits, inst.Clock, inst.Flow == machine.Syscall:
			only = false
		case (inst.Op == machine.Store || inst.Stores) && !framed, inst.Reads && !framed && !a.unchanging(inst, s):
			only = false
		}
	})
	return only
}

// unchanging reports whether nobody writes at the address of an instruction's memory
// operand; if an index is added to it, then nobody writes in the object that is there.
func (a *analysis) unchanging(inst *machine.Inst, s *state) bool {
	at := s.get(inst.Mem.Base)
	if at.kind != constant || inst.Mem.Segment || inst.Mem.Scale == 0 && inst.Mem.Base == machine.NoReg && inst.Mem.Disp == 0 {
		return false
	}
	at.off += inst.Mem.Disp
	if a.memory.ReadOnly(uint64(at.off), 1) != nil {
		return true
	}
	_, ok := a.memory.Pointer(uint64(at.off))
	return ok
}
