package x86

import (
	"encoding/binary"

	"github.com/wherrygo/wherry/internal/read/machine"
)

// A decoder holds what prefixes and ModRM said while one instruction is read.
type decoder struct {
	code []byte
	pos  int
	bad  bool

	rexW, rexR, rexX, rexB bool
	rex                    bool
	size16                 bool // 66
	addr32                 bool // 67
	rep, repne             bool // F3, F2
	lock                   bool
	segment                bool // FS or GS

	mod     uint8
	reg, rm machine.Reg
	length  uint16 // of a vector, in bytes

	inst *machine.Inst
}

// maxLen is the architecture's limit for one instruction.
const maxLen = 15

// Decode reads one instruction.
func (Arch) Decode(code []byte, addr uint64, inst *machine.Inst) bool {
	if len(code) > maxLen {
		code = code[:maxLen]
	}
	*inst = machine.Inst{Addr: addr, Dst: machine.NoReg, Src: machine.NoReg, Src2: machine.NoReg,
		Mem: machine.Mem{Base: machine.NoReg, Index: machine.NoReg}}
	d := decoder{code: code, inst: inst}
	d.instruction()
	if d.bad || d.pos > len(code) {
		return false
	}
	inst.Len = uint8(d.pos)
	inst.Atomic = inst.Atomic || d.lock
	inst.Reads = inst.Reads || d.reads()
	inst.Strict = inst.Strict && !d.isReg()
	if inst.Flow != machine.Next && inst.Flow != machine.Trap && inst.Flow != machine.Syscall && d.size16 && !d.rexW {
		return false // the two makers of processors disagree on its length, or it cuts the address
	}
	end := addr + uint64(d.pos)
	if inst.Mem.Base == ripBase {
		inst.Mem.Base = machine.NoReg
		inst.Mem.Disp += int64(end)
	}
	switch inst.Flow {
	case machine.Jump, machine.Branch, machine.Call:
		inst.Target += end
	}
	return true
}

// reads reports whether the ModRM operand is memory that may be read: not where it is only
// an address, and not where it is only written, which leaves the flags alone.
func (d *decoder) reads() bool {
	i := d.inst
	return i.Mem.Scale != 0 && i.Op != machine.Lea && i.Op != machine.Store && !(i.Stores && i.NoFlag && !i.Atomic)
}

// ripBase marks, while an instruction is read, an address relative to its end.
const ripBase machine.Reg = 0xfe

func (d *decoder) u8() uint8 {
	if d.pos >= len(d.code) {
		d.bad = true
		return 0
	}
	b := d.code[d.pos]
	d.pos++
	return b
}

func (d *decoder) i8() int64 { return int64(int8(d.u8())) }

func (d *decoder) i16() int64 {
	low := d.u8()
	return int64(int16(uint16(low) | uint16(d.u8())<<8))
}

func (d *decoder) i32() int64 {
	if d.pos+4 > len(d.code) {
		d.bad = true
		return 0
	}
	v := int32(binary.LittleEndian.Uint32(d.code[d.pos:]))
	d.pos += 4
	return int64(v)
}

func (d *decoder) i64() int64 {
	low := d.i32()
	return int64(uint64(uint32(low)) | uint64(d.i32())<<32)
}

// immZ is an immediate of the operand's size, at most 4 bytes.
func (d *decoder) immZ() int64 {
	if d.size16 && !d.rexW {
		return d.i16()
	}
	return d.i32()
}

// imm8orZ is an immediate of 8 bits, or of the operand's size.
func (d *decoder) imm8orZ(byte bool) int64 {
	if byte {
		return d.i8()
	}
	return d.immZ()
}

// byteOr is the size of the operands of an opcode of which the even form is for bytes.
func byteOr(size, opcode uint8) uint8 {
	if opcode&1 == 0 {
		return 1
	}
	return size
}

// size is the operand's size in bytes where the opcode leaves it to prefixes.
func (d *decoder) size() uint8 {
	switch {
	case d.rexW:
		return 8
	case d.size16:
		return 2
	}
	return 4
}

