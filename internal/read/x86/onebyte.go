package x86

import "github.com/wherrygo/wherry/internal/read/machine"

// conds are the conditions of jcc, setcc and cmovcc by the opcode's low bits.
var conds = [16]machine.Cond{2: machine.Below, 3: machine.AboveEqual, 4: machine.Equal, 5: machine.NotEqual,
	6: machine.BelowEqual, 7: machine.Above}

// isOrder reports whether a condition, of which the opcode's low bits are given, is one of
// an order: of the flags for carry and sign, not overflow, equality or parity alone.
func isOrder(opcode uint8) bool { return 0xf3cc>>(opcode&15)&1 != 0 }

// hasModRM reports whether a ModRM byte follows an opcode of the one-byte map.
func hasModRM(b uint8) bool {
	switch b {
	case 0x63, 0x69, 0x6b, 0xc0, 0xc1, 0xc6, 0xc7, 0xf6, 0xf7, 0xfe, 0xff:
		return true
	}
	return b < 0x40 && b&7 < 4 || b&0xf0 == 0x80 || b&0xfc == 0xd0 || b&0xf8 == 0xd8
}

func (d *decoder) oneByte(b uint8) {
	i := d.inst
	if hasModRM(b) {
		d.modRM()
	}
	switch {
	case b < 0x40 && b&7 < 6: // add, or, adc, sbb, and, sub, xor, cmp
		d.arithmetic(b)
	case b >= 0x50 && b < 0x58: // push
		i.Op, i.Src, i.NoFlag = machine.Push, d.low(b), true
		d.push()
	case b >= 0x58 && b < 0x60: // pop
		i.Op, i.Dst, i.NoFlag = machine.Pop, d.low(b), true
		d.push()
	case b >= 0x70 && b < 0x80: // jcc
		i.Flow, i.Cond, i.NoFlag, i.Order = machine.Branch, conds[b&15], true, isOrder(b)
		i.Target = uint64(d.i8())
	case b >= 0xb0 && b < 0xb8: // mov of 8 bits
		d.u8()
		i.NoFlag = true
		d.write(d.low(b), 1)
	case b >= 0xb8 && b < 0xc0: // mov, movabs
		i.NoFlag = true
		switch {
		case d.rexW:
			i.Op, i.Dst, i.Imm = machine.Const, d.low(b), d.i64()
		case d.size16:
			d.i16()
			d.write(d.low(b), 2)
		default:
			i.Op, i.Dst, i.Imm = machine.Const, d.low(b), int64(uint32(d.i32()))
		}
	case b >= 0x91 && b < 0x98: // xchg with ax
		i.NoFlag = true
		d.write(d.low(b), 8)
		d.write(AX, 8)
	case b >= 0xd8 && b < 0xe0: // x87
		d.x87(b)
	default:
		d.single(b)
	}
}

func (d *decoder) low(b uint8) machine.Reg {
	r := machine.Reg(b & 7)
	if d.rexB {
		r |= 8
	}
	return r
}

// push refuses what compilers never write: operands of 16 bits, which would
// break the alignment that the analysis relies on.
func (d *decoder) push() {
	if d.size16 {
		d.inst.Op = machine.Other
		d.write(SP, 8)
		if d.inst.Dst != machine.NoReg {
			d.write(d.inst.Dst, 8)
		}
	}
}

