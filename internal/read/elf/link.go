package elf

import (
	"debug/elf"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"

	"github.com/wherrygo/wherry/internal/read/cfi"
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
	m := &Image{Path: path, Kind: Object, Pointers: map[uint64]Pointer{}, Imports: map[uint64]string{},
		Odd: map[uint64]string{}, Replaced: map[uint64]struct{}{}}
	l := &linker{image: m, next: base, globals: map[string]Symbol{}, imports: map[string]uint64{}, slots: map[string]uint64{},
		common: map[string]uint64{}}
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
				m.Frames = append(m.Frames, cfi.Parse(o.data[i], o.addrs[i])...)
			}
		}
	}
	sortFrames(m.Frames)
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
	return fmt.Errorf("member %q: %w", name, err)
}

// place gives the sections of one object their addresses.
func (l *linker) place(file *elf.File, data []byte) (*object, error) {
	o := &object{file: file, addrs: make([]uint64, len(file.Sections)), data: make([][]byte, len(file.Sections))}
	code := false
	for i, s := range file.Sections {
		if s.Flags&elf.SHF_ALLOC == 0 {
			continue
		}
		align := max(s.Addralign, 16)
		if align&(align-1) != 0 || align > 1<<20 {
			return nil, fmt.Errorf("malformed: section %q wants alignment %d", s.Name, s.Addralign)
		}
		l.next = (l.next + 16 + align - 1) &^ (align - 1)
		if s.Size > limit || l.next+s.Size > limit {
			return nil, errTooLarge
		}
		part := segment{addr: l.next, size: s.Size, exec: s.Flags&elf.SHF_EXECINSTR != 0, write: s.Flags&elf.SHF_WRITE != 0}
		if s.Type != elf.SHT_NOBITS {
			if s.Offset > uint64(len(data)) || s.FileSize > uint64(len(data))-s.Offset || s.FileSize != s.Size {
				return nil, fmt.Errorf("truncated: section %q ends behind the file", s.Name)
			}
			part.data = append([]byte(nil), data[s.Offset:s.Offset+s.FileSize]...)
			o.data[i] = part.data
		}
		// Relocation fills these once and nobody writes them again.
		if s.Name == ".data.rel.ro" || strings.HasPrefix(s.Name, ".data.rel.ro.") {
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
		if !code && strings.HasPrefix(s.Name, ".gnu.lto_") {
			return nil, errors.New("compiled with -flto: the object holds no machine code; compile with -ffat-lto-objects or without -flto")
		}
	}
	symbols, err := named(file.Symbols())
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
				l.globals[s.Name] = Symbol{Name: s.Name, Addr: l.next, Size: s.Size, Global: true}
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
		symbol.Exported = symbol.Global && elf.ST_VISIBILITY(s.Other) != elf.STV_HIDDEN
		if symbol.Func && symbol.Weak && section.Flags&elf.SHF_GROUP == 0 { // in groups, which are C++'s, all definitions are the same
			l.image.Replaced[addr] = struct{}{}
		}
		if symbol.Global {
			if old, ok := l.globals[s.Name]; !ok || old.Weak && !symbol.Weak {
				l.globals[s.Name] = symbol
			}
		}
		l.image.Symbols = append(l.image.Symbols, symbol)
	}
}

// address returns where a defined symbol lies.
func (o *object) address(s *elf.Symbol) (uint64, bool) {
	i := int(s.Section)
	if i <= 0 || i >= len(o.addrs) || o.addrs[i] == 0 {
		return 0, false
	}
	return o.addrs[i] + s.Value, true
}

// resolve returns the address that a relocation against a symbol uses, and its
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
		return at, s.Name, false, true
	}
	if s.Section == elf.SHN_ABS {
		return s.Value, "", false, true
	}
	addr, ok = o.address(s)
	return addr, "", elf.ST_TYPE(s.Info) == elf.STT_GNU_IFUNC, ok
}

// slot returns the address of the global offset table's word for a symbol.
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
