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

// home reports whether the stack pointer is where it was when the function was entered, and the
// return address where it was then.
func (r *reporter) home(s *state) bool {
	link, v := r.arch.Link(), s.get(r.arch.SP())
	return v == (value{kind: stack}) && (link == machine.NoReg || s.get(link) == value{kind: linked})
}

// handsOver reports whether a function that is reached by an instruction, which
// is no call, returns to this one's caller.
func (r *reporter) handsOver(i int32, inst *machine.Inst, s *state) bool {
	if inst.Flow == machine.Jump || inst.Flow == machine.JumpReg || inst.Flow == machine.JumpMem || inst.Flow == machine.Branch {
		return r.home(s)
	}
	after := *s // it falls into the other one
	m := stepper{r.analysis, &after}
	m.step(i)
	return r.home(&after)
}
