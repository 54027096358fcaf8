package x86

// Which instructions fault where their memory operand is not aligned at 16 bytes or more:
// without VEX nearly all that read or write a whole vector, with it only those whose name
// says that they are aligned.

// strict0f is about the map behind 0F.
func (d *decoder) strict0f(op uint8) bool {
	scalar := d.rep || d.repne
	switch {
	case op == 0x14, op == 0x15, op == 0x28, op == 0x29, op == 0x2b, op == 0xc6: // unpcklps, movaps, movntps, shufps
		return true
	case op == 0x12, op == 0x16: // movsldup, movshdup; not movlps, movhps
		return d.rep
	case op == 0x2c, op == 0x2d: // cvttpd2pi; cvttps2pi and scalars read less
		return d.size16
	case op == 0x5a: // cvtpd2ps; cvtps2pd reads less
		return d.size16 && !scalar
	case op == 0x5b: // cvtdq2ps
		return true
	case op >= 0x50 && op < 0x60, op == 0xc2: // packed arithmetic, comparisons
		return !scalar
	case op == 0x6e, op == 0x7e, op == 0xc4, op == 0xd6: // movd, movq, pinsrw
		return false
	case op == 0x70: // pshufd, pshufhw, pshuflw; not of the MMX registers
		return d.size16 || scalar
	case op == 0x7c, op == 0x7d, op == 0xd0: // haddps, hsubps, addsubps
		return true
	case op == 0xe6: // cvtpd2dq; cvtdq2pd reads less
		return !d.rep
	case op >= 0x60 && op < 0x80, op > 0xd0: // integers, movdqa, movntdq
		return d.size16
	case op == 0xae: // fxsave, fxrstor, xsave and their kin
		return !d.rep && !d.size16 && (d.reg&7 < 2 || d.reg&7 > 3 && d.reg&7 < 7)
	case op == 0xc7: // cmpxchg16b, xsavec and its kin
		return d.reg&7 == 1 && d.rexW || d.reg&7 > 2 && d.reg&7 < 6
	}
	return false
}

// strict38 is about the map behind 0F 38.
func (d *decoder) strict38(op uint8) bool {
	switch {
	case op >= 0x20 && op <= 0x25, op >= 0x30 && op <= 0x35: // pmovsx, pmovzx
		return false
	case op >= 0xc8 && op <= 0xcd: // sha1nexte and its kin: some processors do not demand it
		return true
	case op == 0xf8: // movdir64b, enqcmd
		return true
	}
	return d.size16 && op < 0xf0
}

// strict3a is about the map behind 0F 3A.
func (d *decoder) strict3a(op uint8) bool {
	switch {
	case op == 0x0a, op == 0x0b, op >= 0x14 && op <= 0x17, op >= 0x20 && op <= 0x22, op >= 0x60 && op <= 0x63:
		return false // roundss, pextrb, pinsrb, insertps, pcmpestri and their kin
	case op == 0xcc: // sha1rnds4
		return true
	}
	return d.size16
}

// strictVector is about what stands behind VEX or EVEX.
func (d *decoder) strictVector(opmap, op uint8) bool {
	switch uint16(opmap)<<8 | uint16(op) {
	case 0x128, 0x129, 0x12b: // vmovaps, vmovntps
		return true
	case 0x16f, 0x17f, 0x1e7, 0x22a: // vmovdqa, vmovntdq, vmovntdqa
		return d.size16
	}
	return false
}
