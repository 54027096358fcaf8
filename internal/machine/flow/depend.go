package flow

import (
	"math/bits"

	"github.com/wherrygo/wherry/internal/machine"
)

// maxLoop is how many instructions a loop has at most that is looked at by its
// dependences.
const maxLoop = 256

// What an instruction makes and needs, as bits: the general registers, then
// the flags, all vectors as one, and the first words of the frame that occur.
const (
	flagsBit  = 1 << 32
	vectorAt  = 33
	vectorBit = 1 << vectorAt
	wordBits  = 34
)

// An effect is one that an instruction has: what it makes, and of what.
type effect struct {
	to, from uint64
	loads    bool // of memory too
	keeps    bool // what was there before counts still
	calls    bool // of what the loop gives a function, and what that knows
}

// A dependence is a loop by what its branches depend on. Where none of it is
// carried from one round to the next but by memory that the loop does not
// write, only another thread can end the loop. This sees through unrolled
// loops, counters and copies, in a loop of any shape.
type dependence struct {
	*analysis
	head    int32
	nodes   []int32         // of the loop
	at      map[int32]int32 // where a node is in nodes
	follow  [][]int32       // the nodes that follow one
	effects [][]effect
	seeds   []uint64 // what a branch needs
	words   map[[2]uint64]int
	stores  []machine.Mem
	framed  bool // the frame pointer is one
	forks   bool // both ways of a branch stay in the loop
	exits   bool
	written uint64
	mixes   bool           // vectors are made of vectors
	places  map[int32]bool // nodes that load what matters
	calls   []uint64       // where functions are called
	own     uint64         // what is written other than by calls
	in      []uint64
}

// dependsOnOthers reports whether the loop that ends with a jump from latch to
// head can only be ended by another thread; or by the functions that it calls,
// and where.
func (a *analysis) dependsOnOthers(head, latch int32) (waits bool, calls []uint64) {
	d := dependence{analysis: a, head: head, at: map[int32]int32{}, words: map[[2]uint64]int{}, places: map[int32]bool{}}
	b := a.block[head]
	if b == 0 || !a.states[b-1].set {
		return false, nil
	}
	d.framed = a.states[b-1].get(a.arch.FP()).kind == stack
	if !d.body(latch) {
		return false, nil
	}
	for n := range d.nodes {
		if !d.read(int32(n)) {
			return false, nil
		}
	}
	d.follow = make([][]int32, len(d.nodes))
	for n, i := range d.nodes {
		d.successors(i, func(to int32, _ bool) {
			if m, ok := d.at[to]; ok {
				d.follow[n] = append(d.follow[n], m)
			}
		})
	}
	if needed := d.solve(0, true); d.carried(needed) || d.stored() {
		return false, nil
	}
	return len(d.calls) == 0 && (!d.exits || len(d.places) > 0), d.calls
}

// body finds the loop's instructions: all that lead to latch without head.
func (d *dependence) body(latch int32) bool {
	add := func(i int32) {
		if _, ok := d.at[i]; !ok {
			d.at[i] = int32(len(d.nodes))
			d.nodes = append(d.nodes, i)
		}
	}
	add(d.head)
	add(latch)
	for n := 1; n < len(d.nodes); n++ {
		i := d.nodes[n]
		if d.insts[i].Addr == d.entry || len(d.nodes) > maxLoop {
			return false
		}
		if d.preds[i] == 1 {
			add(d.from[i])
			continue
		}
		for _, from := range d.before(i) {
			add(from)
		}
	}
	return len(d.nodes) <= maxLoop
}

