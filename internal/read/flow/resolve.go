package flow

import (
	"slices"

	"github.com/wherrygo/wherry/internal/read/machine"
)

// maxChain bounds how far back a chain goes.
const maxChain = 400

// resolve looks where indirect jumps and calls lead. It reports whether that
// changed where paths go, so that all has to be looked at again.
func (a *analysis) resolve() bool {
	var found []uint64
	a.incoming = nil
	a.tails = map[int32][]Target{}
	for i := range int32(len(a.insts)) {
		if flow := a.insts[i].Flow; flow != machine.JumpReg && flow != machine.JumpMem {
			continue
		}
		targets, ok := a.leads(i)
		tails, inside := []Target{}, []uint64{}
		for _, t := range targets {
			switch {
			case t.Name != "" || t.IFunc || t.Addr != a.entry && a.leaves(t.Addr):
				tails = append(tails, t)
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
			continue
		}
		a.tails[i] = tails
		for _, addr := range inside {
			if !slices.Contains(a.tables[i], addr) {
				a.tables[i] = append(a.tables[i], addr)
				found = append(found, addr)
			}
		}
	}
	for _, addr := range found {
		a.discover(addr)
	}
	return len(found) > 0 && !a.over
}

// indirect looks where indirect calls lead, once the ways are known.
func (a *analysis) indirect() {
	a.calls = map[int32][]Target{}
	for i := range int32(len(a.insts)) {
		if flow := a.insts[i].Flow; flow == machine.CallReg || flow == machine.CallMem {
			if targets, ok := a.leads(i); ok {
				a.calls[i] = targets
			}
		}
	}
}

// belongs reports whether an address lies in the function or in a part of one.
func (a *analysis) belongs(addr uint64) bool {
	if a.inside(addr) {
		return a.memory.Code(addr) != nil
	}
	frame := a.memory.Frame(addr)
	return frame != nil && a.memory.IsPart(frame.Start) && a.memory.Code(addr) != nil
}

// maxWays bounds how many ways to an indirect jump are told apart.
const maxWays = 48

// maxCallWays is that for calls: few of them lead to a set of addresses.
const maxCallWays = 6

// leads returns all that an indirect jump or call can lead to. It first looks
// at the one straight way to it. Where that does not tell, because several
// ways meet, it looks at each of them: every run of the jump comes along one.
func (a *analysis) leads(i int32) ([]Target, bool) {
	var all []Target
	most := maxWays
	if flow := a.insts[i].Flow; flow == machine.CallReg || flow == machine.CallMem {
		most = maxCallWays
	}
	ways := [][]int32{{i}}
	for n := 0; len(ways) > 0; n++ {
		if n == most {
			return nil, false
		}
		way := ways[len(ways)-1]
		ways = ways[:len(ways)-1]
		way = a.extend(way)
		targets, reached, ok := a.along(way)
		switch {
		case !reached:
			continue // no run comes this way
		case ok:
			for _, t := range targets {
				if !slices.Contains(all, t) {
					all = append(all, t)
				}
			}
			continue
		}
		first := way[len(way)-1]
		if len(way) >= maxChain || a.insts[first].Addr == a.entry {
			return nil, false
		}
		before := a.before(first)
		if len(before) == 0 {
			return nil, false
		}
		for _, from := range before {
			ways = append(ways, append(slices.Clone(way), from))
		}
	}
	return all, len(all) > 0
}

// extend makes a way, which is listed backwards, as long as it is without
// alternatives.
func (a *analysis) extend(way []int32) []int32 {
	for at := way[len(way)-1]; a.preds[at] == 1 && len(way) < maxChain; {
		at = a.from[at]
		way = append(way, at)
	}
	return way
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

// along returns where a jump leads that is reached on a way.
func (a *analysis) along(way []int32) (targets []Target, reached, ok bool) {
	c := &chain{a: a, bounds: map[bound]uint64{}, held: map[place]stored{}}
	s, reached := a.follow(way, c)
	if !reached {
		return nil, false, false
	}
	inst := &a.insts[way[0]]
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
		targets, ok = c.destinations(v)
	case symbol:
		targets, ok = c.computed(v)
	case constant:
		targets, ok = []Target{{Addr: uint64(v.off)}}, a.memory.Code(uint64(v.off)) != nil
	default:
		targets, ok = a.targets(v)
	}
	return targets, true, ok
}

// follow runs a way and returns the state before its last instruction.
func (a *analysis) follow(way []int32, c *chain) (*state, bool) {
	// The state is known at the first instruction of a block only.
	start := len(way) - 1
	s := &state{}
	for first := way[start]; ; {
		if b := a.block[first]; b != 0 {
			if !a.states[b-1].set {
				return nil, false
			}
			*s = a.states[b-1]
			break
		}
		if a.preds[first] != 1 {
			break
		}
		// A little further back; the instructions on the way are run too.
		first = a.from[first]
		way = append(way[:start+1:start+1], first)
		start++
	}
	for r := range s.regs {
		switch s.regs[r].kind {
		case unknown, within:
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
	for n := start; n > 0; n-- {
		from, to := way[n], way[n-1]
		m.step(from)
		if a.jump[from] != a.next[from] {
			c.branch(&a.insts[from], a.jump[from] == to)
		}
	}
	return s, true
}

// computed returns the places that a jump into a row of equally long pieces of
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
		t, n := Target{}, littleEndian(data)
		if c.a.more(v).size == 8 {
			if v.scale != 1 || v.off != 0 {
				return false
			}
			var known bool
			if t, known = c.a.memory.Pointer(at); !known {
				t = Target{Addr: n}
			}
		} else {
			if shift := 64 - 8*uint(c.a.more(v).size); c.a.more(v).signed {
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
