package flow

import (
	"encoding/binary"
	"slices"

	"github.com/wherrygo/wherry/internal/machine"
)

// maxChain bounds how far back a chain goes.
const maxChain = 400

// resolve looks where indirect jumps and calls lead. It reports whether that
// changed where paths go, so that all has to be looked at again.
func (a *analysis) resolve() bool {
	changed := false
	a.tails, a.calls = map[int32][]Target{}, map[int32][]Target{}
	for i := range int32(len(a.insts)) {
		inst := &a.insts[i]
		switch inst.Flow {
		case machine.CallReg, machine.CallMem:
			if targets, ok := a.leads(i); ok {
				a.calls[i] = targets
			}
		case machine.JumpReg, machine.JumpMem:
			targets, ok := a.leads(i)
			var inside []uint64
			for _, t := range targets {
				switch {
				case t.Name != "" || t.IFunc || t.Addr != a.entry && a.leaves(t.Addr):
					a.tails[i] = append(a.tails[i], t)
				case !a.belongs(t.Addr):
					// A table can be shorter than the bound of its index:
					// compilers leave out what cannot happen.
					ok = false
				default:
					inside = append(inside, t.Addr)
				}
			}
			if !ok {
				// What an earlier round followed stays followed, but the jump
				// counts as one of unknown target.
				delete(a.tails, i)
				a.tables[i] = slices.Clip(a.tables[i])
				continue
			}
			if a.tails[i] == nil {
				a.tails[i] = []Target{}
			}
			for _, addr := range inside {
				if !slices.Contains(a.tables[i], addr) {
					a.tables[i] = append(a.tables[i], addr)
					a.discover(addr)
					changed = true
				}
			}
		}
	}
	return changed && !a.over
}

// belongs tells whether an address lies in the function or in a part of one.
func (a *analysis) belongs(addr uint64) bool {
	if a.inside(addr) {
		return a.memory.Code(addr) != nil
	}
	frame := a.memory.Frame(addr)
	return frame != nil && a.memory.IsPart(frame.Start) && a.memory.Code(addr) != nil
}

// leads gives all that an indirect jump or call can lead to.
func (a *analysis) leads(i int32) ([]Target, bool) {
	c := &chain{a: a, bounds: map[bound]uint64{}, slots: map[slot]stored{}}
	s, ok := a.follow(i, c)
	if !ok {
		return nil, false // no path comes here
	}
	inst := &a.insts[i]
	m := &stepper{a: a, s: s, chain: c}
	var v value
	if inst.Flow == machine.JumpReg || inst.Flow == machine.CallReg {
		v = s.get(inst.Src)
	} else {
		load := machine.Inst{Mem: inst.Mem, Size: 8, Width: 8}
		v = m.load(&load)
	}
	switch v.kind {
	case entry:
		return c.destinations(v)
	case symbol:
		return c.computed(v)
	}
	if v.kind == constant && a.memory.Code(uint64(v.off)) != nil {
		return []Target{{Addr: uint64(v.off)}}, true
	}
	return a.targets(v)
}

// follow runs the longest chain to an instruction and gives the state before
// it.
func (a *analysis) follow(i int32, c *chain) (*state, bool) {
	way := []int32{i}
	at := i
	for a.preds[at] == 1 && len(way) < maxChain {
		at = a.from[at]
		if len(way) > 1 && at == i {
			break
		}
		way = append(way, at)
	}
	// The state is known at the first instruction of a block only.
	for len(way) > 1 && a.block[way[len(way)-1]] == 0 {
		way = way[:len(way)-1]
	}
	first := way[len(way)-1]
	s := &state{}
	if b := a.block[first]; b != 0 {
		if !a.states[b-1].set {
			return nil, false
		}
		*s = a.states[b-1]
	}
	for r := range s.regs {
		switch s.regs[r].kind {
		case unknown:
			s.regs[r] = c.fresh(8)
		case narrow:
			if s.regs[r].scale == 0 {
				s.regs[r] = c.fresh(s.regs[r].width)
			} else {
				s.regs[r] = c.freshSigned()
			}
		}
	}
	m := &stepper{a: a, s: s, chain: c}
	for n := len(way) - 1; n > 0; n-- {
		from, to := way[n], way[n-1]
		m.step(from)
		if a.jump[from] != a.next[from] {
			c.branch(&a.insts[from], a.jump[from] == to)
		}
	}
	return s, true
}

// computed gives the places that a jump into a row of equally long pieces of
// code leads to.
func (c *chain) computed(v value) ([]Target, bool) {
	start, step, count, ok := c.places(v)
	if !ok || count > 256 {
		return nil, false
	}
	var targets []Target
	for i := range count {
		t := Target{Addr: start + i*step}
		if c.a.memory.Code(t.Addr) == nil {
			return nil, false
		}
		targets = append(targets, t)
	}
	return targets, true
}

// destinations reads a table of addresses.
func (c *chain) destinations(v value) ([]Target, bool) {
	var targets []Target
	ok := c.entries(v, func(at uint64, data []byte) bool {
		t := Target{}
		if v.more.size == 8 {
			if v.scale != 1 || v.off != 0 {
				return false
			}
			var known bool
			if t, known = c.a.memory.Pointer(at); !known {
				t = Target{Addr: binary.LittleEndian.Uint64(data)}
			}
		} else {
			n := uint64(0)
			for i := len(data) - 1; i >= 0; i-- {
				n = n<<8 | uint64(data[i])
			}
			if shift := 64 - 8*uint(v.more.size); v.more.signed {
				n = uint64(int64(n<<shift) >> shift)
			}
			t.Addr = uint64(v.off) + uint64(v.scale)*n
		}
		if t.Name == "" && c.a.memory.Code(t.Addr) == nil {
			return false
		}
		if !slices.Contains(targets, t) {
			targets = append(targets, t)
		}
		return true
	})
	return targets, ok && len(targets) > 0
}
