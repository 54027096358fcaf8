package flow

import (
	"slices"

	"github.com/wherrygo/wherry/internal/read/machine"
)

// resolve looks where indirect jumps lead. It reports whether that changed where paths go, so that
// all has to be looked at again.
func (a *analysis) resolve() bool {
	a.tails = map[int32][]Target{}
	if !slices.ContainsFunc(a.insts, func(inst machine.Inst) bool { return inst.Flow == machine.JumpReg || inst.Flow == machine.JumpMem }) {
		return false
	}
	var found []uint64
	a.each(func(i int32, s *state) {
		if flow := a.insts[i].Flow; flow == machine.JumpReg || flow == machine.JumpMem {
			found = append(found, a.follow(i, s)...)
		}
	})
	for _, addr := range found {
		a.discover(addr)
	}
	return len(found) > 0
}

// follow notes where a jump leads, and returns the places in the function that are new.
func (a *analysis) follow(i int32, s *state) (found []uint64) {
	targets, ok := a.leads(&a.insts[i], s)
	tails, inside := []Target{}, []uint64{}
	for _, t := range targets {
		switch {
		case t.Name != "" || t.IFunc || t.Addr != a.entry && a.leaves(t.Addr):
			tails = append(tails, t)
		case !a.belongs(t.Addr):
			// A table can be shorter than the bound of its index: compilers leave out what cannot happen.
			ok = false
		default:
			inside = append(inside, t.Addr)
		}
	}
	if !ok {
		// What an earlier round followed stays followed, but the jump counts as one of unknown target.
		return nil
	}
	a.tails[i] = tails
	for _, addr := range inside {
		if !slices.Contains(a.tables[i], addr) {
			a.tables[i] = append(a.tables[i], addr)
			found = append(found, addr)
		}
	}
	return found
}

// belongs reports whether an address lies in the function or in a part of one.
func (a *analysis) belongs(addr uint64) bool {
	if a.inside(addr) {
		return a.memory.Code(addr) != nil
	}
	frame := a.memory.Frame(addr)
	return frame != nil && a.memory.IsPart(frame.Start) && a.memory.Code(addr) != nil
}

// leads returns all that an indirect jump or call can lead to.
func (a *analysis) leads(inst *machine.Inst, s *state) ([]Target, bool) {
	v := s.get(inst.Src)
	if inst.Flow == machine.JumpMem || inst.Flow == machine.CallMem {
		m := stepper{a, s}
		v = m.load(&machine.Inst{Mem: inst.Mem, Size: 8, Width: 8}, m.address(&inst.Mem))
	}
	switch {
	case v.kind == entry:
		return a.destinations(v)
	case v.kind == constant && a.memory.Code(uint64(v.off)) != nil:
		return []Target{{Addr: uint64(v.off)}}, true
	}
	return a.targets(v)
}

// destinations reads a table of addresses.
func (a *analysis) destinations(v value) (targets []Target, ok bool) {
	table := a.more(v).table
	seen := map[Target]bool{}
	for n := range table.count {
		at := table.start + n*table.step
		data := a.memory.ReadOnly(at, uint64(table.size))
		if data == nil {
			return nil, false
		}
		t, isPointer := a.memory.Pointer(at)
		switch {
		case table.size == 8 && (v.scale != 1 || v.off != 0):
			return nil, false
		case table.size < 8 || !isPointer:
			entry := littleEndian(data)
			if shift := 64 - 8*uint(table.size); table.signed {
				entry = uint64(int64(entry<<shift) >> shift)
			}
			t = Target{Addr: uint64(v.off) + uint64(v.scale)*entry}
		}
		if t.Name == "" && a.memory.Code(t.Addr) == nil {
			return nil, false
		}
		if !seen[t] {
			seen[t] = true
			targets = append(targets, t)
		}
	}
	return targets, true
}
