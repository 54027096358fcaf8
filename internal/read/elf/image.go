// Package elf loads executables and shared libraries, as memory with symbols, pointers and
// frames.
package elf

import (
	"bytes"
	"cmp"
	"debug/elf"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"slices"
	"sort"
	"strings"

	"github.com/wherrygo/wherry/internal/read/cfi"
	"github.com/wherrygo/wherry/internal/regular"
)

// An Image is one loaded file.
type Image struct {
	Path    string
	Soname  string
	BuildID string
	Machine elf.Machine
	Kind    Kind
	Needed  []string
	RunPath []string

	Symbols  []Symbol           // definitions, sorted by address
	Pointers map[uint64]Pointer // relocated words, by address
	Frames   []cfi.Frame        // sorted by address

	segments []segment
	changed  []span           // what the dynamic linker writes in a way that is not followed, sorted
	entries  []uint64         // where functions start, sorted
	exports  map[string]int32 // by name the first symbol's index + 1
	sameName []int32          // the next one of the same name, or -1
}

// A Kind is the kind of a file.
type Kind uint8

const (
	Executable Kind = iota
	Library
)

// A Symbol is a definition.
type Symbol struct {
	Name, Version string
	Addr, Size    uint64
	Func, IFunc   bool
	Global        bool
	Weak          bool
	Exported      bool // in the dynamic symbol table
	Hidden        bool // not the default version of its name
}

// A Pointer is what a relocation makes of a word.
type Pointer struct {
	Addr    uint64 // in this image, when Name is empty
	Name    string // a symbol, by the dynamic linker's search
	Version string
	IFunc   bool // Addr is a resolver
	Final   bool // an entry of the global offset table: nothing else writes it
}

type segment struct {
	addr, size  uint64
	data        []byte
	exec, write bool
}

// A span is some bytes of memory.
type span struct{ start, end uint64 }

// maxFile is the largest file that is read.
const maxFile = 1 << 30

// Open loads a file. Its errors begin with the file's name.
func Open(path string) (*Image, error) {
	data, err := regular.Opener(os.OpenFile).Read(path, maxFile) // which may be what an ELF file needs
	if err != nil {
		return nil, err
	}
	return Load(path, data)
}

// Load reads a file's content.
func Load(path string, data []byte) (image *Image, err error) {
	defer func() {
		// debug/elf is not promised to survive every malformed file.
		if r := recover(); r != nil {
			image, err = nil, fmt.Errorf("malformed: %v", r)
		}
		if err != nil {
			err = fmt.Errorf("%s: %w", path, err)
		}
	}()
	if !bytes.HasPrefix(data, []byte(elf.ELFMAG)) {
		return nil, errors.New("not an ELF file")
	}
	file, err := NewFile(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	return linked(path, data, file)
}

// finish sorts and indexes.
func (m *Image) finish() {
	slices.SortStableFunc(m.Symbols, order)
	slices.SortFunc(m.changed, func(a, b span) int { return cmp.Compare(a.start, b.start) })
	m.sortSegments()
	m.exports = make(map[string]int32, len(m.Symbols))
	m.sameName = make([]int32, len(m.Symbols))
	m.entries = make([]uint64, 0, len(m.Symbols)+len(m.Frames))
	for i := len(m.Symbols) - 1; i >= 0; i-- {
		s := &m.Symbols[i]
		if s.Func {
			m.entries = append(m.entries, s.Addr)
		}
		if s.Global {
			m.sameName[i] = m.exports[s.Name] - 1
			m.exports[s.Name] = int32(i) + 1
		}
	}
	for i := range m.Frames {
		m.entries = append(m.entries, m.Frames[i].Start)
	}
	slices.Sort(m.entries)
	m.entries = slices.Compact(m.entries)
}

func (m *Image) sortSegments() {
	slices.SortFunc(m.segments, func(a, b segment) int { return cmp.Compare(a.addr, b.addr) })
}

// order puts symbols by address, and of one address first the names that others know.
func order(a, b Symbol) int {
	rank := func(s *Symbol) (rank int) {
		if !s.Global {
			rank = 2
		}
		if s.Weak {
			rank++
		}
		return rank
	}
	return cmp.Or(cmp.Compare(a.Addr, b.Addr), rank(&a)-rank(&b), strings.Compare(a.Name, b.Name), strings.Compare(a.Version, b.Version))
}

func sortFrames(frames []cfi.Frame) {
	slices.SortStableFunc(frames, func(a, b cfi.Frame) int { return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.End, b.End)) })
}

func (m *Image) segment(addr uint64) *segment {
	i := sort.Search(len(m.segments), func(i int) bool { return m.segments[i].addr > addr }) - 1
	if i < 0 || addr-m.segments[i].addr >= m.segments[i].size {
		return nil
	}
	return &m.segments[i]
}

