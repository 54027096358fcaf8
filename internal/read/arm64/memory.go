package arm64

import "github.com/wherrygo/wherry/internal/read/machine"

// memory: loads and stores. An instruction that also moves its base register
// counts as that addition; what it loads is not followed then.
func (d *decoder) memory() bool {
	inst := d.inst
	simd := d.bit(26)
	inst.Reads = true
	switch group := d.field(27, 3); {
	case group == 0b001 && simd: // whole structures of vectors
		if inst.Stores = !d.bit(22); inst.Stores {
			inst.Reads = false
			inst.Mem, inst.Stored = machine.Mem{Base: d.reg(5), Index: machine.NoReg}, d.structures()
		}
		if d.bit(23) {
			d.writes(d.reg(5))
		}
	case d.is(ldar, ldapr) && d.zreg(0) != machine.NoReg:
		d.acquire()
	case group == 0b001 && !d.bit(24): // exclusive, ordered, compare and swap
		inst.Mem = machine.Mem{Base: d.reg(5), Index: machine.NoReg}
		inst.Stores, inst.Stored = true, 1<<d.field(30, 2)
		if d.bit(21) && !d.bit(23) { // STXP, CASP
			inst.Stored = 8 << d.field(30, 1)
			inst.Strict = inst.Stored == 16
		}
		inst.Atomic = !d.bit(23) || d.bit(21) // not LDAR, STLR
		d.writes(d.zreg(16))
		if d.is(casp) && d.reg(16) < 30 {
			d.writes(d.reg(16) + 1)
		}
		if d.bit(22) {
			d.writes(d.zreg(0))
			d.writes(d.zreg(10))
		}
	case group == 0b011 && !d.bit(24):
		d.literal(simd)
	case group == 0b011:
		return d.tagged(simd)
	case group == 0b101:
		d.pair(simd)
	case group == 0b111:
		return d.single(simd)
	default:
		return false
	}
	return true
}

// structures returns how many bytes ST1 to ST4 store.
func (d *decoder) structures() uint16 {
	op := d.field(13, 3)
	if !d.bit(24) { // whole registers
		registers := [16]uint16{0: 4, 2: 4, 4: 3, 6: 3, 7: 1, 8: 2, 10: 2}[d.field(12, 4)]
		return registers << (3 + d.field(30, 1))
	}
	element := uint16(1) << (op >> 1) // one element of each
	if op>>1 == 2 && d.bit(10) {
		element = 8
	}
	registers := op&1<<1 + 1
	if d.bit(21) {
		registers++
	}
	return uint16(registers) * element
}

// acquire: a load that later ones do not pass.
func (d *decoder) acquire() {
	inst := d.inst
	size := uint(d.field(30, 2))
	inst.Loads = true
	inst.Op, inst.Dst, inst.Size, inst.Width = machine.Load, d.zreg(0), 1<<size, 4
	if size == 3 {
		inst.Width = 8
	}
	inst.Mem = machine.Mem{Base: d.reg(5), Index: machine.NoReg}
}

func (d *decoder) literal(simd bool) {
	inst := d.inst
	kind, dst := d.field(30, 2), d.zreg(0)
	if simd || kind == 3 || dst == machine.NoReg {
		inst.Reads = false // but constants among the code
		return
	}
	inst.Op, inst.Dst, inst.Width, inst.Size = machine.Load, dst, 8, 4
	switch kind {
	case 0:
		inst.Width = 4
	case 1:
		inst.Size = 8
	case 2:
		inst.Signed = true
	}
	inst.Mem.Disp = int64(inst.Addr) + d.signed(5, 19)*4
}

// tagged: memory tags, copies and fills of memory, ordered loads and stores
// with an offset.
func (d *decoder) tagged(simd bool) bool {
	inst := d.inst
	inst.Stores, inst.Stored = true, 16
	tags := d.field(30, 2) == 3 && d.bit(21)
	if !simd && (tags || !d.bit(21) && d.field(10, 2) == 0) { // not CPY, SET
		inst.Mem = machine.Mem{Base: d.reg(5), Index: machine.NoReg}
		switch {
		case !tags:
			inst.Mem.Disp = d.signed(12, 9)
		case d.field(10, 2) != 1: // then the base moves behind the access
			inst.Mem.Disp = d.signed(12, 9) * 16
		}
	}
	switch {
	case simd:
	case d.field(30, 2) == 3 && d.bit(21): // tags
		inst.Strict = true
		if d.bit(23) { // ST2G, STZ2G
			inst.Stored = 32
		}
		if mode := d.field(10, 2); mode == 1 || mode == 3 {
			inst.Op, inst.Dst, inst.Src, inst.Width, inst.Imm = machine.Add, d.reg(5), d.reg(5), 8, d.signed(12, 9)*16
		} else {
			d.writes(d.zreg(0))
		}
	case !d.bit(21) && d.field(10, 2) == 1: // CPY, SET
		inst.Repeat, inst.NoFlag, inst.Stored = true, false, 1
		d.writes(d.zreg(0))
		d.writes(d.zreg(5))
		d.writes(d.zreg(16))
	case !d.bit(21) && d.field(10, 2) == 0: // LDAPUR, STLUR
		inst.Stored = 1 << d.field(30, 2)
		if d.field(22, 2) != 0 {
			d.writes(d.zreg(0))
		}
	default:
		return false
	}
	return true
}

