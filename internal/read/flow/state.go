package flow

import (
	"cmp"
	"encoding/binary"

	"github.com/wherrygo/wherry/internal/read/machine"
)

// A state is what is known at one place: of all registers, of two words of memory, and of the flags.
type state struct {
	regs  [32]value
	held  held
	kept  held // of the frame: the return address, on processors whose calls leave it in a register
	flags comparison
	set   bool
}

// A held is a word in memory, of some bytes: the last that was compared, or that something known was put into.
// Nobody else writes to what a function compares and then uses, or its source would have a data race.
type held struct {
	at    value // unknown where there is none
	size  uint8
	value value
}

func (s *state) get(r machine.Reg) value {
	if r == machine.NoReg {
		return constantOf(0)
	}
	return s.regs[r&31]
}

// A stepper runs instructions over values.
type stepper struct {
	a *analysis
	s *state
}

func (m *stepper) put(r machine.Reg, v value) {
	if r != machine.NoReg {
		m.s.regs[r&31] = v
	}
}

// name returns what is in a register, with a name if it is a number: registers of one name have
// what an instruction read the last time that it ran, so that a comparison of one holds for all.
func (m *stepper) name(r machine.Reg, i int32) value {
	v := m.s.get(r)
	switch {
	case v.kind == unknown:
		v = value{kind: number, width: 8, scale: 1}
	case !isPlain(v) && v.kind != signed || v.base != 0:
		return v
	}
	v.base = i<<5 | int32(r&31) + 1
	m.forget(v.base)
	m.put(r, v)
	return v
}

// nameWord names the number in a word of memory.
func (m *stepper) nameWord(at value, size uint8, i int32) {
	v := value{kind: number, width: size, base: (i<<5 | 31) + 1, scale: 1}
	m.forget(v.base)
	m.store(at, v, size)
}

// forget takes a name from all that has it.
func (m *stepper) forget(name int32) {
	s := m.s
	for r := range s.regs[:m.a.words] {
		if v := &s.regs[r]; v.base == name && (v.kind == number || v.kind == signed) {
			v.base = 0
		}
	}
	if at := s.held.at; at.kind == number && at.base == name || s.held.value.base == name {
		s.held = held{}
	}
	if s.flags.subject.base == name {
		s.flags = comparison{}
	}
}

// A comparison is what the flags tell about: of a value, by name, with a number.
type comparison struct {
	subject value
	limit   uint64
	size    uint8
	inst    *machine.Inst
}

// compares returns what an instruction compares. It is asked before the instruction is run.
func (m *stepper) compares(i int32) comparison {
	inst := &m.a.insts[i]
	m.s.flags = comparison{}
	if inst.Op == machine.Compare || inst.Flags {
		switch v := m.s.get(inst.Src); {
		case v.kind == entry:
			m.put(inst.Src, m.number(v))
		case v.kind == number && !isPlain(v): // what is compared is a number of its own
			m.put(inst.Src, value{})
		}
	}
	c := comparison{limit: uint64(inst.Imm), size: inst.Size, inst: inst}
	switch {
	case inst.Op == machine.Compare && inst.Src2 != machine.NoReg:
		if w := m.s.get(inst.Src2); w.kind == constant {
			c.subject, c.limit = m.name(inst.Src, i), uint64(w.off)
		}
	case inst.Op == machine.Compare || inst.Flags:
		c.subject = m.name(inst.Src, i)
		if inst.Op == machine.Add {
			c.limit = -c.limit
		}
	case inst.Op == machine.CompMem:
		if inst.Mem.Index == machine.NoReg && inst.Mem.Base != machine.NoReg {
			m.name(inst.Mem.Base, i)
		}
		at := m.address(&inst.Mem)
		if w := &m.s.held; w.at != at || w.size != inst.Size {
			m.nameWord(at, inst.Size, i)
		}
		c.subject = m.s.held.value
	}
	if size := 8 * c.size; size < 64 {
		c.limit &= 1<<size - 1
	}
	return c
}

// informs reports whether something is learned from a branch by these flags.
func (c *comparison) informs() bool {
	return c.subject.base != 0 || c.inst != nil && c.inst.Src2 != machine.NoReg
}

