package x86

import "github.com/wherrygo/wherry/internal/read/machine"

// hasModRM0f reports whether a ModRM byte follows an opcode of the map behind 0F.
func hasModRM0f(b uint8) bool {
	switch b {
	case 0x05, 0x06, 0x08, 0x09, 0x0b, 0x0e, 0x30, 0x31, 0x32, 0x33, 0x34, 0x77, 0xa0, 0xa1, 0xa2, 0xa8, 0xa9:
		return false
	}
	return b&0xf0 != 0x80 && b&0xf8 != 0xc8 // jcc, bswap
}

// map0f is the map behind 0F.
func (d *decoder) map0f(b uint8) {
	i := d.inst
	if hasModRM0f(b) {
		d.modRM()
	}
	i.Strict = d.strict0f(b)
	switch {
	case b >= 0x40 && b < 0x50: // cmovcc
		i.NoFlag, i.Order = true, isOrder(b)
		if d.isReg() && d.size() == 8 {
			i.Op, i.Dst, i.Src = machine.Select, d.reg, d.rm
			return
		}
		d.write(d.reg, d.size())
		return
	case b >= 0x80 && b < 0x90: // jcc
		i.Flow, i.Cond, i.NoFlag, i.Order = machine.Branch, conds[b&15], true, isOrder(b)
		i.Target = uint64(d.i32())
		return
	case b >= 0x90 && b < 0xa0: // setcc
		i.NoFlag, i.Order = true, isOrder(b)
		d.writeRM(1)
		return
	case b >= 0xc8 && b < 0xd0: // bswap
		d.write(d.low(b), d.size())
		return
	}
	switch b {
	case 0x00, 0xa5, 0xab, 0xad, 0xb3, 0xbb: // sldt and others, shld, bts, shrd, btr, btc
		d.writeRM(8)
	case 0x01: // xgetbv, rdtscp, swapgs, ... and sgdt to memory
		if d.isReg() {
			d.system()
			return
		}
		if d.reg&7 == 5 {
			d.bad = true // rstorssp: another shadow stack
		}
		i.Stores, i.Stored = true, 10 // sgdt
	case 0x02, 0x03, 0x50, 0xd7, 0xbc, 0xbd: // lar, lsl, movmskps, pmovmskb, bsf and bsr, which leave the register alone for zero
		d.write(d.reg, 8)
	case 0x05: // syscall
		i.Flow = machine.Syscall
		i.Writes = bits(AX, CX, R11)
	case 0x34: // sysenter
		i.Flow, i.Imm = machine.Syscall, machine.OtherCalls
		i.Writes = 0xffff &^ bits(SP)
	case 0x06, 0x08, 0x09, 0x0e, 0x30, 0x77: // clts, invd, wbinvd, femms, wrmsr, emms
	case 0x0b, 0xb9, 0xff: // ud2, ud1, ud0
		i.Flow = machine.Trap
	case 0x0d, 0x18, 0x19, 0x1a, 0x1b, 0x1c, 0x1d, 0x1e, 0x1f: // hints, endbr64, rdsspq
		i.NoFlag = true
		if b == 0x1e && d.rep && d.isReg() && d.reg&7 == 1 {
			d.write(d.rm, 8)
		}
		i.Mem = machine.Mem{Base: machine.NoReg, Index: machine.NoReg}
	case 0x0f: // 3DNow!
		d.u8()
	case 0x11, 0x13, 0x17, 0x29, 0x2b, 0x7f, 0xc3, 0xd6, 0xe7, 0xf7: // stores: movups to movaps, movntps, movdqa, movnti, movq
		i.NoFlag = true
		i.Stores, i.Stored = !d.isReg() || b == 0xf7, d.sseStored(b)
		if b == 0xf7 { // maskmovdqu
			i.Mem = machine.Mem{Base: DI, Index: machine.NoReg, Scale: 1}
		}
	case 0x2c, 0x2d: // cvttsd2si, cvtsd2si
		if d.rep || d.repne { // otherwise to an MMX register
			d.write(d.reg, 8)
		}
	case 0x31, 0x32, 0x33: // rdtsc, rdmsr, rdpmc
		i.Writes = bits(AX, DX)
		i.Clock = b == 0x31
	case 0x70, 0x71, 0x72, 0x73, 0xc2, 0xc4, 0xc6: // pshufd, psrlw, psrld, psrlq, cmpps, pinsrw, shufps
		d.u8()
		i.NoFlag = true
	case 0xc5: // pextrw
		d.u8()
		d.write(d.reg, 8)
	case 0x7e: // movd, movq
		if !d.rep {
			d.writeRM(8)
			i.Stored = d.word()
		}
	case 0x78, 0x79: // extrq, insertq, vmread, vmwrite
		if b == 0x78 && (d.size16 || d.repne) {
			d.u8()
			d.u8()
		} else if !d.size16 && !d.repne {
			d.bad = true
		}
	case 0xa0, 0xa8, 0xa1, 0xa9: // push and pop of fs, gs
		if i.Op, i.NoFlag = machine.Push, true; b&1 != 0 {
			i.Op = machine.Pop
		}
		d.push()
	case 0xa2: // cpuid
		i.Writes = bits(AX, BX, CX, DX)
	case 0xa4, 0xac: // shld, shrd by a constant
		d.u8()
		d.writeRM(8)
	case 0xae: // fxsave to clflush, fences, rdfsbase
		switch {
		case d.isReg() && d.reg&7 == 6 && (d.rep || d.repne || d.size16): // umonitor, umwait, tpause
			i.Waits = true
			i.NoFlag = d.rep
		case d.rep && (d.isReg() && d.reg&7 >= 2 || d.reg&7 == 6): // wrfsbase, wrgsbase, incssp, clrssbsy
			d.bad = true
		case d.isReg() && d.rep: // rdfsbase, rdgsbase
			d.write(d.rm, 8)
		case !d.isReg():
			i.Stores, i.Stored = true, 1 // what reads counts as storing here
			switch d.reg & 7 {
			case 0: // fxsave
				i.Stored = 512
			case 3: // stmxcsr
				i.Stored = 4
			case 4, 6: // xsave, xsaveopt: as much as the processor has
				i.Stored = 0
			}
		}
	case 0xaf, 0xb8: // imul, popcnt
		d.write(d.reg, d.size())
	case 0xb0, 0xb1: // cmpxchg
		d.write(AX, 8)
		d.writeRM(byteOr(8, b))
	case 0xb6, 0xb7, 0xbe, 0xbf: // movzx, movsx
		i.NoFlag = true
		d.extend(b&1+1, b >= 0xbe)
	case 0xba: // bt, bts, btr, btc with a constant
		d.u8()
		if d.reg&7 != 4 {
			d.writeRM(8)
		}
	case 0xc0, 0xc1: // xadd
		d.write(d.reg, byteOr(8, b))
		d.writeRM(byteOr(8, b))
	case 0xc7: // cmpxchg8b, rdrand, rdseed
		if d.rep && d.isReg() && d.reg&7 == 6 { // senduipi: an interrupt of another thread
			d.bad = true
		}
		i.Writes |= bits(AX, DX)
		d.writeRM(8)
		if !d.isReg() {
			i.Stored = 0      // xsavec
			if d.reg&7 == 1 { // cmpxchg8b, cmpxchg16b
				i.Stored = 2 * d.word()
			}
		}
	case 0x04, 0x07, 0x0a, 0x0c, 0x24, 0x25, 0x26, 0x27, 0x35, 0x36, 0x37, 0x39, 0x3b, 0x3c, 0x3d, 0x3e, 0x3f,
		0x20, 0x21, 0x22, 0x23, 0xa6, 0xa7, 0xb2, 0xb4, 0xb5, 0x7a, 0x7b, 0xaa:
		d.bad = true // unused, or not for user programs
	default:
		// Everything else works on vector registers or reads memory.
	}
}

