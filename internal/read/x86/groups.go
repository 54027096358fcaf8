package x86

import "github.com/wherrygo/wherry/internal/read/machine"

// extend is movzx and movsx of a register or memory.
func (d *decoder) extend(size uint8, signed bool) {
	i := d.inst
	if d.size() == 2 {
		d.write(d.reg, 2)
		return
	}
	i.Dst, i.Size, i.Signed, i.Width = d.reg, size, signed, d.size()
	if !d.isReg() {
		i.Op = machine.Load
		return
	}
	i.Op, i.Src = machine.Move, d.rm
	if size == 1 {
		high := false
		if i.Src, high = d.byteReg(d.rm); high {
			i.Op = machine.Other
			d.write(d.reg, 8)
			i.Src = machine.NoReg
		}
	}
}

func (d *decoder) shift(b uint8) {
	i := d.inst
	d.group()
	size, imm := byteOr(d.size(), b), int64(1)
	if b < 0xd0 {
		imm = d.i8() & 63
	}
	op := d.reg & 7
	if d.isReg() && size >= 4 && b < 0xd2 && imm > 0 && imm < int64(size)*8 && (op == 4 || op == 5 || op == 6) {
		i.Op, i.Dst, i.Src, i.Imm, i.Width = machine.Shl, d.rm, d.rm, imm, size
		if op == 5 {
			i.Op = machine.Shr
		}
		return
	}
	d.writeRM(size)
}

// group5 is inc, dec, call, jmp and push of a register or memory.
func (d *decoder) group5() {
	i := d.inst
	switch d.reg & 7 {
	case 0, 1:
		if d.isReg() && d.size() >= 4 {
			i.Op, i.Dst, i.Src, i.Imm, i.Width = machine.Add, d.rm, d.rm, 1, d.size()
			if d.reg&7 == 1 {
				i.Imm = -1
			}
			return
		}
		d.writeRM(d.size())
	case 2, 4:
		i.NoFlag = d.reg&7 == 4
		if d.isReg() {
			i.Flow, i.Src = machine.CallReg, d.rm
			if i.NoFlag {
				i.Flow = machine.JumpReg
			}
			return
		}
		i.Flow = machine.CallMem
		if i.NoFlag {
			i.Flow = machine.JumpMem
		}
	case 6:
		i.Op, i.NoFlag = machine.Push, true
		if d.isReg() {
			i.Src = d.rm
		}
		d.push()
	default:
		d.bad = true // far calls and jumps
	}
}

// x87 is the coprocessor's block; only fnstsw ax touches a register.
func (d *decoder) x87(b uint8) {
	if d.isReg() {
		if b == 0xdf && d.reg&7 == 4 && d.rm&7 == 0 {
			d.write(AX, 8)
		}
		return
	}
	switch b {
	case 0xd8, 0xda, 0xdc, 0xde: // arithmetic: reads
	default:
		d.inst.Stores, d.inst.Stored = d.reg&7 != 0, x87Stored(b, d.reg&7)
	}
}