func (d *decoder) pair(simd bool) {
	inst := d.inst
	load, kind := d.bit(22), d.field(30, 2)
	scale := int64(4)
	switch {
	case simd:
		scale <<= kind
	case kind == 1 && !load:
		scale = 16 // with a tag
	case kind == 2:
		scale = 8
	}
	offset := d.signed(15, 7) * scale
	base := d.reg(5)
	inst.Reads = load
	inst.Strict = !simd && kind == 1 && !load // with a tag
	if inst.Stores = !load; inst.Stores {
		inst.Size, inst.Stored = uint8(2*scale), uint16(2*scale)
	}
	inst.Mem.Base, inst.Mem.Disp = base, offset
	switch d.field(23, 3) & 3 {
	case 1:
		inst.Mem.Disp = 0
		fallthrough
	case 3:
		inst.Op, inst.Dst, inst.Src, inst.Imm, inst.Width = machine.Add, base, base, offset, 8
	}
	switch {
	case simd || kind != 2:
	case d.reg(0) == LR:
		inst.LinkAt = 1
	case d.reg(10) == LR:
		inst.LinkAt = 9
	}
	if load && !simd {
		inst.Loads = true
		d.writes(d.zreg(0))
		d.writes(d.zreg(10))
	}
}

func (d *decoder) single(simd bool) bool {
	inst := d.inst
	size, kind := uint(d.field(30, 2)), d.field(22, 2)
	base, reg := d.reg(5), d.zreg(0)
	load := kind != 0
	scale := size
	if simd {
		load = kind&1 != 0
		if kind >= 2 {
			scale = 4
		}
	}
	prefetch := !simd && size == 3 && kind == 2
	mem := machine.Mem{Base: base, Index: machine.NoReg}
	move, moves := int64(0), false
	switch {
	case d.bit(24):
		mem.Disp = int64(d.field(10, 12)) << scale
	case !d.bit(21):
		offset, mode := d.signed(12, 9), d.field(10, 2)
		if mode != 1 { // then the base moves behind the access
			mem.Disp = offset
		}
		if mode == 1 || mode == 3 {
			move, moves = offset, true
		}
	case d.field(10, 2) == 2:
		option := d.field(13, 3)
		if option&2 == 0 {
			return false
		}
		mem.Index, mem.Scale = d.zreg(16), 1
		if d.bit(12) {
			mem.Scale = 1 << scale
		}
		mem.IndexSize, mem.IndexSigned = 1<<(option&3), option >= 4
	case d.field(10, 2) == 0: // atomic
		inst.Mem = machine.Mem{Base: base, Index: machine.NoReg}
		inst.Stores, inst.Atomic, inst.Stored = true, true, 1<<size
		d.writes(reg)
		if !simd && d.field(12, 4) >= 9 { // 64 bytes
			inst.Writes, inst.Stored, inst.Strict = 0x7fffffff, 64, true
		}
		return true
	default: // authenticated
		if d.bit(11) {
			inst.Op, inst.Dst, inst.Src, inst.Width = machine.Add, base, base, 8
			inst.Imm = d.signed(12, 9) * 8
			if d.bit(22) {
				inst.Imm -= 512 * 8
			}
		}
		d.writes(reg)
		return true
	}
	inst.Mem = mem
	inst.Loads, inst.Reads = load, load
	if size == 3 && !simd && reg == LR {
		inst.LinkAt = 1
	}
	switch {
	case prefetch:
		inst.Loads, inst.Reads = false, false
	case moves:
		inst.Op, inst.Dst, inst.Src, inst.Imm, inst.Width = machine.Add, base, base, move, 8
		inst.Stores, inst.Stored = !load, 1<<scale
		if load && !simd {
			d.writes(reg)
		}
	case simd:
		inst.Stores, inst.Stored = !load, 1<<scale
	case load && reg == machine.NoReg:
	case load:
		inst.Op, inst.Dst, inst.Size, inst.Width = machine.Load, reg, 1<<size, 4
		inst.Signed = kind >= 2
		if kind == 2 || size == 3 {
			inst.Width = 8
		}
	default:
		inst.Op, inst.Src, inst.Size = machine.Store, reg, 1<<size
	}
	return true
}
