package flow

import "github.com/wherrygo/wherry/internal/machine"

// overwrites tells whether an instruction changes the function's own return
// address.
func (r *reporter) overwrites(inst *machine.Inst, s *state) bool {
	size := int64(1) // of stores that are not modelled
	if inst.Op == machine.Store {
		size = int64(inst.Size)
	} else if !inst.Stores {
		return false
	}
	m := stepper{a: r.analysis, s: s}
	at := m.address(&inst.Mem)
	return at.kind == stack && at.base == 0 && at.off < r.arch.Word() && at.off+size > 0
}

// intact tells whether the register with the return address holds it at an
// instruction: on all ways there nothing has written it since the function was
// entered, or since it was loaded from the frame.
func (r *reporter) intact(i int32) bool {
	link := r.arch.Link()
	if link == machine.NoReg {
		return true
	}
	seen := map[int32]bool{i: true}
	for work := []int32{i}; len(work) > 0; {
		at := work[len(work)-1]
		work = work[:len(work)-1]
		before := r.before(at)
		if r.preds[at] == 1 {
			before = []int32{r.from[at]}
		}
		for _, from := range before {
			inst := &r.insts[from]
			switch {
			case seen[from]:
				continue
			case inst.Flow == machine.Call || inst.Flow == machine.CallReg:
				return false
			case inst.Dst == link || inst.Writes&(1<<link) != 0:
				if !inst.Loads || inst.Mem.Base != r.arch.SP() && inst.Mem.Base != r.arch.FP() {
					return false
				}
				continue
			}
			seen[from] = true
			work = append(work, from)
		}
	}
	return true
}