// read takes an instruction apart. It reports false for one that makes
// progress where nobody looks, or that is judged elsewhere.
func (d *dependence) read(n int32) bool {
	i := d.nodes[n]
	inst := &d.insts[i]
	sp := d.arch.SP()
	switch {
	case inst.Flow == machine.Syscall, inst.Repeat || inst.Atomic || inst.Waits, inst.Op == machine.Push || inst.Op == machine.Pop ||
		inst.Op == machine.Leave,
		inst.Dst == sp || inst.Writes&(1<<sp) != 0, d.framed && (inst.Dst == d.arch.FP() || inst.Writes&(1<<d.arch.FP()) != 0):
		return false
	}
	operands := one(inst.Src) | one(inst.Src2)
	memory := inst.Op != machine.Lea && (inst.Mem.Base != machine.NoReg || inst.Mem.Index != machine.NoReg || inst.Mem.Disp != 0)
	word := uint64(0)
	if memory && d.inFrame(&inst.Mem) {
		key := [2]uint64{uint64(inst.Mem.Base), uint64(inst.Mem.Disp)}
		k, ok := d.words[key]
		if !ok {
			k = wordBits + len(d.words)
			d.words[key] = k
		}
		if k > 63 || inst.Size > 8 || inst.Stores && written(inst) > 8 {
			return false
		}
		word = 1 << k
	}
	loads := memory && word == 0
	vector := uint64(0)
	if inst.Vector&machine.ReadsVector != 0 {
		vector = vectorBit
	}
	flags := uint64(0)
	if inst.FlagsToo {
		flags = flagsBit
	}
	var made []effect
	add := func(to, from uint64, loads, keeps bool) {
		if to != 0 {
			made = append(made, effect{to: to, from: from, loads: loads, keeps: keeps})
			d.written |= to
			d.own |= to
		}
	}
	if inst.Flow == machine.Call || inst.Flow == machine.CallReg || inst.Flow == machine.CallMem {
		// Words of the frame that the loop itself does not write are the
		// functions' alone.
		const words = 1<<64 - 1<<wordBits
		results, lost := one(d.arch.Result())|vectorBit, uint64(d.arch.Clobbered())|flagsBit
		d.calls = append(d.calls, inst.Addr)
		d.effects = append(d.effects, []effect{{to: results, calls: true}, {to: lost &^ results}, {to: words}})
		d.seeds = append(d.seeds, 0)
		d.written |= results | lost | words
		return true
	}
	switch dst := one(inst.Dst); inst.Op {
	case machine.Other, machine.Store, machine.Compare, machine.CompMem:
	case machine.Const:
		add(dst, 0, false, false)
	case machine.Load:
		add(dst, word, loads, false)
	case machine.Lea:
		add(dst, registersOf(&inst.Mem), false, false)
	case machine.Select:
		if inst.Src2 == machine.NoReg {
			operands |= dst
		}
		add(dst, operands|flagsBit, false, false)
	case machine.Insert:
		add(dst, dst, false, false)
	default:
		add(dst, operands, false, false)
	}
	from := uint64(inst.Reads) | operands | word | vector | flags
	if !inst.Fresh {
		from |= uint64(inst.Writes)
	}
	add(uint64(inst.Writes), from, loads, false)
	if !inst.NoFlag {
		add(flagsBit, from, loads, false)
	}
	if inst.Vector&machine.WritesVector != 0 {
		add(vectorBit, uint64(inst.Reads)|word|flags, loads, true)
		d.mixes = d.mixes || vector != 0
	}
	if inst.Stores || inst.Op == machine.Store {
		switch {
		case word == 0 && (inst.Mem.Base != machine.NoReg || inst.Mem.Index != machine.NoReg || inst.Mem.Segment):
			return false // it may be what the next round reads
		case word == 0 && memory:
			d.stores = append(d.stores, inst.Mem)
		case word == 0:
			return false
		case inst.Op == machine.Store:
			add(word, operands, false, inst.Size < 4)
		default:
			add(word, from, false, true)
		}
	}
	d.effects = append(d.effects, made)
	d.seeds = append(d.seeds, d.branches(i, inst))
	return true
}

