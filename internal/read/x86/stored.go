package x86

import "github.com/wherrygo/wherry/internal/read/machine"

// word is the size of a general register that a vector's part is moved to or
// from.
func (d *decoder) word() uint16 {
	if d.rexW {
		return 8
	}
	return 4
}

// sseStored is how many bytes an instruction of map 0F without VEX stores.
func (d *decoder) sseStored(op uint8) uint16 {
	switch op {
	case 0x13, 0x17, 0xd6:
		return 8
	case 0xc3: // movnti
		return d.word()
	case 0x11, 0x2b:
		switch {
		case d.rep:
			return 4
		case d.repne:
			return 8
		}
	case 0x7f, 0xe7, 0xf7:
		if !d.size16 && !d.rep { // of the MMX registers
			return 8
		}
	}
	return 16
}

// extracted is how many bytes pextrb, pextrw, pextrd, pextrq and extractps store.
func (d *decoder) extracted(op uint8) uint16 {
	switch op {
	case 0x14:
		return 1
	case 0x15:
		return 2
	case 0x16:
		return d.word()
	}
	return 4
}

// vectorStored is how many bytes an instruction behind VEX or EVEX stores, if
// it stores; 0 is not known.
func (d *decoder) vectorStored(opmap, op uint8, evex bool) uint16 {
	switch opmap {
	case 1:
		switch op {
		case 0x7e:
			return d.word()
		case 0xae:
			return 4
		case 0x91: // kmovb, kmovw, kmovd, kmovq
			switch {
			case d.rexW && d.size16:
				return 4
			case d.rexW:
				return 8
			case d.size16:
				return 1
			}
			return 2
		case 0xf7:
			return 16
		}
		if n := d.sseStored(op); n < 16 && op != 0x7f && op != 0xe7 {
			return n
		}
	case 2:
		switch {
		case op == 0x4b, evex && op >= 0xa0 && op <= 0xa3: // tiles, and at many addresses
			return 0
		case op >= 0xe0 && op <= 0xef && !evex: // cmpccxadd
			return d.word()
		case evex && d.rep && op >= 0x10 && op <= 0x35: // narrowed
			return d.length / [16]uint16{2, 4, 8, 2, 4, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}[op&15]
		}
	case 3:
		switch op {
		case 0x14, 0x15, 0x16, 0x17:
			return d.extracted(op)
		case 0x19, 0x39:
			return 16
		case 0x1b, 0x3b:
			return 32
		case 0x1d: // vcvtps2ph
			return d.length / 2
		}
	case 5:
		if op == 0x11 && d.rep || op == 0x7e {
			return 2
		}
	}
	return d.length
}

// x87Stored is how many bytes an instruction of the coprocessor stores, if it
// stores.
func x87Stored(op uint8, kind machine.Reg) uint16 {
	switch {
	case op == 0xd9 && kind == 6: // fnstenv
		return 28
	case op == 0xdd && kind == 6: // fnsave
		return 108
	case op == 0xdb && kind == 7, op == 0xdf && kind == 6: // 80 bits, of either kind
		return 10
	case kind == 7 && op != 0xdf, op == 0xdf && kind < 4: // control and status words, integers of 16 bits
		return 2
	case op == 0xd9, op == 0xdb:
		return 4
	}
	return 8
}
