package arm64

import (
	"encoding/binary"

	"github.com/wherrygo/wherry/internal/machine"
)

// A decoder reads one instruction word.
type decoder struct {
	word uint32
	inst *machine.Inst
}

// Decode reads one instruction.
func (Arch) Decode(code []byte, addr uint64, inst *machine.Inst) bool {
	if len(code) < 4 || addr&3 != 0 {
		return false
	}
	*inst = machine.Inst{Addr: addr, Len: 4, Dst: machine.NoReg, Src: machine.NoReg, Src2: machine.NoReg,
		Mem: machine.Mem{Base: machine.NoReg, Index: machine.NoReg}, NoFlag: true}
	d := decoder{word: binary.LittleEndian.Uint32(code), inst: inst}
	return d.instruction()
}

func (d *decoder) instruction() bool {
	inst := d.inst
	switch d.field(25, 4) {
	case 0b0000:
		inst.Flow = machine.Trap // UDF
		return d.word>>16 == 0
	case 0b0010:
		return d.scalable()
	case 0b1000, 0b1001:
		return d.immediate()
	case 0b1010, 0b1011:
		return d.branch()
	case 0b0100, 0b0110, 0b1100, 0b1110:
		return d.memory()
	case 0b0101, 0b1101:
		return d.register()
	case 0b0111, 0b1111:
		d.vector()
		return true
	}
	return false
}

func (d *decoder) field(at, width uint) uint32 { return d.word >> at & (1<<width - 1) }

func (d *decoder) bit(at uint) bool { return d.word>>at&1 != 0 }

func (d *decoder) is(mask, value uint32) bool { return d.word&mask == value }

// signed returns a field as a signed number.
func (d *decoder) signed(at, width uint) int64 {
	shift := 64 - width
	return int64(uint64(d.field(at, width))<<shift) >> shift
}

// reg is a register of a field where 31 means the stack pointer.
func (d *decoder) reg(at uint) machine.Reg { return machine.Reg(d.field(at, 5)) }

// zreg is a register of a field where 31 means zero, or nothing.
func (d *decoder) zreg(at uint) machine.Reg {
	if r := d.reg(at); r != 31 {
		return r
	}
	return machine.NoReg
}

// writes counts a register as changed.
func (d *decoder) writes(r machine.Reg) {
	if r != machine.NoReg {
		d.inst.Writes |= 1 << r
	}
}

// width is the operands' size by bit 31.
func (d *decoder) width() uint8 {
	if d.bit(31) {
		return 8
	}
	return 4
}

// scalable: SVE. Its moves of the stack pointer are by an amount that the
// machine chooses.
func (d *decoder) scalable() bool {
	d.inst.NoFlag = false
	d.inst.Stores = d.field(29, 3) == 0b111
	if d.is(0xffa0f000, 0x04205000) || d.is(0xffa0f800, 0x04205800) { // ADDVL, ADDPL and their streaming kin
		d.writes(d.reg(0))
		return true
	}
	d.writes(d.zreg(0))
	return true
}

// vector: SIMD and floating point. Some of it moves to a general register.
func (d *decoder) vector() {
	d.inst.NoFlag = false
	switch {
	case d.is(0x5f203c07, 0x1e202000): // FCMP
	case d.is(0x5f200c00, 0x1e200800), d.is(0x5f200c00, 0x1e200c00), d.is(0x5f000000, 0x1f000000),
		d.is(0x5f207c00, 0x1e204000), d.is(0x5f201c00, 0x1e201000):
		// arithmetic of floating point, of one to three sources, FCSEL, and FMOV of a constant
	default:
		d.writes(d.zreg(0))
	}
}

