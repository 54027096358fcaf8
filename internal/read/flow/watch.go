package flow

import (
	"math"

	"github.com/wherrygo/wherry/internal/read/machine"
)

// A loop waits for another thread if its end depends on memory that others write: it
// reads a place again and again until something else stands there. watches reports
// whether that is not excluded of one. A loop does not wait if all that decides about its
// end comes from
//
//   - registers that do not come from such memory;
//   - memory that nobody writes;
//   - the function's own frame, where no address of it is known to others, or the loop
//     itself writes there;
//   - places of which each is read once, as the bytes of a string: the address is a sum
//     to which each round adds a constant.
//
// What a call leaves in registers may come from anywhere, but of a function that only
// computes. Registers that are written in
// some rounds only depend on what decides about that. An instruction that the decoders do
// not describe reads all registers.

// A watcher looks at the loops of a function.
type watcher struct {
	*analysis
	*graph
	inside []bool // of each block: in the loop that is looked at, without its head once that is done
	known  int64  // words of the frame below this are known to nobody else
}

// watches finds the loops, from the outside in.
func (a *analysis) watches() bool {
	w := &watcher{analysis: a, graph: a.graph(), inside: make([]bool, len(a.leaders)), known: math.MinInt64}
	all := make([]int32, 0, len(a.leaders))
	for b := range a.leaders {
		if w.inside[b] = a.states[b].set; w.inside[b] {
			all = append(all, int32(b))
		}
	}
	loops := w.cycles(all, w.inside)
	if len(loops) == 0 {
		return false
	}
	w.known = w.lowest()
	clear(w.inside)
	for len(loops) > 0 {
		blocks := loops[len(loops)-1]
		loops = loops[:len(loops)-1]
		head := w.head(blocks)
		for _, b := range blocks {
			w.inside[b] = true
		}
		l := &loop{watcher: w, blocks: blocks, head: head}
		if l.waits() {
			return true
		}
		if head != none {
			w.inside[head] = false
			loops = append(loops, l.inner...)
		}
		for _, b := range blocks {
			w.inside[b] = false
		}
	}
	return false
}

// head returns the block by which a loop is entered, or none if there are several.
func (w *watcher) head(blocks []int32) int32 {
	in := map[int32]bool{}
	for _, b := range blocks {
		in[b] = true
	}
	head := int32(none)
	for from := range w.to {
		if in[int32(from)] || !w.states[from].set {
			continue
		}
		for _, to := range w.to[from] {
			if in[to] && to != head {
				if head != none {
					return none
				}
				head = to
			}
		}
	}
	if in[0] { // by callers
		if head != none && head != 0 {
			return none
		}
		head = 0
	}
	return head
}

// lowest returns the lowest place of the frame whose address may be known to others: it is
// in a register other than the stack pointer and the frame pointer, or stored. What lies
// below is reached by this function only: addresses of an object do not lead below it.
func (w *watcher) lowest() int64 {
	lowest := int64(math.MaxInt64)
	note := func(v value) {
		switch {
		case v.kind == stack && v.base == 0:
			lowest = min(lowest, v.off)
		case v.kind == stack:
			lowest = math.MinInt64
		}
	}
	registers := func(s *state) {
		for r := range machine.Reg(w.words) {
			if v := s.get(r); v.kind == stack && r != w.arch.SP() && !(r == w.arch.FP() && w.frames(v, s)) {
				note(v)
			}
		}
	}
	w.each(func(i int32, s *state) {
		registers(s)
		inst := &w.insts[i]
		m := stepper{a: w.analysis, s: s}
		switch inst.Op {
		case machine.Store, machine.Push:
			note(s.get(inst.Src))
		case machine.Lea: // where there is an index, its result is not known
			if base := inst.Mem; base.Index != machine.NoReg {
				base.Index = machine.NoReg
				note(m.address(&base))
			}
		case machine.AddReg:
			if inst.Dst != w.arch.SP() {
				note(s.get(inst.Src))
				note(s.get(inst.Src2))
			}
		}
		if next := w.next[i]; next != none && w.block[next] != 0 { // where ways meet it may be lost
			after := *s
			m.s = &after
			m.step(i)
			registers(&after)
		}
	})
	return lowest
}

// frames reports whether the frame pointer's value is what a prologue leaves there, and not
// the address of an object.
func (w *watcher) frames(fp value, s *state) bool {
	if w.arch.Link() == machine.NoReg {
		return fp.base == 0 && fp.off == -w.arch.Word()
	}
	return fp == s.get(w.arch.SP())
}