// learn takes into account that a branch went a way on which the flags say what cond does.
func (m *stepper) learn(cond machine.Cond) {
	s, sp, c := m.s, m.a.arch.SP(), &m.s.flags
	if cond == machine.Equal && c.inst.Op == machine.Compare && c.inst.Src2 != machine.NoReg && c.size == 8 {
		// Loops that touch each page of a large frame end when the stack pointer has reached a known place.
		for _, pair := range [][2]machine.Reg{{c.inst.Src, c.inst.Src2}, {c.inst.Src2, c.inst.Src}} {
			if pair[0] == sp && s.get(pair[1]).kind == stack {
				s.regs[sp] = s.get(pair[1])
			}
		}
	}
	count := c.limit
	if cond == machine.Equal || cond == machine.BelowEqual {
		count++
	} else if cond != machine.Below {
		return
	}
	if !isPlain(c.subject) && c.subject.kind != signed || c.subject.base == 0 || count-1 >= maxEntries {
		return
	}
	// Of the number behind the name, the lowest bytes that were compared are less than count.
	lowest := min(c.size, c.subject.width)
	if c.subject.kind == signed {
		lowest = min(c.size, 4)
	}
	learn := func(v *value) {
		switch {
		case v.kind != number && v.kind != signed || v.base != c.subject.base || most(*v) < count:
		case v.kind == signed && lowest == 4: // it is not negative
			*v = value{kind: number, width: 4, below: 4, base: v.base, scale: 1, count: uint16(count)}
		default:
			v.below, v.count = lowest, uint16(count)
		}
	}
	for r := range s.regs[:m.a.words] {
		learn(&s.regs[r])
	}
	learn(&s.held.value)
}

// step runs one instruction's effect on registers, not its jump.
func (m *stepper) step(i int32) {
	a := m.a
	inst := &a.insts[i]
	s := m.s
	sp := a.arch.SP()
	at := value{}
	if inst.Stores || inst.Op == machine.Store || inst.Op == machine.Load || inst.Op == machine.Lea || inst.LinkAt != 0 {
		at = m.address(&inst.Mem)
	}
	if inst.Stores || inst.Op == machine.Store {
		m.keep(at, inst)
	}
	switch inst.Op {
	case machine.Const:
		m.put(inst.Dst, constantOf(inst.Imm))
	case machine.Move:
		m.put(inst.Dst, m.extend(m.name(inst.Src, i), inst.Size, inst.Width, inst.Signed))
	case machine.Lea:
		m.put(inst.Dst, m.narrow(at, inst.Width))
	case machine.Load:
		// A word of the frame may be loaded again, once it was compared; unless an address is held.
		if at.kind == stack && s.held.at != at && s.held.value.kind <= number {
			m.nameWord(at, inst.Size, i)
		}
		m.put(inst.Dst, m.load(inst, at))
	case machine.Store:
		v := constantOf(inst.Imm)
		if inst.Src != machine.NoReg {
			v = m.name(inst.Src, i)
		} else if inst.Size == 1 {
			v = value{} // the high byte of a register looks like a constant
		}
		m.store(at, v, inst.Size)
	case machine.Add:
		v := s.get(inst.Src)
		m.put(inst.Dst, m.narrow(m.add(v, constantOf(inst.Imm)), inst.Width))
	case machine.AddReg:
		w := m.extend(s.get(inst.Src2), inst.Size, 8, inst.Signed)
		m.put(inst.Dst, m.narrow(m.add(s.get(inst.Src), times(w, 1<<inst.Shift)), inst.Width))
	case machine.SubReg:
		v, w := s.get(inst.Src), s.get(inst.Src2)
		switch {
		case w.kind == constant:
			m.put(inst.Dst, m.narrow(m.add(v, constantOf(-w.off)), inst.Width))
		case isOwn(v) && !isOwn(w) && inst.Width == 8:
			// As compilers make room for an array of variable length. That the amount is the
			// distance to another stack is not seen; no switch that is known subtracts one.
			m.put(inst.Dst, value{kind: within})
		default:
			m.put(inst.Dst, numberOf(inst.Width))
		}
	case machine.And:
		m.put(inst.Dst, m.and(s.get(inst.Src), inst, i))
	case machine.Shl:
		v := times(s.get(inst.Src), 1<<(inst.Imm&63))
		if inst.Width < 8 && v.kind != constant && !fits(v) {
			v = numberOf(inst.Width)
		}
		m.put(inst.Dst, m.narrow(v, inst.Width))
	case machine.Shr:
		m.put(inst.Dst, m.shiftRight(s.get(inst.Src), inst))
	case machine.Select:
		other := inst.Src2
		if other == machine.NoReg {
			other = inst.Dst
		}
		m.put(inst.Dst, a.join(s.get(other), s.get(inst.Src)))
	case machine.Insert:
		v := s.get(inst.Dst)
		if v.kind == constant {
			v.off = v.off&^(0xffff<<inst.Shift) | inst.Imm<<inst.Shift
			m.put(inst.Dst, m.narrow(v, inst.Width))
		} else {
			m.put(inst.Dst, numberOf(inst.Width))
		}
	case machine.Push:
		m.put(sp, m.add(s.get(sp), constantOf(-8)))
		m.store(s.get(sp), value{}, 8)
	case machine.Pop:
		m.put(sp, m.add(s.get(sp), constantOf(8)))
		m.put(inst.Dst, value{})
	case machine.Leave:
		fp := s.get(a.arch.FP())
		m.put(sp, m.add(fp, constantOf(8)))
		m.put(a.arch.FP(), value{})
	}
	writes := inst.Writes
	if isCall(inst) {
		writes |= a.arch.Clobbered()
	}
	if isCall(inst) || inst.Stores || inst.Flow == machine.Syscall {
		s.held = held{}
	}
	for r := 0; writes != 0; r, writes = r+1, writes>>1 {
		switch {
		case writes&1 == 0:
		case inst.Clears&(1<<r) != 0:
			s.regs[r] = numberOf(4)
		default:
			s.regs[r] = value{}
		}
	}
	if k := s.kept; inst.Loads && inst.LinkAt != 0 && k.at.kind == stack && k.at == m.add(at, constantOf(int64(inst.LinkAt)-1)) {
		s.regs[a.arch.Link()] = k.value
	}
}

