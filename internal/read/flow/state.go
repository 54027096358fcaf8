package flow

import "github.com/wherrygo/wherry/internal/read/machine"

// A state is what is known of all registers at one place.
type state struct {
	regs [32]value
	set  bool
}

func (s *state) get(r machine.Reg) value {
	if r == machine.NoReg {
		return constantOf(0)
	}
	return s.regs[r&31]
}

// A stepper runs instructions over values. A chain gives unknown values
// names; the fixpoint does not.
type stepper struct {
	a     *analysis
	s     *state
	chain *chain
}

func (m *stepper) fresh(width uint8) value {
	if m.chain == nil {
		if width < 8 {
			return value{kind: narrow, width: width}
		}
		return value{}
	}
	return m.chain.fresh(width)
}

func (m *stepper) put(r machine.Reg, v value) {
	if r != machine.NoReg {
		m.s.regs[r&31] = v
	}
}

// step runs one instruction's effect on registers, not its jump.
func (m *stepper) step(i int32) {
	a := m.a
	inst := &a.insts[i]
	if m.chain != nil {
		m.chain.before(m, inst)
	}
	s := m.s
	sp := a.arch.SP()
	switch inst.Op {
	case machine.Const:
		m.put(inst.Dst, constantOf(inst.Imm))
	case machine.Move:
		m.put(inst.Dst, m.extend(s.get(inst.Src), inst.Size, inst.Width, inst.Signed))
	case machine.Lea:
		m.put(inst.Dst, m.narrow(m.address(&inst.Mem), inst.Width))
	case machine.Load:
		m.put(inst.Dst, m.load(inst))
	case machine.Add:
		v := s.get(inst.Src)
		m.put(inst.Dst, m.narrow(m.add(v, constantOf(inst.Imm)), inst.Width))
	case machine.AddReg:
		w := m.extend(s.get(inst.Src2), inst.Size, 8, inst.Signed)
		m.put(inst.Dst, m.narrow(m.add(s.get(inst.Src), m.times(w, 1<<inst.Shift)), inst.Width))
	case machine.SubReg:
		v, w := s.get(inst.Src), s.get(inst.Src2)
		switch {
		case w.kind == constant:
			m.put(inst.Dst, m.narrow(m.add(v, constantOf(-w.off)), inst.Width))
		case isOwn(v) && !isOwn(w) && inst.Width == 8 && m.chain == nil:
			// As compilers make room for an array of variable length. That the amount is the
			// distance to another stack is not seen; no switch that is known subtracts one.
			m.put(inst.Dst, value{kind: within})
		default:
			m.put(inst.Dst, m.fresh(inst.Width))
		}
	case machine.And:
		m.put(inst.Dst, m.and(s.get(inst.Src), inst, i))
	case machine.Shl:
		v := m.times(s.get(inst.Src), 1<<(inst.Imm&63))
		if inst.Width < 8 && v.kind != constant && !(m.chain != nil && m.chain.small(v)) {
			v = m.fresh(inst.Width)
		}
		m.put(inst.Dst, m.narrow(v, inst.Width))
	case machine.Shr:
		m.put(inst.Dst, m.shiftRight(s.get(inst.Src), inst))
	case machine.Select:
		other := inst.Src2
		if other == machine.NoReg {
			other = inst.Dst
		}
		v := a.join(s.get(other), s.get(inst.Src))
		if v.kind == unknown {
			v = m.fresh(8)
		}
		m.put(inst.Dst, v)
	case machine.Insert:
		v := s.get(inst.Dst)
		if v.kind == constant {
			v.off = v.off&^(0xffff<<inst.Shift) | inst.Imm<<inst.Shift
			m.put(inst.Dst, m.narrow(v, inst.Width))
		} else {
			m.put(inst.Dst, m.fresh(inst.Width))
		}
	case machine.Push:
		v := s.get(inst.Src)
		if inst.Src == machine.NoReg {
			v = m.fresh(8)
		}
		m.put(sp, m.add(s.get(sp), constantOf(-8)))
		if m.chain != nil {
			m.chain.store(s.get(sp), v, 8)
		}
	case machine.Pop:
		v := m.fresh(8)
		if m.chain != nil {
			v = m.chain.load(s.get(sp), 8)
		}
		m.put(sp, m.add(s.get(sp), constantOf(8)))
		m.put(inst.Dst, v)
	case machine.Leave:
		fp := s.get(a.arch.FP())
		m.put(sp, m.add(fp, constantOf(8)))
		m.put(a.arch.FP(), m.fresh(8))
	}
	writes := inst.Writes
	if inst.Flow == machine.Call || inst.Flow == machine.CallReg || inst.Flow == machine.CallMem {
		writes |= a.arch.Clobbered()
	}
	for r := 0; writes != 0; r, writes = r+1, writes>>1 {
		switch {
		case writes&1 == 0:
		case inst.Clears&(1<<r) != 0:
			s.regs[r] = m.fresh(4)
		default:
			s.regs[r] = m.fresh(8)
		}
	}
	if m.chain != nil {
		m.chain.after(m, inst)
	}
}