func (d *decoder) branch() bool {
	inst := d.inst
	at := int64(inst.Addr)
	switch {
	case d.is(0x7c000000, 0x14000000):
		inst.Target = uint64(at + d.signed(0, 26)*4)
		inst.Flow = machine.Jump
		if d.bit(31) {
			inst.Flow = machine.Call
		}
	case d.is(0x7e000000, 0x34000000): // CBZ, CBNZ
		inst.Flow, inst.Target = machine.Branch, uint64(at+d.signed(5, 19)*4)
	case d.is(0x7e000000, 0x36000000): // TBZ, TBNZ
		inst.Flow, inst.Target = machine.Branch, uint64(at+d.signed(5, 14)*4)
	case d.is(0xff000000, 0x54000000): // B.cond, BC.cond
		inst.Flow, inst.Target = machine.Branch, uint64(at+d.signed(5, 19)*4)
		switch d.field(0, 4) {
		case 0:
			inst.Cond = machine.Equal
		case 1:
			inst.Cond = machine.NotEqual
		case 2:
			inst.Cond = machine.AboveEqual
		case 3:
			inst.Cond = machine.Below
		case 8:
			inst.Cond = machine.Above
		case 9:
			inst.Cond = machine.BelowEqual
		case 14, 15:
			inst.Flow = machine.Jump
		}
	case d.is(0xffe0001f, 0xd4000001): // SVC
		inst.Flow = machine.Syscall
		inst.Writes = 1
	case d.is(0xffe0001f, 0xd4200000), d.is(0xffe0001f, 0xd4400000): // BRK, HLT
		inst.Flow = machine.Trap
	case d.is(0xffc00000, 0xd5000000):
		return d.system()
	case d.is(0xfffffc1f, 0xd61f0000), d.is(0xfffff81f, 0xd61f081f), d.is(0xfffff800, 0xd71f0800): // BR, BRAAZ, BRAA
		inst.Flow, inst.Src = machine.JumpReg, d.zreg(5)
	case d.is(0xfffffc1f, 0xd63f0000), d.is(0xfffff81f, 0xd63f081f), d.is(0xfffff800, 0xd73f0800): // BLR, BLRAAZ, BLRAA
		inst.Flow, inst.Src = machine.CallReg, d.zreg(5)
	case d.is(0xfffffc1f, 0xd65f0000): // RET
		inst.Flow = machine.Return
		if d.reg(5) != 30 {
			inst.Flow, inst.Src = machine.JumpReg, d.zreg(5)
		}
	case d.is(0xfffffbff, 0xd65f0bff): // RETAA, RETAB
		inst.Flow = machine.Return
	default:
		return false
	}
	if (inst.Flow == machine.JumpReg || inst.Flow == machine.CallReg) && inst.Src == machine.NoReg {
		inst.Flow = machine.Trap // to address 0
	}
	return true
}

// system: hints, barriers, system registers, cache maintenance.
func (d *decoder) system() bool {
	inst := d.inst
	switch {
	case d.is(0xfffff01f, 0xd503201f): // hints
		hint := d.field(5, 7)
		inst.Waits = hint >= 1 && hint <= 3 // yield, wfe, wfi
	case d.is(0xffffffc0, 0xd5031000): // WFET, WFIT
		inst.Waits = true
	case d.is(0xfffff01f, 0xd503301f), d.is(0xfffff0ff, 0xd50330ff), d.is(0xffffff00, 0xd5033f00), d.is(0xfffff000, 0xd5033000): // barriers
	case d.is(0xffffffe0, 0xd5233060), d.is(0xffdfff00, 0xd50b7700):
		return false // TSTART, which returns again when the transaction fails; another shadow stack
	case d.is(0xffe00000, 0xd5200000), d.is(0xfff00000, 0xd5300000): // reads
		d.writes(d.zreg(0))
		inst.NoFlag = false
		inst.Clock = d.is(0xfffffe00, 0xd53be000) // CNTVCT and its kin
	case d.is(0xfff80000, 0xd5080000): // DC, IC and the like
		inst.Stores = true
	case d.is(0xffffff9f, 0xd500401f), d.is(0xffffffe0, 0xd51b4200): // CFINV, XAFLAG, AXFLAG; NZCV
		inst.NoFlag = false
	case d.is(0xfffff0ff, 0xd503403f), d.is(0xfffff0ff, 0xd503405f), d.is(0xfffff0ff, 0xd503409f): // SSBS, DIT, TCO
	case d.is(0xffffffe0, 0xd51b42c0), d.is(0xffffffe0, 0xd51b42a0), d.is(0xffffffe0, 0xd51b42e0): // the same, from a register
	case d.is(0xffffffc0, 0xd51b4400): // FPCR, FPSR
	// Not the thread's pointer, its streaming mode, or what only a kernel may write.
	default:
		return false
	}
	return true
}
