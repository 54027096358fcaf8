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
			return fmt.Errorf("section %s: %w", section.Name, err)
		}
		data, start := o.data[section.Info], o.addrs[section.Info]
		for ; len(entries) >= 24; entries = entries[24:] {
			offset := binary.LittleEndian.Uint64(entries)
			info := binary.LittleEndian.Uint64(entries[8:])
			if offset > uint64(len(data)) {
				return fmt.Errorf("malformed: a relocation in %s points behind it", section.Name)
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

// x86 applies a relocation of the x86-64 psABI, table 4.9.
func (l *linker) x86(r *relocation) bool {
	value := r.symbol + r.addend
	switch r.number {
	case 0:
		return true
	case 1: // 64
		p := Pointer{Addr: value, IFunc: r.ifunc}
		if r.imported != "" {
			p = Pointer{Name: r.imported}
		}
		l.image.Pointers[r.place] = p
		return r.put(value, 8)
	case 2, 4: // PC32, PLT32
		return r.put(value-r.place, 4)
	case 10, 11:
		return r.put(value, 4)
	case 24:
		return r.put(value-r.place, 8)
	case 9, 41, 42: // GOTPCREL and its relaxable forms
		return r.put(l.slot(r.symbol, r.imported, r.ifunc)+r.addend-r.place, 4)
	case 16, 17, 18, 21, 23, 19, 20, 22, 34, 35: // thread-local storage
		return r.put(0, 4)
	}
	return false
}

// arm64 applies a relocation of the AArch64 ELF ABI, chapter 5.7.
func (l *linker) arm64(r *relocation) bool {
	value := r.symbol + r.addend
	page := func(v uint64) uint64 { return v &^ 0xfff }
	if r.number == 0 || r.number == 256 {
		return true
	}
	switch r.number {
	case 257:
		p := Pointer{Addr: value, IFunc: r.ifunc}
		if r.imported != "" {
			p = Pointer{Name: r.imported}
		}
		l.image.Pointers[r.place] = p
		return r.put(value, 8)
	case 258:
		return r.put(value, 4)
	case 260:
		return r.put(value-r.place, 8)
	case 261:
		return r.put(value-r.place, 4)
	}
	if len(r.at) < 4 {
		return false
	}
	word := uint64(binary.LittleEndian.Uint32(r.at))
	field := func(v uint64, width, at uint) bool {
		mask := uint64(1)<<width - 1
		word = word&^(mask<<at) | (v&mask)<<at
		return r.put(word, 4)
	}
	near := func(width, at uint) bool {
		distance := int64(value-r.place) >> 2
		return distance == distance<<(64-width)>>(64-width) && field(uint64(distance), width, at)
	}
	adr := func(v uint64) bool {
		field(v, 2, 29)
		return field(v>>2, 19, 5)
	}
	switch r.number {
	case 274: // ADR
		return adr(value - r.place)
	case 275, 276: // ADRP
		return adr((page(value) - page(r.place)) >> 12)
	case 277, 278:
		return field(value, 12, 10)
	case 284:
		return field(value&0xfff>>1, 12, 10)
	case 285:
		return field(value&0xfff>>2, 12, 10)
	case 286:
		return field(value&0xfff>>3, 12, 10)
	case 299:
		return field(value&0xfff>>4, 12, 10)
	case 279:
		return near(14, 5)
	case 273, 280:
		return near(19, 5)
	case 282, 283:
		return near(26, 0)
	case 311: // page of the table's word
		return adr((page(l.slot(r.symbol, r.imported, r.ifunc)+r.addend) - page(r.place)) >> 12)
	case 312:
		return field((l.slot(r.symbol, r.imported, r.ifunc)+r.addend)&0xfff>>3, 12, 10)
	case 541, 542, 544, 545, 546, 547, 548, 549, 550, 551, 552, 560, 561: // thread-local, initial and local exec
		return true
	}
	return false
}
