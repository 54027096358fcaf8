package x86

import (
	"slices"

	"github.com/wherrygo/wherry/internal/read/machine"
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
	// vpshufd, vpsrlw, vpsrld, vpsrlq, vcmpps, vpinsrw, vpextrw, vshufps
	if opmap == 3 || opmap == 1 && (op&0xfc == 0x70 || op == 0xc2 || op >= 0xc4 && op <= 0xc6) {
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
	i.Strict = d.strictVector(opmap, op)
	switch uint16(opmap)<<8 | uint16(op) {
	case 0x150, 0x1c5, 0x1d7, 0x193, 0x3f0: // vmovmskps, vpextrw, vpmovmskb, kmov, rorx
		d.write(d.reg, 8)
	case 0x12c, 0x12d, 0x178, 0x179, 0x52c, 0x52d, 0x578, 0x579: // vcvttsd2si, vcvtsd2si, of halves, and to unsigned
		if d.rep || d.repne { // otherwise to a vector
			d.write(d.reg, 8)
		}
	case 0x17e, 0x57e: // vmovd, vmovq, vmovw
		if d.isReg() && !d.rep {
			d.write(d.rm, 8)
		}
	case 0x314, 0x315, 0x316, 0x317: // vpextrb, vpextrw, vpextrd, vextractps
		if d.isReg() {
			d.write(d.rm, 8)
		}
	case 0x360, 0x361, 0x362, 0x363: // vpcmpestrm to vpcmpistri
		d.write(CX, 8)
	}
	if opmap != 2 || evex {
		return
	}
	switch cmpccxadd := op&0xf0 == 0xe0; {
	case op == 0xf2, op == 0xf5, op == 0xf7, cmpccxadd: // andn, bzhi, pdep, pext, bextr, shlx
		i.Atomic = cmpccxadd
		d.write(d.reg, 8)
	case op == 0xf3: // blsr, blsmsk, blsi
		d.write(vvvv, 8)
	case op == 0xf6: // mulx
		d.write(d.reg, 8)
		d.write(vvvv, 8)
	}
}

// xop reads an instruction of AMD's XOP maps, behind 8F.
func (d *decoder) xop() {
	p0, p1 := d.u8(), d.u8()
	d.rexR, d.rexX, d.rexB = p0&0x80 == 0, p0&0x40 == 0, p0&0x20 == 0
	opmap := p0 & 31
	vvvv := machine.Reg(^p1 >> 3 & 15)
	d.u8() // the opcode
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
	d.write(d.reg, 8)
	d.write(vvvv, 8)
	d.writeRM(8)
}
