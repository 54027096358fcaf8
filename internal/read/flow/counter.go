package flow

import (
	"maps"
	"slices"

	"github.com/wherrygo/wherry/internal/read/machine"
)

// A counter is a register that each round of a loop changes by the same amount, on whichever way. What it
// is where the loop may end follows from what it was at first and from the number of rounds, not from what
// decides about the way: memory that others write, or what a call has returned. While the loop calls
// others it may lie in the function's frame, if nobody learns where that is.

// A place is where a counter is: a register, or a word of the frame, by its distance from where the stack
// pointer was.
type place struct {
	reg  machine.Reg // NoReg: in the frame
	at   int64
	size uint8 // bytes of a word
}

// An added is what has been added to a counter since the round began, the result cut to so many bytes.
type added struct {
	by    int64
	size  uint8
	rough bool // the upper half is still what it was before the loop
}

// counters finds where registers of the loop are counters.
func (l *loop) counters() {
	l.sums = map[spot]counted{}
	if l.head == none || len(l.inner) > 0 || !l.hidden() {
		return
	}
	order := l.order()
	for r := range machine.Reg(len(l.writes)) {
		if len(l.writes[r]) > 0 && !l.counter(r, 8, order) {
			l.counter(r, 4, order)
		}
	}
}

// hidden reports whether nobody learns where the function's frame is: no address in it comes into another
// register than those that the function finds it by, nor into memory. On arm64 these are two, and no object
// lies where the frame pointer leads: the caller's frame pointer does, and the return address.
func (a *analysis) hidden() bool {
	sp, fp := a.arch.SP(), a.arch.FP()
	inFrame := uint32(1) << sp
	is := func(r machine.Reg) bool { return r != machine.NoReg && inFrame>>(r&31)&1 != 0 }
	shows := func(inst *machine.Inst) bool {
		address := inst.Op == machine.Lea && (is(inst.Mem.Base) || is(inst.Mem.Index))
		return inst.Op != machine.Compare && inst.Op != machine.CompLoad && (is(inst.Src) || is(inst.Src2) || address) ||
			inst.Op == machine.Other && inst.IsOfSP
	}
	if a.arch.Link() != machine.NoReg {
		elsewhere := false // not where the caller's frame pointer is, so that an object may be there
		a.each(func(i int32, s *state) {
			if inst := &a.insts[i]; inst.Dst == fp && shows(inst) {
				inFrame |= 1 << fp
				m := stepper{a, s}
				at := m.add(s.get(inst.Src), constantOf(inst.Imm))
				elsewhere = elsewhere || inst.Op != machine.Add || s.kept.at != m.add(at, constantOf(8))
			}
		})
		if elsewhere {
			return false
		}
	}
	for i := range a.insts {
		if inst := &a.insts[i]; shows(inst) && inst.Dst != sp && (inst.Dst != fp || !is(fp)) {
			return false
		}
	}
	return true
}

// order returns the loop's blocks, each behind those that lead to it in the same round.
func (l *loop) order() (blocks []int32) {
	seen := map[int32]bool{}
	var visit func(b int32)
	visit = func(b int32) {
		seen[b] = true
		for _, to := range l.to[b] {
			if l.inside[to] && !seen[to] {
				visit(to)
			}
		}
		blocks = append(blocks, b)
	}
	visit(l.head)
	slices.Reverse(blocks)
	return blocks
}

// counter notes where a register's counter of so many bytes is, if all ways back to the loop's head add
// the same to it, and reports whether they do.
func (l *loop) counter(r machine.Reg, size uint8, order []int32) bool {
	sums := map[spot]counted{}
	rough := size == 4 && zeros(l.states[l.head].get(r)) > 4
	before := map[int32]map[place]added{l.head: {{reg: r}: {size: size, rough: rough}}}
	var whole *added
	for _, b := range order {
		now := maps.Clone(before[b])
		s := l.states[b]
		l.walk(l.leaders[b], &s, func(i int32) {
			for p, a := range now {
				if p.reg != machine.NoReg {
					sums[spot{p.reg & 31, i}] = counted{r, a}
				}
			}
			l.moves(&l.insts[i], &s, now)
		}, func(int32) {})
		for _, to := range l.to[b] {
			switch was, known := before[to]; {
			case to == l.head:
				back, is := now[place{reg: r}]
				if !is || back.size != size || back.rough || whole != nil && *whole != back {
					return false
				}
				whole = &back
			case !l.inside[to]:
			case !known:
				before[to] = maps.Clone(now)
			default:
				maps.DeleteFunc(was, func(p place, a added) bool { return now[p] != a })
			}
		}
	}
	maps.Copy(l.sums, sums)
	return true
}

// moves follows a counter by one instruction.
func (l *loop) moves(inst *machine.Inst, s *state, now map[place]added) {
	var result added // none without a size
	switch inst.Op {
	case machine.Move:
		result = now[place{reg: inst.Src}].cut(inst.Size, inst.Signed).plus(0, inst.Width)
	case machine.Add:
		result = now[place{reg: inst.Src}].plus(inst.Imm, inst.Width)
	case machine.Lea:
		if inst.Mem.Index == machine.NoReg && !inst.Mem.Segment {
			result = now[place{reg: inst.Mem.Base}].plus(inst.Mem.Disp, inst.Width)
		}
	case machine.Load:
		if at := l.inFrame(inst, s); at.kind == stack && at.base == 0 {
			result = now[place{machine.NoReg, at.off, inst.Size}].cut(inst.Size, inst.Signed)
		}
	}
	l.puts(inst, s, now)
	set := inst.Writes
	if inst.Dst != machine.NoReg {
		set |= 1 << (inst.Dst & 31)
	}
	if isCall(inst) {
		set |= l.arch.Clobbered()
	}
	maps.DeleteFunc(now, func(p place, _ added) bool { return p.reg != machine.NoReg && set>>(p.reg&31)&1 != 0 })
	if result.size != 0 && inst.Writes>>(inst.Dst&31)&1 == 0 {
		now[place{reg: inst.Dst}] = result
	}
}

