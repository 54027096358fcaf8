package flow

import "github.com/wherrygo/wherry/internal/read/machine"

// overwrites reports whether an instruction changes the function's own return
// address.
func (r *reporter) overwrites(inst *machine.Inst, s *state) bool {
	size := written(inst)
	if size == 0 {
		return false
	}
	m := stepper{a: r.analysis, s: s}
	at := m.address(&inst.Mem)
	return at.kind == stack && at.base == 0 && at.off < r.arch.Word() && at.off+size > 0
}

// written returns how many bytes from its address on an instruction may write.
// Of one that repeats itself it is one round: what a buffer may hold is the
// code's to know, here as in a loop.
func written(inst *machine.Inst) int64 {
	switch {
	case inst.Op == machine.Store:
		return int64(inst.Size)
	case !inst.Stores:
		return 0
	case inst.Stored == 0:
		return 1 << 16
	}
	return int64(inst.Stored)
}

// home reports whether the stack pointer is where it was when the function was
// entered: as far as that is followed, or else by unwind information.
func (r *reporter) home(s *state, addr uint64) bool {
	if v := s.get(r.arch.SP()); v.kind == stack && v.base == 0 {
		return v.off == 0
	}
	row := r.unwinds(addr)
	return row.Known && row.Reg == r.arch.DwarfSP() && row.Offset == r.arch.Word()
}

// handsOver reports whether a function that is reached by an instruction, which
// is no call, returns to this one's caller.
func (r *reporter) handsOver(i int32, inst *machine.Inst, s *state) bool {
	if inst.Flow == machine.Jump || inst.Flow == machine.JumpReg || inst.Flow == machine.JumpMem || inst.Flow == machine.Branch {
		return r.home(s, inst.Addr) && r.intact(i)
	}
	after := *s // it falls into the other one
	m := stepper{a: r.analysis, s: &after}
	m.step(i)
	if !r.home(&after, inst.Addr+uint64(inst.Len)) {
		return false
	}
	kept, known := r.keeps(i)
	return kept && (known || r.intact(i))
}
