package elf

import (
	"debug/elf"
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/wherrygo/wherry/internal/cfi"
)

// Where link lays things out. Code and data begin at base; behind them
// addresses of undefined symbols, in reach of a call, and the words of the
// global offset table, all in reach of 32-bit offsets.
const (
	base       = 0x100000
	limit      = 0x60000000
	importStep = 16
	importRoom = 0x2000000
)

// errTooLarge bounds what fits below limit.
var errTooLarge = errors.New("more code and data than fit into 1.5 GB")

type linker struct {
	image   *Image
	next    uint64
	globals map[string]Symbol
	imports map[string]uint64
	slots   map[string]uint64
	table   []byte
	common  map[string]uint64

	importBase, tableBase uint64
}

type object struct {
	file    *elf.File
	symbols []elf.Symbol
	addrs   []uint64 // of each section, 0 where not loaded
	data    [][]byte
}

// link lays out objects in memory and relocates them.
func link(path string, members []member) (*Image, error) {
	m := &Image{Path: path, Kind: Object, BindNow: true, Pointers: map[uint64]Pointer{}, Imports: map[uint64]string{},
		Odd: map[uint64]string{}, Weak: map[string]struct{}{}}
	l := &linker{image: m, next: base, globals: map[string]Symbol{}, imports: map[string]uint64{}, slots: map[string]uint64{}, common: map[string]uint64{}}
	var objects []*object
	for _, part := range members {
		file, err := open(part.data)
		if err == nil && file.Type != elf.ET_REL {
			err = fmt.Errorf("ELF file of type %v among objects", file.Type)
		}
		if err == nil && len(objects) > 0 && file.Machine != m.Machine {
			err = fmt.Errorf("code for %v among code for %v", file.Machine, m.Machine)
		}
		if err != nil {
			return nil, member1(path, part.name, err)
		}
		m.Machine = file.Machine
		o, err := l.place(file, part.data)
		if err != nil {
			return nil, member1(path, part.name, err)
		}
		objects = append(objects, o)
	}
	for _, o := range objects {
		l.declare(o)
	}
	l.importBase = (l.next + 0xffff) &^ 0xffff
	l.tableBase = l.importBase + importRoom
	for i, o := range objects {
		if err := l.relocate(o); err != nil {
			return nil, member1(path, members[i].name, err)
		}
	}
	for _, o := range objects {
		for i, s := range o.file.Sections {
			if s.Name == ".eh_frame" && o.data[i] != nil {
				frames, _ := cfi.Parse(o.data[i], o.addrs[i])
				m.Frames = append(m.Frames, frames...)
			}
		}
	}
	m.Frames = sortFrames(m.Frames)
	if len(l.table) > 0 {
		m.segments = append(m.segments, segment{addr: l.tableBase, size: uint64(len(l.table)), data: l.table})
	}
	m.finish()
	return m, nil
}

func member1(path, name string, err error) error {
	if name == path {
		return err
	}
	return fmt.Errorf("member %s: %w", name, err)
}

// place gives the sections of one object their addresses.
func (l *linker) place(file *elf.File, data []byte) (*object, error) {
	o := &object{file: file, addrs: make([]uint64, len(file.Sections)), data: make([][]byte, len(file.Sections))}
	code := false
	for i, s := range file.Sections {
		if s.Flags&elf.SHF_ALLOC == 0 {
			if s.Name == ".gnu.lto_.opts" || len(s.Name) > 9 && s.Name[:9] == ".gnu.lto_" {
				o.addrs[i] = 0
			}
			continue
		}
		align := max(s.Addralign, 16)
		if align&(align-1) != 0 || align > 1<<20 {
			return nil, fmt.Errorf("malformed: section %s wants alignment %d", s.Name, s.Addralign)
		}
		l.next = (l.next + 16 + align - 1) &^ (align - 1)
		if s.Size > limit || l.next+s.Size > limit {
			return nil, errTooLarge
		}
		part := segment{addr: l.next, size: s.Size, exec: s.Flags&elf.SHF_EXECINSTR != 0, write: s.Flags&elf.SHF_WRITE != 0}
		if s.Type != elf.SHT_NOBITS {
			if s.Offset > uint64(len(data)) || s.FileSize > uint64(len(data))-s.Offset || s.FileSize != s.Size {
				return nil, fmt.Errorf("truncated: section %s ends behind the file", s.Name)
			}
			part.data = append([]byte(nil), data[s.Offset:s.Offset+s.FileSize]...)
			o.data[i] = part.data
		}
		// Relocation fills these once and nobody writes them again.
		if s.Name == ".data.rel.ro" || len(s.Name) > 13 && s.Name[:13] == ".data.rel.ro." {
			part.write = false
		}
		o.addrs[i] = l.next
		l.next += s.Size
		code = code || part.exec && s.Size > 0
		l.image.segments = append(l.image.segments, part)
		if s.Name == ".text" {
			l.image.files = append(l.image.files, memberFile{file: file, bias: part.addr, text: part.size})
		}
	}
	for _, s := range file.Sections {
		if !code && len(s.Name) > 9 && s.Name[:9] == ".gnu.lto_" {
			return nil, errors.New("compiled with -flto: the object holds no machine code; compile with -ffat-lto-objects or without -flto")
		}
	}
	symbols, err := file.Symbols()
	if err != nil && !errors.Is(err, elf.ErrNoSymbols) {
		return nil, fmt.Errorf("symbols: %w", err)
	}
	o.symbols = symbols
	return o, nil
}

