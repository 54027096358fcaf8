package elf

import (
	"debug/elf"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"

	"github.com/wherrygo/wherry/internal/read/cfi"
)

// linked loads an executable or a shared library.
func linked(path string, data []byte, file *elf.File) (*Image, error) {
	m := &Image{Path: path, Machine: file.Machine, Kind: Executable, BuildID: buildID(file),
		Pointers: map[uint64]Pointer{}}
	switch file.Type {
	case elf.ET_EXEC:
	case elf.ET_DYN:
		m.Kind = Library
		for _, p := range file.Progs {
			if p.Type == elf.PT_INTERP && file.Entry != 0 {
				m.Kind = Executable
			}
		}
	default:
		return nil, fmt.Errorf("ELF file of type %v; want an executable or a library", file.Type)
	}
	var relroStart, relroEnd uint64
	for _, p := range file.Progs {
		switch p.Type {
		case elf.PT_GNU_RELRO:
			relroStart, relroEnd = p.Vaddr, p.Vaddr+p.Memsz
		case elf.PT_LOAD:
			if p.Off > uint64(len(data)) || p.Filesz > uint64(len(data))-p.Off {
				return nil, fmt.Errorf("truncated: a segment ends at byte %d of %d", p.Off+p.Filesz, len(data))
			}
			if p.Memsz < p.Filesz || p.Vaddr+p.Memsz < p.Vaddr {
				return nil, errors.New("malformed: a segment is smaller in memory than in the file")
			}
			m.segments = append(m.segments, segment{addr: p.Vaddr, size: p.Memsz, data: data[p.Off : p.Off+p.Filesz],
				exec: p.Flags&elf.PF_X != 0, write: p.Flags&elf.PF_W != 0})
		}
	}
	if len(m.segments) == 0 {
		return nil, errors.New("has nothing to load")
	}
	m.splitRelro(relroStart, relroEnd)
	m.sortSegments()
	if err := m.dynamic(file); err != nil {
		return nil, err
	}
	if err := m.symbols(file); err != nil {
		return nil, err
	}
	for _, s := range file.Sections {
		if s.Name == ".eh_frame" && s.Type != elf.SHT_NOBITS && s.Offset <= uint64(len(data)) && s.FileSize <= uint64(len(data))-s.Offset {
			m.Frames = cfi.Parse(data[s.Offset:s.Offset+s.FileSize], s.Addr)
		}
	}
	sortFrames(m.Frames)
	m.finish()
	return m, nil
}

// splitRelro makes the part of a writable segment that the dynamic linker
// protects after relocation a read-only segment of its own.
func (m *Image) splitRelro(start, end uint64) {
	if start >= end {
		return
	}
	for i := range m.segments {
		s := m.segments[i]
		if !s.write || start < s.addr || start >= s.addr+s.size {
			continue
		}
		end = min(end, s.addr+s.size)
		cut := func(from, to uint64) segment {
			part := s
			part.addr, part.size = from, to-from
			a, b := min(from-s.addr, uint64(len(s.data))), min(to-s.addr, uint64(len(s.data)))
			part.data = s.data[a:b]
			return part
		}
		relro := cut(start, end)
		relro.write = false
		m.segments[i] = relro
		for _, rest := range []segment{cut(s.addr, start), cut(end, s.addr+s.size)} {
			if rest.size > 0 {
				m.segments = append(m.segments, rest)
			}
		}
		return
	}
}

func (m *Image) dynamic(file *elf.File) error {
	if file.SectionByType(elf.SHT_DYNAMIC) == nil {
		return nil
	}
	m.Needed, _ = file.DynString(elf.DT_NEEDED)
	if names, _ := file.DynString(elf.DT_SONAME); len(names) > 0 {
		m.Soname = names[0]
	}
	for _, tag := range []elf.DynTag{elf.DT_RUNPATH, elf.DT_RPATH} {
		if paths, _ := file.DynString(tag); len(paths) > 0 && m.RunPath == nil {
			m.RunPath = strings.Split(paths[0], ":")
		}
	}
	dynsyms, err := named(file.DynamicSymbols())
	if err != nil && !errors.Is(err, elf.ErrNoSymbols) {
		return fmt.Errorf("dynamic symbols: %w", err)
	}
	for i := range dynsyms {
		if s := &dynsyms[i]; s.Section != elf.SHN_UNDEF {
			m.define(s, true)
		}
	}
	for _, section := range file.Sections {
		const packed = 19 // DT_RELR: relative relocations; the addends are in place
		if section.Flags&elf.SHF_ALLOC == 0 || section.Type != elf.SHT_RELA && section.Type != packed {
			continue
		}
		data, err := section.Data()
		if err != nil {
			return fmt.Errorf("section %q: %w", section.Name, err)
		}
		if section.Type == packed {
			m.relative(data)
		} else {
			m.relocate(data, dynsyms)
		}
	}
	return nil
}

// What relocations of linked files make of a word.
const (
	other     = iota
	word      // a symbol's address
	got       // the same, in a table that nothing else writes
	relative  // an address of the file
	irelative // what a resolver returns
	copied    // a variable's content
	described // two words for a thread-local variable
)