// Code returns the executable bytes from addr on.
func (m *Image) Code(addr uint64) []byte {
	if s := m.segment(addr); s != nil && s.exec && addr-s.addr < uint64(len(s.data)) {
		return s.data[addr-s.addr:]
	}
	return nil
}

// ReadOnly returns size bytes that do not change while the program runs.
func (m *Image) ReadOnly(addr, size uint64) []byte {
	s := m.segment(addr)
	if s == nil || s.write || m.changes(addr, size) {
		return nil
	}
	start := addr - s.addr
	if start > uint64(len(s.data)) || size > uint64(len(s.data))-start {
		return nil
	}
	return s.data[start : start+size]
}

// changes reports whether the dynamic linker writes some of these bytes.
func (m *Image) changes(addr, size uint64) bool {
	// They do not overlap but where a file is malformed: the last that begins
	// in front of the end is the one.
	i := sort.Search(len(m.changed), func(i int) bool { return m.changed[i].start >= addr+size }) - 1
	return i >= 0 && m.changed[i].end > addr
}

// Writable reports whether a program may change the byte at addr.
func (m *Image) Writable(addr uint64) bool {
	s := m.segment(addr)
	return s == nil || s.write
}

// Holds reports whether there is something at an address.
func (m *Image) Holds(addr uint64) bool { return m.segment(addr) != nil }

// IsEntry reports whether a function or a frame starts at addr.
func (m *Image) IsEntry(addr uint64) bool {
	_, ok := slices.BinarySearch(m.entries, addr)
	return ok
}

// Bounds returns where the function or part of one that starts at addr ends.
func (m *Image) Bounds(addr uint64) (end uint64) {
	if s := m.At(addr); s != nil && s.Size > 0 {
		end = addr + s.Size
	}
	if f := m.Frame(addr); f != nil && f.Start == addr && f.End > end {
		end = f.End
	}
	if end == 0 {
		i, _ := slices.BinarySearch(m.entries, addr+1)
		if i < len(m.entries) {
			end = m.entries[i]
		}
	}
	if s := m.segment(addr); s != nil && (end <= addr || end > s.addr+s.size) {
		end = s.addr + s.size
	}
	return end
}

// At returns the best known function symbol at exactly addr, or nil.
func (m *Image) At(addr uint64) *Symbol {
	i := sort.Search(len(m.Symbols), func(i int) bool { return m.Symbols[i].Addr >= addr })
	for ; i < len(m.Symbols) && m.Symbols[i].Addr == addr; i++ {
		if m.Symbols[i].Func {
			return &m.Symbols[i]
		}
	}
	return nil
}

// Names returns all names of the function at addr.
func (m *Image) Names(addr uint64) []string {
	var names []string
	i := sort.Search(len(m.Symbols), func(i int) bool { return m.Symbols[i].Addr >= addr })
	for ; i < len(m.Symbols) && m.Symbols[i].Addr == addr; i++ {
		if m.Symbols[i].Func {
			names = append(names, m.Symbols[i].Name)
		}
	}
	return names
}

// Near names an address by the symbol that it lies in: "sqlite3Config+0x80".
func (m *Image) Near(addr uint64) string {
	i := sort.Search(len(m.Symbols), func(i int) bool { return m.Symbols[i].Addr > addr }) - 1
	for j := i; j >= 0 && j > i-64; j-- {
		s := &m.Symbols[j]
		switch {
		case addr == s.Addr:
			return s.Name
		case addr-s.Addr < s.Size:
			return fmt.Sprintf("%s+%#x", s.Name, addr-s.Addr)
		}
	}
	return ""
}

// Frame returns the frame that covers addr, or nil.
func (m *Image) Frame(addr uint64) *cfi.Frame {
	i := sort.Search(len(m.Frames), func(i int) bool { return m.Frames[i].Start > addr }) - 1
	if i >= 0 && addr < m.Frames[i].End {
		return &m.Frames[i]
	}
	return nil
}

// Find returns a global definition by name; version may be empty.
func (m *Image) Find(name, version string) *Symbol {
	var best *Symbol
	for i := m.exports[name] - 1; i >= 0; i = m.sameName[i] {
		s := &m.Symbols[i]
		switch {
		case version != "" && s.Version == version:
			return s
		case version != "" && s.Version != "" || s.Hidden:
		case best == nil || best.Weak && !s.Weak:
			best = s
		}
	}
	return best
}

// buildID reads the note that linkers leave.
func buildID(file *elf.File) string {
	section := file.Section(".note.gnu.build-id")
	if section == nil || section.Type != elf.SHT_NOTE || section.FileSize > 1<<10 {
		return ""
	}
	data, err := section.Data()
	if err != nil || len(data) < 16 {
		return ""
	}
	return hex.EncodeToString(data[16:])
}
