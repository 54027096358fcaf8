package flow

import (
	"slices"

	"github.com/wherrygo/wherry/internal/read/machine"
)

// intact reports whether the register with the return address holds it at an
// instruction: on all ways there nothing has written it since the function was
// entered, or since it was loaded from the frame.
func (r *reporter) intact(i int32) bool {
	return r.arch.Link() == machine.NoReg || r.backwards(i, func(from int32) (ok, done bool) { return r.keeps(from) })
}

// backwards walks all ways back from an instruction. It reports whether f says
// ok of every instruction on them, up to those where f says that it is done.
func (r *reporter) backwards(i int32, f func(from int32) (ok, done bool)) bool {
	seen := map[int32]bool{}
	for work := []int32{i}; len(work) > 0; {
		at := work[len(work)-1]
		work = work[:len(work)-1]
		before := r.before(at)
		if r.preds[at] == 1 {
			before = []int32{r.from[at]}
		}
		for _, from := range before {
			if seen[from] {
				continue
			}
			seen[from] = true
			switch ok, done := f(from); {
			case !ok:
				return false
			case !done:
				work = append(work, from)
			}
		}
	}
	return true
}

// keeps reports whether the register with the return address may hold it behind
// an instruction, and whether it does for sure, whatever it held before.
func (r *reporter) keeps(i int32) (kept, known bool) {
	link, inst := r.arch.Link(), &r.insts[i]
	switch {
	case link == machine.NoReg:
		return true, true
	case inst.Flow == machine.Call || inst.Flow == machine.CallReg:
		return false, false
	case inst.Dst == link || inst.Writes&(1<<link) != 0:
		restores := inst.Loads && r.restores(i)
		return restores, restores
	}
	return true, false
}

// A part is one of the frame: some bytes at off from the stack pointer at
// entry or after an alignment.
type part struct {
	base      int32
	off, size int64
}

// restores reports whether an instruction loads the return address from where
// the function has put it, and nothing else has been written since.
func (r *reporter) restores(load int32) bool {
	if r.parts == nil {
		r.collect()
	}
	if kept, judged := r.kept[load]; judged {
		return kept
	}
	from, ok := r.parts[load]
	r.kept[load] = ok // in a loop it may be itself what is asked for
	first, _ := r.find(r.entry)
	r.kept[load] = ok && load != first && r.backwards(load, func(at int32) (ok, done bool) {
		to, found := r.parts[at]
		inst := &r.insts[at]
		switch writes := inst.Stores || inst.Op == machine.Store; {
		case !found || !writes || to.base != from.base || to.off >= from.off+8 || from.off >= to.off+to.size:
			return at != first, false
		case inst.LinkAt != 0 && to.off+int64(inst.LinkAt)-1 == from.off:
			return r.intact(at), true
		}
		return false, false
	})
	return r.kept[load]
}

// collect notes what instructions write to the frame, and from where they
// load the return address.
func (r *reporter) collect() {
	r.parts, r.kept = map[int32]part{}, map[int32]bool{}
	r.each(func(i int32, s *state) {
		inst := &r.insts[i]
		writes := inst.Stores || inst.Op == machine.Store
		if !writes && inst.LinkAt == 0 {
			return
		}
		m := stepper{a: r.analysis, s: s}
		at := m.address(&inst.Mem)
		switch {
		case at.kind != stack:
		case writes:
			r.parts[i] = part{at.base, at.off, written(inst)}
		default:
			r.parts[i] = part{at.base, at.off + int64(inst.LinkAt) - 1, 8}
		}
	})
}

// before returns all instructions that lead to one.
func (a *analysis) before(to int32) []int32 {
	if a.incoming == nil {
		a.incoming = map[int32][]int32{}
		for i := range int32(len(a.insts)) {
			a.successors(i, func(to int32, _ bool) {
				if a.preds[to] > 1 && !slices.Contains(a.incoming[to], i) {
					a.incoming[to] = append(a.incoming[to], i)
				}
			})
		}
	}
	return a.incoming[to]
}
