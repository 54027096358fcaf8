package x86

import "github.com/wherrygo/wherry/internal/read/machine"

// arithmetic is the block of add, or, adc, sbb, and, sub, xor, cmp.
func (d *decoder) arithmetic(b uint8) {
	i := d.inst
	op := b >> 3
	size := byteOr(d.size(), b)
	i.Order = readsCarry(op)
	if b&7 >= 4 { // accumulator and immediate
		d.immediate(op, AX, true, d.imm8orZ(size == 1), size)
		return
	}
	toReg := b&2 != 0
	dst, src := d.rm, d.reg
	if toReg {
		dst, src = d.reg, d.rm
	}
	if !d.isReg() {
		switch {
		case op == 7:
			// A comparison with memory or a register tells no bound.
			i.Op, i.Src, i.Size = machine.CompLoad, d.reg, size
		case toReg:
			d.write(d.reg, size)
			if size == 8 && op == 0 {
				i.Op, i.Dst, i.Size = machine.AddLoad, d.reg, size
			} else if size == 8 && op == 5 {
				i.Op, i.Dst, i.Size = machine.SubLoad, d.reg, size
			} else if size == 8 && op == 4 {
				i.Op, i.Dst, i.Size = machine.AndLoad, d.reg, size
			}
		default:
			d.stores(uint16(size))
		}
		return
	}
	if size < 4 {
		if op != 7 {
			d.write(dst, size)
		}
		return
	}
	switch {
	case op == 0:
		i.Op, i.Dst, i.Src, i.Src2, i.Size, i.Width = machine.AddReg, dst, dst, src, 8, size
	case op == 5:
		i.Op, i.Dst, i.Src, i.Src2, i.Width = machine.SubReg, dst, dst, src, size
	case op == 6 && dst == src:
		i.Op, i.Dst, i.Imm = machine.Const, dst, 0
	case op == 7:
		i.Op, i.Src, i.Src2, i.Size = machine.Compare, dst, src, size
	default:
		d.write(dst, size)
	}
}

// readsCarry reports whether an operation is adc or sbb.
func readsCarry(op uint8) bool { return op == 2 || op == 3 }

// immediate is arithmetic of a register or memory with a constant.
func (d *decoder) immediate(op uint8, r machine.Reg, isReg bool, imm int64, size uint8) {
	i := d.inst
	i.Order = readsCarry(op)
	if !isReg {
		if op == 7 {
			i.Op, i.Imm, i.Size = machine.CompMem, imm, size
		} else {
			// OR of zero with the stack's top is a way to write a fence.
			i.Stores, i.Stored = imm != 0 || op != 1, uint16(size)
		}
		return
	}
	high := false
	if size == 1 {
		r, high = d.byteReg(r)
	}
	switch {
	case high:
		if op != 7 {
			i.Writes |= 1 << r
		}
	case op == 7:
		i.Op, i.Src, i.Imm, i.Size = machine.Compare, r, imm, size
	case op == 5 && size < 4:
		// The flags tell of the register as it was; Dst is lost.
		i.Op, i.Src, i.Imm, i.Size, i.Flags = machine.Other, r, imm, size, true
		i.Writes |= 1 << r
	case op == 0 && size >= 4:
		i.Op, i.Dst, i.Src, i.Imm, i.Width = machine.Add, r, r, imm, size
	case op == 5:
		i.Op, i.Dst, i.Src, i.Imm, i.Width, i.Flags, i.Size = machine.Add, r, r, -imm, size, true, size
	case op == 4 && size >= 4:
		i.Op, i.Dst, i.Src, i.Imm, i.Width = machine.And, r, r, imm, size
	default:
		i.Writes |= 1 << r
	}
}