var x86Kinds = map[elf.R_X86_64]int{elf.R_X86_64_64: word, elf.R_X86_64_GLOB_DAT: got, elf.R_X86_64_JMP_SLOT: got,
	elf.R_X86_64_RELATIVE: relative, elf.R_X86_64_IRELATIVE: irelative, elf.R_X86_64_COPY: copied, elf.R_X86_64_TLSDESC: described}

var arm64Kinds = map[elf.R_AARCH64]int{elf.R_AARCH64_ABS64: word, elf.R_AARCH64_GLOB_DAT: got, elf.R_AARCH64_JUMP_SLOT: got,
	elf.R_AARCH64_RELATIVE: relative, elf.R_AARCH64_IRELATIVE: irelative, elf.R_AARCH64_COPY: copied, elf.R_AARCH64_TLSDESC: described}

func (m *Image) relocate(data []byte, symbols []elf.Symbol) {
	for ; len(data) >= 24; data = data[24:] {
		at := binary.LittleEndian.Uint64(data)
		info := binary.LittleEndian.Uint64(data[8:])
		addend := binary.LittleEndian.Uint64(data[16:])
		index := info >> 32
		p := Pointer{}
		kind := x86Kinds[elf.R_X86_64(uint32(info))]
		if m.Machine == elf.EM_AARCH64 {
			kind = arm64Kinds[elf.R_AARCH64(uint32(info))]
		}
		switch kind {
		case relative:
			p.Addr = addend
		case irelative:
			p.Addr, p.IFunc, p.Final = addend, true, true
		case word, got:
			if index == 0 || index > uint64(len(symbols)) {
				continue
			}
			s := &symbols[index-1]
			p.Final = kind == got
			if elf.ST_BIND(s.Info) == elf.STB_LOCAL && s.Section != elf.SHN_UNDEF {
				p.Addr = s.Value + addend
				p.IFunc = elf.ST_TYPE(s.Info) == elf.STT_GNU_IFUNC
			} else {
				p.Name, p.Version = s.Name, s.Version
			}
		default: // thread-local offsets and descriptors, copies: never code
			size := uint64(8)
			if kind == described {
				size = 16
			} else if kind == copied && index > 0 && index <= uint64(len(symbols)) {
				size = max(size, symbols[index-1].Size)
			}
			m.changed = append(m.changed, span{at, at + size})
			continue
		}
		m.Pointers[at] = p
	}
}

// relative unpacks DT_RELR: an even word is an address, an odd one a bit map
// of the 63 words behind it.
func (m *Image) relative(data []byte) {
	var next uint64
	note := func(at uint64) {
		if s := m.segment(at); s != nil && at-s.addr+8 <= uint64(len(s.data)) {
			m.Pointers[at] = Pointer{Addr: binary.LittleEndian.Uint64(s.data[at-s.addr:])}
		}
	}
	for ; len(data) >= 8; data = data[8:] {
		word := binary.LittleEndian.Uint64(data)
		if word&1 == 0 {
			note(word)
			next = word + 8
			continue
		}
		for i, bits := uint64(0), word>>1; bits != 0; i, bits = i+1, bits>>1 {
			if bits&1 != 0 {
				note(next + i*8)
			}
		}
		next += 63 * 8
	}
}

// symbols adds the static symbol table, where there is one.
func (m *Image) symbols(file *elf.File) error {
	symbols, err := named(file.Symbols())
	if errors.Is(err, elf.ErrNoSymbols) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("symbols: %w", err)
	}
	type key struct {
		name string
		addr uint64
	}
	have := map[key]struct{}{}
	for i := range m.Symbols {
		have[key{m.Symbols[i].Name, m.Symbols[i].Addr}] = struct{}{}
	}
	for i := range symbols {
		s := &symbols[i]
		name, _, _ := strings.Cut(s.Name, "@")
		if _, ok := have[key{name, s.Value}]; !ok && s.Section != elf.SHN_UNDEF {
			m.define(s, false)
		}
	}
	return nil
}

// define adds a symbol when it names code or data.
func (m *Image) define(s *elf.Symbol, dynamic bool) {
	kind, bind := elf.ST_TYPE(s.Info), elf.ST_BIND(s.Info)
	switch kind {
	case elf.STT_FUNC, elf.STT_GNU_IFUNC, elf.STT_OBJECT:
	case elf.STT_NOTYPE:
		// Assembly without types; mapping symbols and labels are not wanted.
		if s.Name == "" || bind == elf.STB_LOCAL {
			return
		}
	default:
		return
	}
	if s.Section == elf.SHN_ABS || s.Section == elf.SHN_UNDEF {
		return
	}
	segment := m.segment(s.Value)
	executable := segment != nil && segment.exec
	symbol := Symbol{Name: s.Name, Version: s.Version, Addr: s.Value, Size: s.Size,
		Global: bind != elf.STB_LOCAL, Weak: bind == elf.STB_WEAK, Exported: dynamic}
	symbol.IFunc = kind == elf.STT_GNU_IFUNC
	symbol.Func = kind != elf.STT_OBJECT && executable
	if dynamic {
		symbol.Hidden = s.HasVersion && s.VersionIndex.IsHidden()
	}
	m.Symbols = append(m.Symbols, symbol)
}