// narrow is a result that fills width bytes of a register and clears the
// rest.
func (m *stepper) narrow(v value, width uint8) value {
	if width >= 8 {
		return v
	}
	if v.kind == constant {
		return constantOf(int64(uint64(v.off) & (1<<(8*uint(width)) - 1)))
	}
	if m.chain == nil {
		if v.kind == narrow && v.scale == 0 && v.width < width {
			return v
		}
		return value{kind: narrow, width: width}
	}
	return m.chain.truncate(v, width)
}

// extend is the low size bytes of a value, as a register of width bytes.
func (m *stepper) extend(v value, size, width uint8, signed bool) value {
	if size >= 8 || size == 0 {
		return v
	}
	if v.kind == constant {
		n := int64(uint64(v.off) & (1<<(8*uint(size)) - 1))
		if shift := 64 - 8*uint(size); signed {
			n = n << shift >> shift
		}
		return m.narrow(constantOf(n), width)
	}
	if m.chain == nil {
		if !signed {
			return m.narrow(v, size)
		}
		if v.kind == narrow && v.scale == 0 && v.width < size {
			return v
		}
		if width == 8 && size <= 4 {
			return signExtended
		}
		return m.narrow(value{}, width)
	}
	return m.chain.extend(v, size, width, signed)
}

func (m *stepper) add(v, w value) value {
	if v.kind == constant {
		v, w = w, v
	}
	switch {
	case w.kind == constant && (v.kind == constant || v.kind == stack):
		v.off += w.off
		return v
	case w.kind == constant && (w.off == 0 || v.kind == within):
		return v
	case m.chain != nil:
		return m.chain.add(v, w)
	}
	return value{}
}

func (m *stepper) times(v value, n int64) value {
	switch {
	case n == 1:
		return v
	case v.kind == constant:
		return constantOf(v.off * n)
	case m.chain != nil:
		return m.chain.times(v, n)
	}
	return value{}
}

// and models masks: of constants, and of the stack pointer, which aligns it.
func (m *stepper) and(v value, inst *machine.Inst, at int32) value {
	switch {
	case v.kind == constant:
		return m.narrow(constantOf(v.off&inst.Imm), inst.Width)
	case v.kind == stack && inst.Width == 8 && alignment(inst.Imm) > 0:
		// Relative to this place from now on; depth says how deep it can be.
		return value{kind: stack, base: at + 1}
	case m.chain != nil:
		return m.chain.and(inst)
	case v.kind == within && inst.Width == 8 && alignment(inst.Imm) > 0:
		return v
	}
	return m.fresh(inst.Width)
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
	if m.chain == nil {
		return m.fresh(inst.Width)
	}
	return m.chain.shiftRight(v, inst)
}

// address returns where a memory operand lies.
func (m *stepper) address(mem *machine.Mem) value {
	if mem.Segment {
		return m.fresh(8)
	}
	v := m.s.get(mem.Base)
	if mem.Index != machine.NoReg {
		index := m.s.get(mem.Index)
		if mem.IndexSize != 0 {
			index = m.extend(index, mem.IndexSize, 8, mem.IndexSigned)
		}
		v = m.add(v, m.times(index, int64(mem.Scale)))
	}
	return m.add(v, constantOf(mem.Disp))
}

// load returns what a load reads: words that never change, and in a chain what
// was stored before.
func (m *stepper) load(inst *machine.Inst) value {
	addr := m.address(&inst.Mem)
	if addr.kind == constant && !inst.Mem.Segment {
		at := uint64(addr.off)
		if inst.Size == 8 {
			if t, ok := m.a.memory.Pointer(at); ok {
				if t.Name == "" && !t.IFunc {
					return constantOf(int64(t.Addr))
				}
				return value{kind: code, more: m.a.keep(more{targets: []Target{t}})}
			}
		}
		if data := m.a.memory.ReadOnly(at, uint64(inst.Size)); data != nil {
			return m.extend(constantOf(int64(littleEndian(data))), inst.Size, inst.Width, inst.Signed)
		}
	}
	if m.chain != nil {
		return m.chain.read(addr, inst)
	}
	if inst.Signed && inst.Width == 8 {
		return signExtended
	}
	if inst.Signed {
		return m.fresh(inst.Width)
	}
	return m.fresh(min(inst.Size, inst.Width))
}