// system is 0F 01 of a register: what user programs may do of it.
func (d *decoder) system() {
	i := d.inst
	i.Writes = bits(AX, CX, DX)
	if d.reg&7 == 7 && d.rm&7 != 1 {
		i.Writes |= bits(BX)
	}
	if d.reg&7 == 4 || d.reg&7 == 6 {
		d.write(d.rm, 8)
	}
	switch rm := d.rm & 7; d.reg & 7 {
	case 0: // vmcall and the like leave for a hypervisor
		d.bad = rm != 0
	case 1: // monitor, mwait; of enclaves and access checks
		i.Waits = rm < 2
		d.bad = rm >= 2
	case 2: // xgetbv, xend, xtest; not vmfunc or enclu
		d.bad = rm != 0 && rm != 5 && rm != 6
	case 3: // of AMD's hypervisor
		d.bad = true
	case 5: // rdpkru, wrpkru, serialize; not shadow stacks or user interrupts
		d.bad = d.rep || d.repne || rm < 6 && rm != 0
	case 7:
		i.Waits = rm == 2 || rm == 3 // monitorx, mwaitx
		i.Clock = rm == 1            // rdtscp
	}
}

// map38 is the map behind 0F 38.
func (d *decoder) map38(b uint8) {
	d.modRM()
	d.inst.Strict = d.strict38(b)
	switch b {
	case 0xf0, 0xf1: // movbe, crc32
		if d.repne || d.isReg() || b == 0xf0 { // all but movbe to memory
			d.write(d.reg, 8)
		} else {
			d.stores(uint16(d.size()))
		}
	case 0xf5, 0xf9, 0xfc: // wrss, movdiri, aadd and its kin
		d.stores(8)
	case 0xf8: // movdir64b, enqcmd
		d.stores(64)
		d.inst.Mem = machine.Mem{Base: d.reg & 15, Index: machine.NoReg, Scale: 1}
	case 0xf6: // adcx, adox, wrss
		if d.size16 || d.rep {
			d.write(d.reg, 8)
		} else {
			d.stores(8)
		}
	}
}

// map3a is the map behind 0F 3A.
func (d *decoder) map3a(b uint8) {
	d.modRM()
	d.u8()
	d.inst.Strict = d.strict3a(b)
	switch b {
	case 0x14, 0x15, 0x16, 0x17: // pextrb, pextrw, pextrd, extractps
		d.writeRM(8)
		d.inst.Stored = d.extracted(b)
	case 0x60, 0x61, 0x62, 0x63: // pcmpestrm to pcmpistri
		d.write(CX, 8)
	}
}