// keep notes what an instruction writes to the frame.
func (m *stepper) keep(at value, inst *machine.Inst) {
	v := value{}
	if inst.Op == machine.Store {
		v = m.s.get(inst.Src)
	}
	m.spill(at, v, written(inst))
	if inst.LinkAt != 0 {
		m.spill(m.add(at, constantOf(int64(inst.LinkAt)-1)), m.s.get(m.a.arch.Link()), 8)
	}
}

// spill notes what is put into the frame, as far as it may be the return address, or on that.
func (m *stepper) spill(at, v value, size int64) {
	k := &m.s.kept
	if at.kind != stack {
		return
	}
	if k.at.kind == stack && k.at.base == at.base && k.at.off < at.off+size && at.off < k.at.off+8 {
		*k = held{}
	}
	if size == 8 && v.kind == linked {
		*k = held{at, 8, v}
	}
}

// store notes what a word holds from now on, and forgets what the store may have changed too.
func (m *stepper) store(at, v value, size uint8) {
	w := &m.s.held
	known := at.kind == stack || at.kind == constant || at.kind == number && at.width == 8 && at.scale == 1 && at.base != 0
	switch {
	case known && v.kind != unknown:
		*w = held{at, size, v}
	case !known || at.kind != w.at.kind || at.base != w.at.base || at.off < w.at.off+int64(w.size) && w.at.off < at.off+int64(size):
		*w = held{}
	}
}

// narrow is a result that fills width bytes of a register and clears the rest.
func (m *stepper) narrow(v value, width uint8) value {
	switch {
	case width >= 8, fits(v):
		return v
	case v.kind == constant:
		return constantOf(int64(uint64(v.off) & (1<<(8*uint(width)) - 1)))
	case isPlain(v), v.kind == signed && width <= 4:
		return value{kind: number, width: min(width, cmp.Or(v.width, width)), below: v.below, base: v.base, scale: 1, count: v.count}
	case v.kind == entry && v.scale == 1 && v.off == 0:
		if t := m.a.more(v).table; t.size <= width && !t.signed {
			return v
		}
	}
	return numberOf(width)
}

// extend is the low size bytes of a value, as a register of width bytes.
func (m *stepper) extend(v value, size, width uint8, isSigned bool) value {
	low := v
	if size > 0 && size < 8 {
		low = m.narrow(v, size)
	}
	switch {
	case !isSigned || size == 0 || size >= 8:
		return low
	case low.kind == constant:
		shift := 64 - 8*uint(size)
		return m.narrow(constantOf(low.off<<shift>>shift), width)
	case low.kind == entry && m.a.more(low).table.size == size && width == 8:
		t := m.a.more(low).table
		t.signed = true
		return value{kind: entry, base: m.a.keep(more{table: t}), scale: 1}
	case low.kind == number && most(low) < 1<<(8*uint(size)-1):
		return low
	case width < 8:
		return numberOf(width)
	case size == 4 && isPlain(low) && low.width == 4:
		return value{kind: signed, below: low.below, base: low.base, count: low.count}
	}
	return value{kind: signed}
}

func (m *stepper) add(v, w value) value {
	if v.kind == constant {
		v, w = w, v
	}
	if w.kind != constant {
		return value{}
	}
	switch v.kind {
	case constant, stack, number, entry:
		v.off += w.off
		return v
	case within:
		return v
	}
	if w.off == 0 {
		return v
	}
	return value{}
}