// declare enters an object's definitions.
func (l *linker) declare(o *object) {
	for i := range o.symbols {
		s := &o.symbols[i]
		bind, kind := elf.ST_BIND(s.Info), elf.ST_TYPE(s.Info)
		if s.Section == elf.SHN_COMMON {
			if l.common[s.Name] == 0 {
				l.next = (l.next + 63) &^ 31
				if s.Size > limit || l.next+s.Size > limit {
					continue
				}
				l.common[s.Name] = l.next
				l.image.segments = append(l.image.segments, segment{addr: l.next, size: s.Size, write: true})
				l.globals[s.Name] = Symbol{Name: s.Name, Addr: l.next, Size: s.Size, Object: true, Global: true}
				l.image.Symbols = append(l.image.Symbols, l.globals[s.Name])
				l.next += s.Size
			}
			continue
		}
		addr, ok := o.address(s)
		if !ok || s.Name == "" || kind > elf.STT_FUNC && kind != elf.STT_GNU_IFUNC || kind == elf.STT_NOTYPE && bind == elf.STB_LOCAL {
			continue
		}
		section := o.file.Sections[s.Section]
		exec := section.Flags&elf.SHF_EXECINSTR != 0
		symbol := Symbol{Name: s.Name, Addr: addr, Size: s.Size, Func: exec && kind != elf.STT_OBJECT, IFunc: kind == elf.STT_GNU_IFUNC,
			Global: bind != elf.STB_LOCAL, Weak: bind == elf.STB_WEAK}
		symbol.Object = !symbol.Func
		symbol.Exported = symbol.Global && elf.ST_VISIBILITY(s.Other) != elf.STV_HIDDEN
		if symbol.Global {
			if old, ok := l.globals[s.Name]; !ok || old.Weak && !symbol.Weak {
				l.globals[s.Name] = symbol
			}
		}
		l.image.Symbols = append(l.image.Symbols, symbol)
	}
}

// address gives where a defined symbol lies.
func (o *object) address(s *elf.Symbol) (uint64, bool) {
	i := int(s.Section)
	if i <= 0 || i >= len(o.addrs) || o.addrs[i] == 0 {
		return 0, false
	}
	return o.addrs[i] + s.Value, true
}

// resolve gives the address that a relocation against a symbol uses, and its
// name when another file has to define it.
func (l *linker) resolve(o *object, index uint32) (addr uint64, imported string, ifunc, ok bool) {
	if index == 0 {
		return 0, "", false, true
	}
	if int(index) > len(o.symbols) {
		return 0, "", false, false
	}
	s := &o.symbols[index-1]
	if elf.ST_BIND(s.Info) != elf.STB_LOCAL {
		if def, ok := l.globals[s.Name]; ok {
			return def.Addr, "", def.IFunc, true
		}
	}
	if s.Section == elf.SHN_UNDEF {
		if s.Name == "" {
			return 0, "", false, false
		}
		at, have := l.imports[s.Name]
		if !have {
			at = l.importBase + importStep*uint64(len(l.imports))
			if at >= l.tableBase {
				return 0, "", false, false
			}
			l.imports[s.Name] = at
			l.image.Imports[at] = s.Name
		}
		if elf.ST_BIND(s.Info) == elf.STB_WEAK {
			l.image.Weak[s.Name] = struct{}{}
		}
		return at, s.Name, false, true
	}
	if s.Section == elf.SHN_ABS {
		return s.Value, "", false, true
	}
	addr, ok = o.address(s)
	return addr, "", elf.ST_TYPE(s.Info) == elf.STT_GNU_IFUNC, ok
}

// slot gives the address of the global offset table's word for a symbol.
func (l *linker) slot(addr uint64, imported string, ifunc bool) uint64 {
	key := imported
	if key == "" {
		key = fmt.Sprintf("=%x", addr)
	}
	at, ok := l.slots[key]
	if !ok {
		at = l.tableBase + uint64(len(l.table))
		l.slots[key] = at
		l.table = binary.LittleEndian.AppendUint64(l.table, addr)
		l.image.Pointers[at] = Pointer{Addr: addr, Name: imported, IFunc: ifunc, Final: true}
	}
	return at
}

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