// branches returns what decides where an instruction leads.
func (d *dependence) branches(i int32, inst *machine.Inst) uint64 {
	if inst.Flow != machine.Branch {
		set := uint64(0)
		if inst.Flow == machine.JumpReg || inst.Flow == machine.JumpMem {
			set = one(inst.Src) | registersOf(&inst.Mem)
			d.forks = true
		}
		d.exits = d.exits || inst.Flow == machine.Return
		return set
	}
	inside, ends := 0, 0
	d.successors(i, func(to int32, _ bool) {
		if _, ok := d.at[to]; ok {
			inside++
		} else if d.insts[to].Flow == machine.Trap {
			ends++
		}
	})
	if d.jump[i] == d.next[i] {
		return 0
	}
	d.forks = d.forks || inside > 1
	if inside+ends > 1 && inside < 2 {
		return 0 // the other way faults
	}
	d.exits = d.exits || inside < 2
	if inst.Reads != 0 {
		set := uint64(inst.Reads)
		if inst.Writes != 0 { // loop, loope, loopne
			set |= flagsBit
		}
		return set
	}
	return flagsBit
}

func (d *dependence) inFrame(at *machine.Mem) bool {
	return (at.Base == d.arch.SP() || d.framed && at.Base == d.arch.FP()) && at.Index == machine.NoReg && !at.Segment
}

// solve returns what a round needs of what the one before has left. At its end
// it needs after, or, with branches, all that the next one needs.
func (d *dependence) solve(after uint64, branches bool) uint64 {
	d.in = make([]uint64, len(d.nodes))
	for changed := true; changed; {
		changed = false
		for k := range d.nodes {
			n := (k + 1) % len(d.nodes) // from the latch back to the head
			out := uint64(0)
			for _, to := range d.follow[n] {
				if to == 0 && !branches {
					out |= after
				} else {
					out |= d.in[to]
				}
			}
			in, kept := out, uint64(0)
			if effects := d.effects[n]; len(effects) > 0 && effects[0].calls {
				kept = d.own & (1<<64 - vectorBit)
			}
			for _, e := range d.effects[n] {
				if !e.keeps {
					in &^= e.to &^ kept
				}
			}
			for _, e := range d.effects[n] {
				if out&e.to == 0 {
					continue
				}
				in |= e.from
				if e.calls {
					in |= d.own & (uint64(d.arch.Clobbered()) | vectorBit)
				}
				if e.loads {
					d.load(n)
					in |= registersOf(&d.insts[d.nodes[n]].Mem)
				}
			}
			if branches {
				in |= d.seeds[n]
			}
			if in != d.in[n] {
				d.in[n] = in
				changed = true
			}
		}
	}
	return d.in[0]
}

// load notes that memory is read that matters, unless it never changes.
func (d *dependence) load(n int) {
	at := &d.insts[d.nodes[n]].Mem
	if at.Base == machine.NoReg && at.Index == machine.NoReg && !at.Segment && d.memory.ReadOnly(uint64(at.Disp), 1) != nil {
		return
	}
	d.places[d.nodes[n]] = true
}

// carried reports whether something that a round needs is made of itself, round
// after round.
func (d *dependence) carried(needed uint64) bool {
	changing := needed & d.written
	if changing&vectorBit != 0 && d.mixes || changing != 0 && d.forks {
		return true
	}
	of := map[uint64]uint64{}
	for left := changing &^ vectorBit; left != 0; left &= left - 1 {
		b := left & -left
		of[b] = d.solve(b, false) & changing
	}
	for range bits.OnesCount64(changing) { // what depends on nothing that changes is done
		for b, from := range of {
			if from == 0 {
				delete(of, b)
				for other := range of {
					of[other] &^= b
				}
			}
		}
	}
	return len(of) > 0
}

// stored reports whether a round writes what the next one may read.
func (d *dependence) stored() bool {
	for _, at := range d.stores {
		for i := range d.places {
			if d.insts[i].Mem == at {
				return true
			}
		}
	}
	return false
}

func one(r machine.Reg) uint64 {
	if r >= 32 {
		return 0
	}
	return 1 << r
}

func registersOf(at *machine.Mem) uint64 { return one(at.Base) | one(at.Index) }
