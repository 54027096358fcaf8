package x86

import (
	"slices"

	"github.com/wherrygo/wherry/internal/machine"
)

// vex reads an instruction behind C4 or C5.
func (d *decoder) vex(b uint8) {
	if d.rex || d.size16 || d.rep || d.repne || d.lock {
		d.bad = true // such prefixes before VEX fault
		return
	}
	opmap, p := uint8(1), d.u8()
	d.rexR = p&0x80 == 0
	if b == 0xc4 {
		d.rexX, d.rexB = p&0x40 == 0, p&0x20 == 0
		opmap = p & 31
		p = d.u8()
		d.rexW = p&0x80 != 0
	}
	vvvv := machine.Reg(^p >> 3 & 15)
	d.vectorPrefix(p)
	d.length = 16 << (p >> 2 & 1)
	d.vector(opmap, d.u8(), vvvv, false)
}

// evex reads an instruction behind 62.
func (d *decoder) evex() {
	if d.rex || d.size16 || d.rep || d.repne || d.lock {
		d.bad = true
		return
	}
	p0, p1, p2 := d.u8(), d.u8(), d.u8()
	opmap := p0 & 7
	d.length = min(uint16(16)<<(p2>>5&3), 64)
	// Bit 3 of the first and bit 2 of the second payload byte are fixed;
	// APX gives them a meaning, and APX is not known here.
	if p0&8 != 0 || p1&4 == 0 || opmap == 4 {
		d.bad = true
		return
	}
	d.rexR, d.rexX, d.rexB = p0&0x80 == 0, p0&0x40 == 0, p0&0x20 == 0
	d.rexW = p1&0x80 != 0
	vvvv := machine.Reg(^p1 >> 3 & 15)
	d.vectorPrefix(p1)
	d.vector(opmap, d.u8(), vvvv, true)
}

func (d *decoder) vectorPrefix(p uint8) {
	d.size16, d.rep, d.repne = p&3 == 1, p&3 == 2, p&3 == 3
	d.rex = true // byte registers are SPL to DIL, as with REX
}

func (d *decoder) vector(opmap, op uint8, vvvv machine.Reg, evex bool) {
	i := d.inst
	if opmap == 1 && op == 0x77 && !evex { // vzeroupper, vzeroall
		i.NoFlag = true
		return
	}
	if opmap == 0 || opmap == 4 || opmap > 6 {
		d.bad = true
		return
	}
	d.modRM()
	switch opmap {
	case 1:
		switch op {
		case 0x70, 0x71, 0x72, 0x73, 0xc2, 0xc4, 0xc5, 0xc6: // vpshufd, vpsrlw, vpsrld, vpsrlq, vcmpps, vpinsrw, vpextrw, vshufps
			d.u8()
		}
	case 3:
		d.u8()
	}
	// Stores are not told apart from loads: nothing that the analysis follows
	// lives across vector code.
	i.Stores = !d.isReg()
	if opmap == 1 && !slices.Contains([]uint8{0x11, 0x13, 0x17, 0x29, 0x2b, 0x7e, 0x7f, 0x91, 0xae, 0xd6, 0xe7}, op) {
		i.Stores = op == 0xf7
		if i.Stores { // vmaskmovdqu
			i.Mem = machine.Mem{Base: DI, Index: machine.NoReg, Scale: 1}
		}
	}
	i.Stored = d.vectorStored(opmap, op, evex)
	switch {
	case opmap == 1:
		switch op {
		case 0x50, 0xc5, 0xd7, 0x93: // vmovmskps, vpextrw, vpmovmskb, kmov
			d.write(d.reg, 8)
		case 0x2c, 0x2d, 0x78, 0x79: // vcvttsd2si, vcvtsd2si and to unsigned
			if d.rep || d.repne { // otherwise to a vector
				d.write(d.reg, 8)
			}
		case 0x7e: // vmovd, vmovq
			if d.isReg() && !d.rep {
				d.write(d.rm, 8)
			}
		}
	case opmap == 2 && !evex:
		switch op {
		case 0xf2, 0xf5, 0xf7: // andn, bzhi, pdep, pext, bextr, shlx
			d.write(d.reg, 8)
		case 0xf3: // blsr, blsmsk, blsi
			d.write(vvvv, 8)
		case 0xf6: // mulx
			d.write(d.reg, 8)
			d.write(vvvv, 8)
		case 0xe0, 0xe1, 0xe2, 0xe3, 0xe4, 0xe5, 0xe6, 0xe7, 0xe8, 0xe9, 0xea, 0xeb, 0xec, 0xed, 0xee, 0xef: // cmpccxadd
			i.Atomic = true
			d.write(d.reg, 8)
		}
	case opmap == 3:
		switch op {
		case 0x14, 0x15, 0x16, 0x17: // vpextrb, vpextrw, vpextrd, vextractps
			if d.isReg() {
				d.write(d.rm, 8)
			}
		case 0x60, 0x61, 0x62, 0x63: // vpcmpestrm to vpcmpistri
			d.write(CX, 8)
		case 0xf0: // rorx
			d.write(d.reg, 8)
		}
	case opmap == 5:
		switch op {
		case 0x2c, 0x2d, 0x78, 0x79: // vcvttsh2si, vcvtsh2si and to unsigned
			if d.rep {
				d.write(d.reg, 8)
			}
		case 0x7e: // vmovw
			if d.isReg() && !d.rep {
				d.write(d.rm, 8)
			}
		}
	}
}

// xop reads an instruction of AMD's XOP maps, behind 8F.
func (d *decoder) xop() {
	p0, p1 := d.u8(), d.u8()
	d.rexR, d.rexX, d.rexB = p0&0x80 == 0, p0&0x40 == 0, p0&0x20 == 0
	opmap := p0 & 31
	vvvv := machine.Reg(^p1 >> 3 & 15)
	op := d.u8()
	d.modRM()
	switch opmap {
	case 8:
		d.u8()
	case 9:
	case 10:
		d.i32()
	default:
		d.bad = true
	}
	_ = op
	d.write(d.reg, 8)
	d.write(vvvv, 8)
	d.writeRM(8)
}
