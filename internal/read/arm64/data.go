package arm64

import (
	"math/bits"

	"github.com/wherrygo/wherry/internal/read/machine"
)

// immediate: data processing with a constant.
func (d *decoder) immediate() bool {
	inst := d.inst
	switch d.field(23, 3) {
	case 0, 1:
		offset := d.signed(5, 19)<<2 | int64(d.field(29, 2))
		inst.Op, inst.Dst = machine.Const, d.zreg(0)
		if d.bit(31) {
			inst.Imm = int64(inst.Addr&^0xfff) + offset<<12
		} else {
			inst.Imm = int64(inst.Addr) + offset
		}
		if inst.Dst == machine.NoReg {
			inst.Op = machine.Other
		}
	case 2:
		d.addImmediate()
	case 3: // memory tags, minimum and maximum
		d.writes(d.reg(0))
		inst.NoFlag, inst.Src = false, d.reg(5)
	case 4:
		return d.logicalImmediate()
	case 5:
		d.moveWide()
	case 6:
		d.bitfield()
	case 7:
		d.writes(d.zreg(0))
	}
	return true
}

func (d *decoder) addImmediate() {
	inst := d.inst
	imm := int64(d.field(10, 12))
	if d.bit(22) {
		imm <<= 12
	}
	inst.Src, inst.Width = d.reg(5), d.width()
	if d.bit(29) { // sets flags
		inst.NoFlag = false
		if inst.Dst = d.zreg(0); inst.Dst == machine.NoReg {
			if d.bit(30) {
				inst.Op, inst.Imm, inst.Size = machine.Compare, imm, inst.Width
			}
			return
		}
		if d.bit(30) {
			inst.Flags, inst.Size = true, inst.Width
		}
	} else {
		inst.Dst = d.reg(0)
	}
	if d.bit(30) {
		imm = -imm
	}
	inst.Op, inst.Imm = machine.Add, imm
}

// logicalImmediate: AND, ORR, EOR, ANDS with a mask.
func (d *decoder) logicalImmediate() bool {
	inst := d.inst
	mask, ok := bitMask(d.bit(22), d.field(16, 6), d.field(10, 6))
	if !ok {
		return false
	}
	inst.Width = d.width()
	if inst.Width == 4 {
		mask &= 1<<32 - 1
	}
	switch d.field(29, 2) {
	case 0:
		inst.Op, inst.Dst, inst.Src, inst.Imm = machine.And, d.reg(0), d.zreg(5), int64(mask)
	case 1:
		if d.reg(5) == 31 {
			inst.Op, inst.Dst, inst.Imm = machine.Const, d.reg(0), int64(mask)
		} else {
			d.writes(d.reg(0))
		}
	case 2:
		d.writes(d.reg(0))
	case 3:
		d.writes(d.zreg(0))
		inst.NoFlag = false
	}
	return true
}

// bitMask is DecodeBitMasks of the architecture's pseudocode.
func bitMask(n bool, immr, imms uint32) (uint64, bool) {
	combined := ^imms & 0x3f
	if n {
		combined |= 0x40
	}
	length := bits.Len32(combined) - 1
	if length < 1 {
		return 0, false
	}
	size := uint(1) << length
	levels := uint32(size - 1)
	s, r := uint(imms&levels), uint(immr&levels)
	if s == uint(levels) {
		return 0, false
	}
	element := uint64(1)<<(s+1) - 1
	if r > 0 {
		element = element>>r | element<<(size-r)
		if size < 64 {
			element &= 1<<size - 1
		}
	}
	for ; size < 64; size *= 2 {
		element |= element << size
	}
	return element, true
}

func (d *decoder) moveWide() {
	inst := d.inst
	inst.Dst, inst.Width = d.zreg(0), d.width()
	imm, shift := int64(d.field(5, 16)), uint8(d.field(21, 2)*16)
	switch {
	case inst.Dst == machine.NoReg:
	case d.field(29, 2) == 3:
		inst.Op, inst.Imm, inst.Shift = machine.Insert, imm, shift
	case d.field(29, 2) == 2:
		inst.Op, inst.Imm = machine.Const, imm<<shift
	case d.field(29, 2) == 0:
		inst.Op, inst.Imm = machine.Const, ^(imm << shift)
		if inst.Width == 4 {
			inst.Imm &= 1<<32 - 1
		}
	default:
		d.writes(inst.Dst)
	}
}

