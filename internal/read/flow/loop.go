package flow

import (
	"slices"

	"github.com/wherrygo/wherry/internal/read/machine"
)

// A loop is one that a watcher looks at.
type loop struct {
	*watcher
	blocks []int32
	head   int32          // none where there are several
	inner  [][]int32      // the loops in it
	nested map[int32]bool // their blocks
	steady map[int32]bool // blocks that each round runs once, as far as it was asked

	writes [32][]write    // of registers
	reads  map[int32]bool // instructions that read memory that others may write, or not once
	shared bool           // there are such, or calls

	tainted [32]bool         // registers whose values may come from there
	sums    map[spot]counted // where registers are counters
}

// A write is an instruction that writes a register.
type write struct{ block, inst int32 }

// waits reports whether the loop's end may depend on memory that others write.
func (l *loop) waits() bool {
	l.nested, l.steady, l.reads = map[int32]bool{}, map[int32]bool{}, map[int32]bool{}
	if l.head != none {
		l.inside[l.head] = false
		l.inner = l.cycles(l.blocks, l.inside)
		l.inside[l.head] = true
		for _, blocks := range l.inner {
			for _, b := range blocks {
				l.nested[b] = true
			}
		}
	}
	l.visit(l.writing)
	l.visit(l.reading)
	if !l.shared {
		return false
	}
	l.counters()
	for l.spread() {
	}
	chooses := slices.ContainsFunc(l.blocks, l.chooses)
	depends := func(b int32) bool { return l.ends(b) && (l.decides(b) || chooses && !l.asked(b)) }
	return !slices.ContainsFunc(l.blocks, l.ends) || slices.ContainsFunc(l.blocks, depends)
}

// visit calls f for each instruction of the loop, with what holds before it.
func (l *loop) visit(f func(at write, inst *machine.Inst, s *state)) {
	for _, b := range l.blocks {
		s := l.states[b]
		l.walk(l.leaders[b], &s, func(i int32) { f(write{b, i}, &l.insts[i], &s) }, func(int32) {})
	}
}

func (l *loop) writing(at write, inst *machine.Inst, _ *state) {
	set := inst.Writes
	if inst.Dst != machine.NoReg {
		set |= 1 << (inst.Dst & 31)
	}
	if isCall(inst) {
		set |= l.arch.Clobbered()
		l.shared = true
	}
	for r := 0; set != 0; r, set = r+1, set>>1 {
		if set&1 != 0 {
			l.writes[r] = append(l.writes[r], at)
		}
	}
}

func (l *loop) reading(at write, inst *machine.Inst, s *state) {
	base, index := inst.Mem.Base, inst.Mem.Index
	if inst.Reads && (inst.Mem.Segment || !l.unchanging(inst, s) && !l.advances(base, index) && !l.advances(index, base)) {
		l.reads[at.inst], l.shared = true, true
	}
}

// advances reports whether each round adds a constant to a register, and nothing changes
// the other.
func (l *loop) advances(r, other machine.Reg) bool {
	if r == machine.NoReg || len(l.writes[r&31]) != 1 || other != machine.NoReg && len(l.writes[other&31]) > 0 {
		return false
	}
	w := l.writes[r&31][0]
	inst := &l.insts[w.inst]
	adds := inst.Op == machine.Add && inst.Src == r && inst.Imm != 0 ||
		inst.Op == machine.Lea && inst.Mem.Base == r && inst.Mem.Index == machine.NoReg && inst.Mem.Disp != 0
	return adds && inst.Dst == r && l.always(w.block)
}

// always reports whether each round runs a block once.
func (l *loop) always(b int32) bool {
	if l.head == none || l.nested[b] {
		return false
	}
	if _, asked := l.steady[b]; !asked {
		l.steady[b] = b == l.head || !l.reaches(l.head, l.head, b, l.inside)
	}
	return l.steady[b]
}

// ends reports whether the loop may end behind a block.
func (l *loop) ends(b int32) bool {
	last := l.last(b)
	outside := func(to int32) bool { return to == none || l.block[to] == 0 || !l.inside[l.block[to]-1] }
	return l.insts[last].Flow == machine.Branch && (outside(l.jump[last]) || outside(l.next[last])) ||
		slices.ContainsFunc(l.to[b], func(to int32) bool { return !l.inside[to] })
}

// chooses reports whether the way through the loop may depend there on memory that others write.
func (l *loop) chooses(b int32) bool { return len(l.to[b]) > 1 && l.decides(b) }

// decides reports whether which way leads on from a block may depend on memory that others
// write.
func (l *loop) decides(b int32) bool {
	last := l.last(b)
	switch inst := &l.insts[last]; inst.Flow {
	case machine.Branch:
		return l.has(last, inst.Src) || l.flags(last)
	case machine.JumpReg:
		return l.has(last, inst.Src)
	case machine.JumpMem:
		return true
	}
	return false
}

// farBack is how many instructions before it those are looked for that set an
// instruction's flags.
const farBack = 100

// flags reports whether the flags before an instruction may depend on such memory.
func (l *loop) flags(i int32) bool {
	if l.arch.Link() != machine.NoReg && l.insts[i].Flow == machine.Branch && l.insts[i].Src != machine.NoReg {
		return false // a branch by a register alone
	}
	for range farBack {
		if l.preds[i] != 1 {
			break
		}
		i = l.from[i]
		if !l.insts[i].NoFlag {
			return l.result(i)
		}
	}
	return true
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
