package elf

import (
	"debug/elf"
	"encoding/binary"
	"fmt"
)

// relocate applies an object's relocations. One that is not known makes its
// place odd.
func (l *linker) relocate(o *object) error {
	for _, section := range o.file.Sections {
		if section.Type != elf.SHT_RELA || int(section.Info) >= len(o.data) || o.data[section.Info] == nil {
			continue
		}
		entries, err := section.Data()
		if err != nil {
			return fmt.Errorf("section %q: %w", section.Name, err)
		}
		data, start := o.data[section.Info], o.addrs[section.Info]
		for ; len(entries) >= 24; entries = entries[24:] {
			offset := binary.LittleEndian.Uint64(entries)
			info := binary.LittleEndian.Uint64(entries[8:])
			if offset > uint64(len(data)) {
				return fmt.Errorf("malformed: a relocation in %q points behind it", section.Name)
			}
			r := relocation{at: data[offset:], place: start + offset, number: uint32(info), addend: binary.LittleEndian.Uint64(entries[16:])}
			var ok bool
			r.symbol, r.imported, r.ifunc, ok = l.resolve(o, uint32(info>>32))
			if ok && o.file.Machine == elf.EM_X86_64 {
				ok = l.x86(&r)
			} else if ok {
				ok = l.arm64(&r)
			}
			if !ok {
				l.image.Odd[r.place] = fmt.Sprintf("relocation of type %d", r.number)
			}
		}
	}
	return nil
}

type relocation struct {
	at       []byte
	place    uint64
	number   uint32
	addend   uint64
	symbol   uint64
	imported string
	ifunc    bool
}

func (r *relocation) put(v uint64, size int) bool {
	if len(r.at) < size {
		return false
	}
	for i := range size {
		r.at[i] = byte(v >> (8 * i))
	}
	return true
}

// word is an address of 8 bytes, which may be one of code.
func (l *linker) word(r *relocation) bool {
	p := Pointer{Addr: r.symbol + r.addend, IFunc: r.ifunc}
	if r.imported != "" {
		p = Pointer{Name: r.imported}
	}
	l.image.Pointers[r.place] = p
	return r.put(r.symbol+r.addend, 8)
}

// x86 applies a relocation of the x86-64 psABI, table 4.9.
func (l *linker) x86(r *relocation) bool {
	value := r.symbol + r.addend
	switch elf.R_X86_64(r.number) {
	case elf.R_X86_64_NONE:
		return true
	case elf.R_X86_64_64:
		return l.word(r)
	case elf.R_X86_64_PC32, elf.R_X86_64_PLT32:
		return r.put(value-r.place, 4)
	case elf.R_X86_64_32, elf.R_X86_64_32S:
		return r.put(value, 4)
	case elf.R_X86_64_PC64:
		return r.put(value-r.place, 8)
	case elf.R_X86_64_GOTPCREL, elf.R_X86_64_GOTPCRELX, elf.R_X86_64_REX_GOTPCRELX:
		return r.put(l.slot(r.symbol, r.imported, r.ifunc)+r.addend-r.place, 4)
	case elf.R_X86_64_DTPMOD64, elf.R_X86_64_DTPOFF64, elf.R_X86_64_TPOFF64, elf.R_X86_64_TLSGD, elf.R_X86_64_TLSLD,
		elf.R_X86_64_DTPOFF32, elf.R_X86_64_GOTTPOFF, elf.R_X86_64_TPOFF32, elf.R_X86_64_GOTPC32_TLSDESC, elf.R_X86_64_TLSDESC_CALL:
		return r.put(0, 4)
	}
	return false
}

// pageOffsets are relocations that take an offset in a page, by its scale: a power of two.
var pageOffsets = map[elf.R_AARCH64]int{elf.R_AARCH64_ADD_ABS_LO12_NC: 0, elf.R_AARCH64_LDST8_ABS_LO12_NC: 0,
	elf.R_AARCH64_LDST16_ABS_LO12_NC: 1, elf.R_AARCH64_LDST32_ABS_LO12_NC: 2, elf.R_AARCH64_LDST64_ABS_LO12_NC: 3,
	elf.R_AARCH64_LDST128_ABS_LO12_NC: 4}

// arm64 applies a relocation of the AArch64 ELF ABI, chapter 5.7.
func (l *linker) arm64(r *relocation) bool {
	value := r.symbol + r.addend
	number := elf.R_AARCH64(r.number)
	switch number {
	case 0, elf.R_AARCH64_NULL:
		return true
	case elf.R_AARCH64_ABS64:
		return l.word(r)
	case elf.R_AARCH64_ABS32:
		return r.put(value, 4)
	case elf.R_AARCH64_PREL64:
		return r.put(value-r.place, 8)
	case elf.R_AARCH64_PREL32:
		return r.put(value-r.place, 4)
	}
	if len(r.at) < 4 {
		return false
	}
	page := func(v uint64) uint64 { return v &^ 0xfff }
	inst := uint64(binary.LittleEndian.Uint32(r.at))
	field := func(v uint64, width, at uint) bool {
		mask := uint64(1)<<width - 1
		inst = inst&^(mask<<at) | (v&mask)<<at
		return r.put(inst, 4)
	}
	near := func(width, at uint) bool {
		distance := int64(value-r.place) >> 2
		return distance == distance<<(64-width)>>(64-width) && field(uint64(distance), width, at)
	}
	adr := func(v uint64) bool {
		field(v, 2, 29)
		return field(v>>2, 19, 5)
	}
	if scale, ok := pageOffsets[number]; ok {
		return field(value&0xfff>>scale, 12, 10)
	}
	switch number {
	case elf.R_AARCH64_ADR_PREL_LO21:
		return adr(value - r.place)
	case elf.R_AARCH64_ADR_PREL_PG_HI21, elf.R_AARCH64_ADR_PREL_PG_HI21_NC:
		return adr((page(value) - page(r.place)) >> 12)
	case elf.R_AARCH64_TSTBR14:
		return near(14, 5)
	case elf.R_AARCH64_LD_PREL_LO19, elf.R_AARCH64_CONDBR19:
		return near(19, 5)
	case elf.R_AARCH64_JUMP26, elf.R_AARCH64_CALL26:
		return near(26, 0)
	case elf.R_AARCH64_ADR_GOT_PAGE:
		return adr((page(l.slot(r.symbol, r.imported, r.ifunc)+r.addend) - page(r.place)) >> 12)
	case elf.R_AARCH64_LD64_GOT_LO12_NC:
		return field((l.slot(r.symbol, r.imported, r.ifunc)+r.addend)&0xfff>>3, 12, 10)
	case elf.R_AARCH64_TLSIE_ADR_GOTTPREL_PAGE21, elf.R_AARCH64_TLSIE_LD64_GOTTPREL_LO12_NC, elf.R_AARCH64_TLSDESC_LD_PREL19,
		elf.R_AARCH64_TLSDESC_ADR_PREL21:
		return true
	}
	// Thread-local, local exec; the last is LDST8_TPREL_LO12.
	return number >= elf.R_AARCH64_TLSLE_MOVW_TPREL_G2 && number <= elf.R_AARCH64_TLSLE_ADD_TPREL_LO12_NC+1
}