// puts follows what an instruction writes to the frame.
func (l *loop) puts(inst *machine.Inst, s *state, now map[place]added) {
	at, size := l.inFrame(inst, s), int64(max(uint16(inst.Size), inst.Stored))
	sp := s.get(l.arch.SP())
	switch {
	case isCall(inst): // what is below the stack pointer is the callee's
		at, size = sp, unknownSize
		at.off -= unknownSize
	case inst.Op == machine.Push:
		at, size = sp, 8
		at.off -= 8
	case inst.Op != machine.Store && !inst.Stores:
		return
	case inst.Repeat || size == 0:
		at.off, size = at.off-unknownSize, 2*unknownSize
	}
	somewhere := at.kind == within || at.kind == stack && at.base != 0
	if at.kind != stack { // an index is added, or arm64's decoder does not say where
		base := inst.Mem.Base
		somewhere = somewhere || isCall(inst) || inst.Op == machine.Push || isOwn(s.get(base)) ||
			base == machine.NoReg && l.arch.Link() != machine.NoReg
	}
	if somewhere {
		at, size = value{kind: stack, off: -unknownSize}, 2*unknownSize
	}
	if at.kind != stack {
		return // not in the frame, which nobody finds otherwise
	}
	maps.DeleteFunc(now, func(p place, _ added) bool {
		return p.reg == machine.NoReg && p.at < at.off+size && at.off < p.at+int64(p.size)
	})
	if from := now[place{reg: inst.Src}]; inst.Op == machine.Store && from.size != 0 && size == int64(inst.Size) {
		if from = from.cut(inst.Size, false); from.size != 0 {
			now[place{machine.NoReg, at.off, inst.Size}] = from
		}
	}
}

const unknownSize = 1 << 40

// inFrame is the address of an instruction's memory operand.
func (l *loop) inFrame(inst *machine.Inst, s *state) value {
	m := stepper{a: l.analysis, s: s}
	return m.address(&inst.Mem)
}

// cut is what is left of a counter in so many bytes, if that can be followed.
func (a added) cut(size uint8, signed bool) added {
	switch {
	case size == 8 || size == 0: // all of it
		return a
	case size == 4 && !signed && a.size != 0:
		return added{by: a.by, size: 4}
	}
	return added{}
}

// plus adds to a counter, in so many bytes.
func (a added) plus(by int64, width uint8) added {
	if a.size == 0 || width != 4 && width != 8 || width > a.size && by != 0 {
		return added{}
	}
	return added{a.by + by, min(a.size, width), a.rough && width == 8}
}

// A spot is a register before an instruction.
type spot struct {
	reg  machine.Reg
	inst int32
}

// A counted is a register's counter: which it is, and what was added.
type counted struct {
	of machine.Reg
	added
}

// A test is whether a counter, once something has been added, is what nothing in the loop changes: zero
// or a register. The loop ends then, or else.
type test struct {
	of, with machine.Reg // with is NoReg where it is zero
	by       int64
	size     uint8
	equal    bool
}

// test returns what decides whether the loop ends behind a block, if that is a counter alone.
func (l *loop) test(b int32) (t test, known bool) {
	last := l.last(b)
	branch := &l.insts[last]
	if branch.Flow != machine.Branch || branch.Src != machine.NoReg || len(l.to[b]) > 2 {
		return t, false
	}
	cond := branch.Cond
	if to := l.jump[last]; to != none && l.block[to] != 0 && l.inside[l.block[to]-1] {
		cond = cond.Negate()
	}
	i := last
	for n := 0; n == 0 || l.insts[i].NoFlag; n++ {
		if n == farBack || l.preds[i] != 1 {
			return t, false
		}
		i = l.from[i]
	}
	inst := &l.insts[i]
	counter, other := inst.Src, inst.Src2
	if _, is := l.sums[spot{counter & 31, i}]; !is && inst.Op == machine.Compare {
		counter, other = other, counter
	}
	s, counts := l.sums[spot{counter & 31, i}]
	if !counts || cond != machine.Equal && cond != machine.NotEqual || other != machine.NoReg && len(l.writes[other&31]) > 0 {
		return t, false
	}
	t = test{s.of, other, s.by, inst.Size, cond == machine.Equal}
	switch {
	case inst.Op == machine.Add:
		t.by, t.size = t.by+inst.Imm, inst.Width
	case inst.Op == machine.Compare && other == machine.NoReg:
		t.by -= inst.Imm
	case inst.Op != machine.Compare:
		return t, false
	}
	return t, t.size >= 4 && t.size <= s.size
}

// asked reports whether each round asks what is asked behind a block, there or in other blocks: compilers
// write the end of a loop several times, for the ways that lead to it.
func (l *loop) asked(b int32) bool {
	if l.always(b) {
		return true
	}
	t, known := l.test(b)
	if !known {
		return false
	}
	var same []int32
	for _, o := range l.blocks {
		if other, known := l.test(o); known && other == t && l.ends(o) {
			same = append(same, o)
		}
	}
	for _, o := range same {
		l.inside[o] = false
	}
	is := !slices.Contains(same, l.head) && l.reaches(l.head, l.head, none, l.inside)
	for _, o := range same {
		l.inside[o] = true
	}
	return !is
}
