package arm64

import (
	"encoding/binary"

	"github.com/wherrygo/wherry/internal/read/machine"
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
	d.inst.Reads = !d.inst.Stores
	if d.writes(d.zreg(0)); d.is(addvl, addsvl) {
		d.writes(d.reg(0))
		d.inst.Src = d.reg(16)
	}
	return true
}

// vector: SIMD and floating point. Some of it moves to a general register.
func (d *decoder) vector() {
	d.inst.NoFlag = false
	if !d.is(fcmp, fp1, fp2, fp3, fcsel, fmovImm) {
		d.writes(d.zreg(0))
	}
}

// conds are the conditions of B.cond.
var conds = [16]machine.Cond{0: machine.Equal, 1: machine.NotEqual, 2: machine.AboveEqual, 3: machine.Below, 8: machine.Above,
	9: machine.BelowEqual}

// isOrder reports whether a condition is one of an order: neither equality nor overflow.
func isOrder(cond uint32) bool { return 0x3f3c>>cond&1 != 0 }

func (d *decoder) branch() bool {
	inst := d.inst
	at := int64(inst.Addr)
	switch {
	case d.is(bImm):
		inst.Target = uint64(at + d.signed(0, 26)*4)
		inst.Flow = machine.Jump
		if d.bit(31) {
			inst.Flow = machine.Call
		}
	case d.is(cbz):
		inst.Flow, inst.Target, inst.Src = machine.Branch, uint64(at+d.signed(5, 19)*4), d.zreg(0)
	case d.is(tbz):
		inst.Flow, inst.Target, inst.Src = machine.Branch, uint64(at+d.signed(5, 14)*4), d.zreg(0)
	case d.is(bCond):
		inst.Flow, inst.Target, inst.Order = machine.Branch, uint64(at+d.signed(5, 19)*4), isOrder(d.field(0, 4))
		if inst.Cond = conds[d.field(0, 4)]; d.field(0, 4) >= 14 { // always
			inst.Flow = machine.Jump
		}
	case d.is(svc):
		inst.Flow = machine.Syscall
		inst.Writes = 1
	case d.is(brk, hlt):
		inst.Flow = machine.Trap
	case d.is(systemSpace):
		return d.system()
	case d.is(br, braaz, braa):
		inst.Flow, inst.Src = machine.JumpReg, d.zreg(5)
	case d.is(blr, blraaz, blraa):
		inst.Flow, inst.Src = machine.CallReg, d.zreg(5)
	case d.is(ret):
		inst.Flow = machine.Return
		if d.reg(5) != 30 {
			inst.Flow, inst.Src = machine.JumpReg, d.zreg(5)
		}
	case d.is(retaa):
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
	case d.is(hint):
		hint := d.field(5, 7)
		inst.Waits = hint >= 1 && hint <= 3 // yield, wfe, wfi
	case d.is(wfet):
		inst.Waits = true
	case d.is(barriers, ssbs, dit, tco, msrSSBS, msrDIT, msrTCO, msrFPCR):
	case d.is(tstart, gcs):
		return false
	case d.is(sysl, mrs): // reads
		d.writes(d.zreg(0))
		inst.NoFlag = false
		inst.Clock = d.is(clock)
	case d.is(sys):
		inst.Stores = true
	case d.is(cfinv, msrNZCV):
		inst.NoFlag = false
	// Not the thread's pointer, its streaming mode, or what only a kernel may write.
	default:
		return false
	}
	return true
}