// single is the rest of the one-byte map.
func (d *decoder) single(b uint8) {
	i := d.inst
	switch b {
	case 0x63: // movslq
		i.NoFlag = true
		d.extend(4, true)
	case 0x68, 0x6a: // push of a constant
		i.Imm = d.imm8orZ(b == 0x6a)
		i.Op, i.NoFlag = machine.Push, true
		d.push()
	case 0x69, 0x6b: // imul
		d.imm8orZ(b == 0x6b)
		d.write(d.reg, d.size())
	case 0x6c, 0x6d, 0x6e, 0x6f: // ins, outs
		d.bad = true // in and out: not for user programs
	case 0x80, 0x81, 0x83: // add to cmp with a constant
		imm := d.imm8orZ(b != 0x81)
		d.immediate(uint8(d.reg&7), d.rm, d.isReg(), imm, byteOr(d.size(), b))
	case 0x84, 0x85: // test
		size := byteOr(d.size(), b)
		r, high := d.reg, false
		if size == 1 {
			r, high = d.byteReg(r)
		}
		if d.isReg() && d.reg == d.rm && !high { // compares with zero
			i.Op, i.Src, i.Size = machine.Compare, r, size
		}
	case 0x9b, 0x9e, 0xf5, 0xf8, 0xf9, 0xfc, 0xfd: // fwait, sahf, cmc, clc, stc, cld, std
	case 0x86, 0x87: // xchg
		i.NoFlag = true
		size := byteOr(8, b)
		d.write(d.reg, size)
		d.writeRM(size)
		i.Atomic = !d.isReg()
	case 0x88, 0x89: // mov from a register
		i.NoFlag = true
		size := byteOr(d.size(), b)
		switch {
		case !d.isReg():
			i.Op, i.Src, i.Size = machine.Store, d.reg, size
			if size == 1 {
				if r, high := d.byteReg(d.reg); high {
					i.Src = machine.NoReg
				} else {
					i.Src = r
				}
			}
		case size >= 4:
			i.Op, i.Dst, i.Src, i.Size, i.Width = machine.Move, d.rm, d.reg, size, size
		default:
			d.write(d.rm, size)
		}
	case 0x8a, 0x8b: // mov to a register
		i.NoFlag = true
		size := byteOr(d.size(), b)
		switch {
		case size < 4:
			d.write(d.reg, size)
		case d.isReg():
			i.Op, i.Dst, i.Src, i.Size, i.Width = machine.Move, d.reg, d.rm, size, size
		default:
			i.Op, i.Dst, i.Size, i.Width = machine.Load, d.reg, size, size
		}
	case 0x8c: // mov from a segment
		d.writeRM(8)
	case 0x8d: // lea
		i.NoFlag = true
		if d.isReg() {
			d.bad = true
			return
		}
		i.Op, i.Dst, i.Width = machine.Lea, d.reg, d.size()
		if i.Mem.Segment {
			i.Mem.Segment = false // lea ignores segments
			if d.addr32 {
				i.Op = machine.Other
				d.write(d.reg, 8)
			}
		}
		if i.Width == 2 {
			i.Op = machine.Other
			d.write(d.reg, 2)
		}
	case 0x8e: // mov to a segment
		d.bad = true // another thread-local segment, or a fault
	case 0x8f: // pop to memory
		i.NoFlag = true
		if d.isReg() {
			i.Op, i.Dst = machine.Pop, d.rm
		} else {
			i.Op, i.Stores, i.Stored = machine.Pop, true, 8
		}
		d.push()
	case 0x90: // nop, pause
		if d.rexB {
			d.write(AX, 8)
			d.write(R8, 8)
		}
		i.Waits = d.rep && !d.rexB // pause
		i.NoFlag = true
	case 0x98, 0x99: // cwtl, cltq; cltd, cqto
		i.NoFlag = true
		if b == 0x98 && d.rexW {
			i.Op, i.Dst, i.Src, i.Size, i.Width, i.Signed = machine.Move, AX, AX, 4, 8, true
		} else if b == 0x98 {
			d.write(AX, 8)
		} else {
			d.write(DX, 8)
		}
	case 0x9c: // pushf
		i.Op, i.NoFlag = machine.Push, true
		d.push()
	case 0x9d: // popf
		i.Op = machine.Pop
		d.push()
	case 0x9f, 0xd7: // lahf, xlat
		i.Reads = b == 0xd7
		d.write(AX, 8)
	case 0xa0, 0xa1, 0xa2, 0xa3: // movabs of ax
		if d.addr32 {
			d.i32()
		} else {
			d.i64()
		}
		if i.Reads = b < 0xa2; i.Reads {
			d.write(AX, 8)
		} else {
			i.Stores = true
		}
	case 0xa4, 0xa5, 0xa6, 0xa7, 0xaa, 0xab, 0xac, 0xad, 0xae, 0xaf: // movs, cmps, stos, lods, scas
		i.Writes = bits(SI, DI)
		i.Repeat, i.Reads = d.rep || d.repne, b != 0xaa && b != 0xab
		if i.Repeat {
			i.Writes |= bits(CX)
		}
		if i.Stores = b == 0xa4 || b == 0xa5 || b == 0xaa || b == 0xab; i.Stores {
			i.Mem = machine.Mem{Base: DI, Index: machine.NoReg, Scale: 1}
			i.Stored = uint16(byteOr(d.size(), b))
		}
		if b == 0xac || b == 0xad {
			i.Writes |= bits(AX)
		}
	case 0xa8, 0xa9: // test of al, ax
		d.imm8orZ(b == 0xa8)
	case 0xc0, 0xc1, 0xd0, 0xd1, 0xd2, 0xd3: // rol, ror, rcl, rcr, shl, shr, sar
		d.shift(b)
	case 0xc2: // ret that pops
		d.i16()
		i.Flow = machine.Return
		d.bad = true // takes its arguments off the stack: another calling convention
	case 0xc3: // ret
		i.Flow = machine.Return
	case 0xc6, 0xc7: // mov of a constant; xabort, xbegin
		i.NoFlag = true
		if b == 0xc7 && d.reg == 7 && d.isReg() && d.rm == 0 { // xbegin: to Target when it aborts
			i.Flow = machine.Branch
			i.Target = uint64(d.immZ())
			d.write(AX, 8)
			return
		}
		if b == 0xc6 && d.reg == 7 && d.isReg() && d.rm == 0 { // xabort
			d.u8()
			d.write(AX, 8)
			return
		}
		if d.reg&7 != 0 {
			d.bad = true
			return
		}
		size, imm := byteOr(d.size(), b), d.imm8orZ(b == 0xc6)
		switch {
		case !d.isReg():
			i.Op, i.Imm, i.Size = machine.Store, imm, size
		case size == 4:
			i.Op, i.Dst, i.Imm = machine.Const, d.rm, int64(uint32(imm))
		case size == 8:
			i.Op, i.Dst, i.Imm = machine.Const, d.rm, imm
		default:
			d.write(d.rm, size)
		}
	case 0xc8: // enter
		d.i16()
		d.u8()
		d.write(SP, 8)
		d.write(BP, 8)
		i.Stores = true
	case 0xc9: // leave
		i.Op, i.NoFlag = machine.Leave, true
	case 0xcc, 0xf4: // int3, hlt
		i.Flow = machine.Trap
	case 0xcd: // int
		d.u8()
		i.Flow, i.Imm = machine.Syscall, machine.OtherCalls
		d.write(AX, 8)
	case 0xe0, 0xe1, 0xe2, 0xe3: // loopne, loope, loop, jrcxz
		i.Flow, i.NoFlag, i.Src = machine.Branch, true, CX
		i.Target = uint64(d.i8())
		if b != 0xe3 {
			d.write(CX, 8)
		}
	case 0xe8, 0xe9: // call, jmp
		i.Flow = machine.Call
		if b == 0xe9 {
			i.Flow, i.NoFlag = machine.Jump, true
		}
		i.Target = uint64(d.i32())
	case 0xeb: // jmp short
		i.Flow, i.NoFlag = machine.Jump, true
		i.Target = uint64(d.i8())
	case 0xf6, 0xf7: // test, not, neg, mul, imul, div, idiv
		d.group()
		size := byteOr(d.size(), b)
		switch d.reg & 7 {
		case 0, 1:
			d.imm8orZ(b == 0xf6)
		case 2, 3:
			if d.reg&7 == 3 && d.isReg() && size >= 4 { // neg
				i.Op, i.Dst, i.Src2, i.Width = machine.SubReg, d.rm, d.rm, size
				return
			}
			d.writeRM(size)
		default:
			d.write(AX, 8)
			d.write(DX, 8)
		}
	case 0xfe: // inc, dec of 8 bits
		if d.reg&7 > 1 {
			d.bad = true
			return
		}
		d.writeRM(1)
	case 0xff: // inc, dec, call, jmp, push
		d.group5()
	default:
		d.bad = true
	}
}