// bitfield: shifts by constants, extensions, extractions.
func (d *decoder) bitfield() {
	inst := d.inst
	dst, src := d.zreg(0), d.zreg(5)
	if dst == machine.NoReg {
		return
	}
	width := d.width()
	immr, imms, top := int64(d.field(16, 6)), int64(d.field(10, 6)), int64(width)*8-1
	signed := d.field(29, 2) == 0
	plain := signed || d.field(29, 2) == 2
	switch {
	case plain && src != machine.NoReg && immr == 0 && (imms == 7 || imms == 15 || imms == 31):
		inst.Op, inst.Dst, inst.Src, inst.Signed = machine.Move, dst, src, signed
		inst.Size, inst.Width = uint8(imms+1)/8, width
	case plain && !signed && src != machine.NoReg && imms == top:
		inst.Op, inst.Dst, inst.Src, inst.Imm, inst.Width = machine.Shr, dst, src, immr, width
	case plain && !signed && src != machine.NoReg && imms+1 == immr:
		inst.Op, inst.Dst, inst.Src, inst.Imm, inst.Width = machine.Shl, dst, src, top-imms, width
	default:
		d.writes(dst)
	}
}

// register: data processing with registers.
func (d *decoder) register() bool {
	if d.is(pacLR) {
		return true // PACIA, PACIB, AUTIA, AUTIB of the return address, like PACIASP and its kin
	}
	inst := d.inst
	width := d.width()
	dst, src, src2 := d.zreg(0), d.zreg(5), d.zreg(16)
	inst.Order = d.is(condSelect, condCompare) && isOrder(d.field(12, 4)) || d.is(withCarry)
	switch {
	case !d.bit(28) && !d.bit(24): // logical
		inst.NoFlag = d.field(29, 2) != 3
		if d.is(mov) && dst != machine.NoReg {
			inst.Dst, inst.Width = dst, width
			if src2 == machine.NoReg {
				inst.Op = machine.Const
			} else {
				inst.Op, inst.Src, inst.Size = machine.Move, src2, width
			}
			return true
		}
		d.writes(dst)
	case !d.bit(28) && !d.bit(21): // add, subtract; shifted
		d.sum(dst, src, operand{src2, d.field(22, 2) == 0, uint8(d.field(10, 6)), width, false})
	case !d.bit(28): // add, subtract; extended
		option := d.field(13, 3)
		if !d.bit(29) {
			dst = d.reg(0)
		}
		d.sum(dst, d.reg(5), operand{src2, true, uint8(d.field(10, 3)), 1 << (option & 3), option >= 4})
	case d.is(condSelect) && d.bit(31) && d.field(29, 2) == 0 && d.field(10, 2) == 0 &&
		dst != machine.NoReg && src != machine.NoReg && src2 != machine.NoReg: // CSEL
		inst.Op, inst.Dst, inst.Src, inst.Src2, inst.Width = machine.Select, dst, src, src2, 8
	case d.is(condCompare):
		inst.NoFlag = false
		if d.bit(30) && !d.bit(11) { // CCMP of registers
			inst.Op, inst.Src, inst.Src2, inst.Size = machine.CompIf, src, src2, width
		} else if d.bit(30) {
			inst.Op, inst.Src, inst.Imm, inst.Size = machine.CompIf, src, int64(d.field(16, 5)), width
		}
	case d.is(withCarry):
		inst.NoFlag = false
		d.writes(dst)
	default:
		inst.NoFlag = !d.is(subps)  // SUBPS
		if d.field(21, 8) == 0xd6 { // IRG, GMI, SUBP, PACGA and other operations of two sources
			inst.Src = d.reg(5)
		}
		if d.writes(dst); d.is(condNegate) && dst != machine.NoReg {
			inst.Op, inst.Dst, inst.Src, inst.Src2 = machine.NegIf, dst, src, src2
		}
	}
	return true
}

// An operand is a register that is extended from size bytes, then shifted.
type operand struct {
	machine.Reg
	left        bool
	shift, size uint8
	signed      bool
}

// sum: addition and subtraction of registers.
func (d *decoder) sum(dst, src machine.Reg, op operand) {
	inst := d.inst
	width := d.width()
	subtract := d.bit(30)
	inst.NoFlag = !d.bit(29)
	src2 := op.Reg
	plain := op.left && op.shift == 0 && op.size >= width
	switch {
	case dst == machine.NoReg:
		if subtract && plain && src != machine.NoReg && src2 != machine.NoReg {
			inst.Op, inst.Src, inst.Src2, inst.Size = machine.Compare, src, src2, width
		}
	case src2 == machine.NoReg && src != machine.NoReg:
		inst.Op, inst.Dst, inst.Src, inst.Width = machine.Add, dst, src, width
	case src == machine.NoReg && (!subtract || !plain) || !op.left || subtract && !plain || width == 4 && op.signed && op.size < 4:
		d.writes(dst)
		inst.Src, inst.Src2 = src, src2
	case subtract:
		inst.Op, inst.Dst, inst.Src, inst.Src2, inst.Width = machine.SubReg, dst, src, src2, width
	default:
		inst.Op, inst.Dst, inst.Src, inst.Src2, inst.Width = machine.AddReg, dst, src, src2, width
		inst.Shift, inst.Size, inst.Signed = op.shift, op.size, op.signed
	}
}