func (d *decoder) instruction() {
	for {
		switch b := d.u8(); {
		case d.bad:
			return
		case b == 0x66:
			d.size16, d.rex = true, false
		case b == 0x67:
			d.addr32 = true
		case b == 0xf2:
			d.repne, d.rep = true, false
		case b == 0xf3:
			d.rep, d.repne = true, false
		case b == 0xf0:
			d.lock = true
		case b == 0x2e || b == 0x36 || b == 0x3e || b == 0x26:
		case b == 0x64 || b == 0x65:
			d.segment = true
		case b&0xf0 == 0x40:
			d.rexW, d.rexR, d.rexX, d.rexB = b&8 != 0, b&4 != 0, b&2 != 0, b&1 != 0
			d.rex = true
			// A REX prefix counts only directly before the opcode.
			switch next := d.peek(); {
			case next&0xf0 == 0x40, next == 0x66, next == 0x67, next == 0xf2, next == 0xf3, next == 0xf0,
				next == 0x2e, next == 0x36, next == 0x3e, next == 0x26, next == 0x64, next == 0x65:
				d.rexW, d.rexR, d.rexX, d.rexB, d.rex = false, false, false, false, false
			}
		default:
			d.opcode(b)
			return
		}
	}
}

func (d *decoder) peek() uint8 {
	if d.pos < len(d.code) {
		return d.code[d.pos]
	}
	return 0
}

func (d *decoder) opcode(b uint8) {
	switch {
	case b == 0x0f:
		switch b := d.u8(); b {
		case 0x38:
			d.map38(d.u8())
		case 0x3a:
			d.map3a(d.u8())
		default:
			d.map0f(b)
		}
	case b == 0xc4 || b == 0xc5:
		d.vex(b)
	case b == 0x62:
		d.evex()
	case b == 0x8f && d.peek()&0x1f >= 8:
		d.xop()
	default:
		d.oneByte(b)
	}
}

// modRM reads the ModRM byte, SIB and displacement.
func (d *decoder) modRM() {
	b := d.u8()
	d.mod = b >> 6
	d.reg = machine.Reg(b >> 3 & 7)
	d.rm = machine.Reg(b & 7)
	if d.rexR {
		d.reg |= 8
	}
	if d.mod == 3 {
		if d.rexB {
			d.rm |= 8
		}
		d.inst.IsOfSP = d.reg == SP || d.rm == SP
		return
	}
	d.inst.IsOfSP = d.reg == SP
	m := machine.Mem{Base: d.rm, Index: machine.NoReg, Scale: 1, Segment: d.segment}
	if d.rexB {
		m.Base |= 8
	}
	if d.rm == 4 {
		sib := d.u8()
		m.Scale = 1 << (sib >> 6)
		m.Index = machine.Reg(sib >> 3 & 7)
		if d.rexX {
			m.Index |= 8
		}
		if m.Index == SP {
			m.Index = machine.NoReg
		}
		m.Base = machine.Reg(sib & 7)
		if m.Base == BP && d.mod == 0 {
			m.Base = machine.NoReg
			m.Disp = d.i32()
		} else if d.rexB {
			m.Base |= 8
		}
	} else if d.rm == BP && d.mod == 0 {
		m.Base = ripBase
		m.Disp = d.i32()
	}
	switch d.mod {
	case 1:
		m.Disp = d.i8()
	case 2:
		m.Disp = d.i32()
	}
	if d.addr32 {
		// Addresses of 32 bits are of no use to the analysis.
		m = machine.Mem{Base: machine.NoReg, Index: machine.NoReg, Segment: true}
	}
	d.inst.Mem = m
}

func (d *decoder) isReg() bool { return d.mod == 3 }

// group takes back what modRM says of reg, which is a part of the opcode.
func (d *decoder) group() { d.inst.IsOfSP = d.isReg() && d.rm == SP }

// byteReg returns the register of which a byte operand is the low part; AH to
// BH are parts of AX to BX.
func (d *decoder) byteReg(r machine.Reg) (reg machine.Reg, high bool) {
	if !d.rex && r >= 4 && r < 8 {
		return r - 4, true
	}
	return r, false
}

// write says that a register operand changes in a way not modelled.
func (d *decoder) write(r machine.Reg, size uint8) {
	if size == 1 {
		r, _ = d.byteReg(r)
	}
	d.inst.Writes |= 1 << (r & 15)
	if size == 4 {
		d.inst.Clears |= 1 << (r & 15)
	}
}

// writeRM says so of a ModRM operand.
func (d *decoder) writeRM(size uint8) {
	if d.isReg() {
		d.write(d.rm, size)
	} else {
		d.stores(uint16(min(size, d.size())))
	}
}

// stores says that so many bytes of the ModRM operand are written, at most.
func (d *decoder) stores(bytes uint16) { d.inst.Stores, d.inst.Stored = true, bytes }