// maxScale bounds the scales of values that have one, and what they are multiplied by.
const maxScale = 1 << 10

func times(v value, n int64) value {
	switch {
	case n == 1:
		return v
	case v.kind == constant:
		return constantOf(v.off * n)
	case (v.kind == number || v.kind == entry) && v.scale < maxScale && n < maxScale:
		v.scale *= int32(n)
		v.off *= n
		return v
	}
	return value{}
}

// and models masks: of constants, of the stack pointer, which aligns it, and of numbers.
func (m *stepper) and(v value, inst *machine.Inst, at int32) value {
	switch aligns := inst.Width == 8 && alignment(inst.Imm) > 0; {
	case v.kind == constant:
		return m.narrow(constantOf(v.off&inst.Imm), inst.Width)
	case v.kind == stack && aligns:
		// Relative to this place from now on; depth says how deep it can be.
		return value{kind: stack, base: at + 1}
	case v.kind == within && aligns:
		return v
	case inst.Imm >= 0:
		return bounded(numberOf(inst.Width), uint64(inst.Imm)+1)
	}
	return numberOf(inst.Width)
}

// alignment returns what a mask aligns to, or 0.
func alignment(mask int64) int64 {
	n := -mask
	if n > 0 && n <= 1<<16 && n&(n-1) == 0 {
		return n
	}
	return 0
}

func (m *stepper) shiftRight(v value, inst *machine.Inst) value {
	v = m.narrow(v, inst.Width)
	if v.kind == constant {
		return constantOf(int64(uint64(v.off) >> uint(inst.Imm)))
	}
	return bounded(numberOf(inst.Width), most(v)>>uint(inst.Imm)+1)
}

// address returns where a memory operand lies.
func (m *stepper) address(mem *machine.Mem) value {
	if mem.Segment {
		return value{}
	}
	v := m.s.get(mem.Base)
	if mem.Index != machine.NoReg {
		index := m.s.get(mem.Index)
		if mem.IndexSize != 0 {
			index = m.extend(index, mem.IndexSize, 8, mem.IndexSigned)
		}
		v = m.add(v, times(index, int64(mem.Scale)))
	}
	return m.add(v, constantOf(mem.Disp))
}

// load returns what a load at an address reads: a word that never changes, an entry of a table of such words, or
// what was stored before.
func (m *stepper) load(inst *machine.Inst, at value) value {
	if at.kind == entry {
		at = m.number(at)
	}
	switch {
	case inst.Mem.Segment:
	case at.kind == constant:
		addr := uint64(at.off)
		if inst.Size == 8 {
			if t, ok := m.a.memory.Pointer(addr); ok {
				if t.Name == "" && !t.IFunc {
					return constantOf(int64(t.Addr))
				}
				return value{kind: code, base: m.a.keep(more{targets: []Target{t}})}
			}
		}
		if data := m.a.memory.ReadOnly(addr, uint64(inst.Size)); data != nil {
			return m.extend(constantOf(int64(littleEndian(data))), inst.Size, inst.Width, inst.Signed)
		}
	case at.kind == number && most(at) < maxEntries && m.a.memory.ReadOnly(uint64(at.off), uint64(inst.Size)) != nil:
		t := table{start: uint64(at.off), step: uint64(at.scale), count: most(at) + 1, size: inst.Size}
		return m.extend(value{kind: entry, base: m.a.keep(more{table: t}), scale: 1}, inst.Size, inst.Width, inst.Signed)
	}
	if k := &m.s.kept; inst.Size == 8 && k.at.kind == stack && k.at == at {
		return k.value
	}
	if w := &m.s.held; w.at.kind != unknown && w.at == at && w.size == inst.Size && !inst.Mem.Segment {
		return m.extend(w.value, inst.Size, inst.Width, inst.Signed)
	}
	return m.extend(value{}, inst.Size, inst.Width, inst.Signed)
}

// number returns an entry of a table as a number, which is at most the largest entry.
func (m *stepper) number(v value) value {
	largest, t := uint64(0), m.a.more(v).table
	for n := range t.count {
		data := m.a.memory.ReadOnly(t.start+n*t.step, uint64(t.size))
		if data == nil || t.signed {
			return value{}
		}
		largest = max(largest, littleEndian(data))
	}
	r := bounded(value{kind: number, width: t.size}, largest+1)
	r.scale, r.off = v.scale, v.off
	return r
}

// littleEndian returns the number in at most 8 bytes.
func littleEndian(data []byte) uint64 {
	var word [8]byte
	copy(word[:], data)
	return binary.LittleEndian.Uint64(word[:])
}
