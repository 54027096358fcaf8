package read

import (
	"cmp"
	"debug/elf"
	"fmt"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/wherrygo/wherry/internal/printable"
	"github.com/wherrygo/wherry/internal/read/arm64"
	image "github.com/wherrygo/wherry/internal/read/elf"
	"github.com/wherrygo/wherry/internal/read/flow"
	"github.com/wherrygo/wherry/internal/read/machine"
	"github.com/wherrygo/wherry/internal/read/x86"
)

// Files are those of a program: one, and the libraries that it needs.
type Files struct {
	Arch    machine.Arch
	List    []*File  // in the order in which names are looked up in them
	Missing []string // libraries that were not found
	path    []string // folders to look in for libraries first
}

// A File is one of them.
type File struct {
	*image.Image
	Index  int
	System bool // of the C library's family: what is known of its functions holds
	asked  map[string]bool

	results flow.Results
}

// newFiles returns a file without those that it needs. They are looked for in the folders
// of path first.
func newFiles(m *image.Image, path []string) *Files {
	f := &Files{path: path}
	switch m.Machine {
	case elf.EM_X86_64:
		f.Arch = x86.Arch{}
	case elf.EM_AARCH64:
		f.Arch = arm64.Arch{}
	}
	f.add(m)
	return f
}

// resolve adds the libraries that the file needs, as the dynamic linker does.
func (f *Files) resolve() {
	for i := 0; i < len(f.List); i++ { // breadth first, as the dynamic linker searches
		for _, name := range f.List[i].Needed {
			f.need(f.List[i], name)
		}
	}
}

func (f *Files) add(m *image.Image) *File {
	file := &File{Image: m, Index: len(f.List), System: isSystem(m), asked: map[string]bool{}, results: flow.Results{}}
	f.List = append(f.List, file)
	return file
}

// systemLibraries are those whose functions are known by name.
var systemLibraries = []string{"libc.so.*", "libc.so", "libm.so.*", "libpthread.so.*", "libdl.so.*", "librt.so.*", "ld-linux*",
	"libstdc++.so.*", "libgcc_s.so.*", "libmvec.so.*"}

func isSystem(m *image.Image) bool {
	name := m.Soname
	if name == "" {
		name = filepath.Base(m.Path)
	}
	// A static executable has the C library inside.
	return matches(systemLibraries, name) || m.Kind == image.Executable && m.Find("__libc_start_main", "") != nil
}

// matches reports whether a name matches one of well-formed globs.
func matches(globs []string, name string) bool {
	return slices.ContainsFunc(globs, func(glob string) bool { ok, _ := path.Match(glob, name); return ok })
}

// need loads a library that a file asks for, unless it is there.
func (f *Files) need(by *File, name string) {
	for _, l := range f.List {
		if l.Soname == name || l.Path == name || l.asked[name] {
			return
		}
	}
	for _, file := range f.candidates(by, name) {
		m, err := image.Open(file)
		if err != nil || m.Machine != f.List[0].Machine {
			continue
		}
		for _, l := range f.List {
			if m.Soname != "" && l.Soname == m.Soname {
				l.asked[name] = true
				return
			}
		}
		f.add(m).asked[name] = true
		return
	}
	if name = printable.Line(name); !slices.Contains(f.Missing, name) {
		f.Missing = append(f.Missing, name)
	}
}

// lookup finds a function's name as the dynamic linker does: in the first file that
// defines it.
func (f *Files) lookup(name, version string) (*File, *image.Symbol) {
	for _, l := range f.List {
		if s := l.Find(name, version); s != nil && s.Func {
			return l, s
		}
	}
	return nil, nil
}

// IsPart reports whether what starts at addr has no name of its own, or one that makes it a
// part of another function.
func (l *File) IsPart(addr uint64) bool {
	s := l.At(addr)
	return s == nil || isPartName(s.Name)
}

// isPartName reports whether compilers give such names to parts of other functions.
func isPartName(name string) bool {
	return strings.HasSuffix(name, ".cold") || strings.Contains(name, ".cold.")
}

// Pointer returns what the word at addr points to for all of the program's life.
func (l *File) Pointer(addr uint64) (flow.Target, bool) {
	p, ok := l.Pointers[addr]
	if ok && (p.Final || !l.Writable(addr)) {
		return flow.Target{Addr: p.Addr, Name: p.Name, Version: p.Version, IFunc: p.IFunc}, true
	}
	return flow.Target{}, false
}

// local returns the first function of a name, a local one too, or nil.
func (l *File) local(name string) *image.Symbol {
	i := slices.IndexFunc(l.Symbols, func(s image.Symbol) bool { return s.Func && s.Name == name })
	if i < 0 {
		return nil
	}
	return &l.Symbols[i]
}

// starts returns where functions start, by symbols and by unwind information.
func (l *File) starts() []uint64 {
	found := map[uint64]bool{}
	for i := range l.Frames {
		found[l.Frames[i].Start] = true
	}
	for i := range l.Symbols {
		if s := &l.Symbols[i]; s.Func {
			found[s.Addr] = !isPartName(s.Name)
		}
	}
	maps.DeleteFunc(found, func(addr uint64, whole bool) bool { return !whole || l.Code(addr) == nil })
	return slices.Sorted(maps.Keys(found))
}

// describe names a function, if only by the file that it is of.
func (l *File) describe(addr uint64) string {
	if name := plainest(l.Names(addr)); name != "" {
		return name
	}
	return fmt.Sprintf("a function of %s (at %#x)", filepath.Base(l.Path), addr)
}

// plainest returns the name of several that people know, whichever a call uses:
// malloc rather than __libc_malloc.
func plainest(names []string) string {
	if len(names) == 0 {
		return ""
	}
	return slices.MinFunc(names, func(a, b string) int {
		hidden := func(s string) int { return len(s) - len(strings.TrimLeft(s, "_")) }
		return cmp.Or(hidden(a)-hidden(b), len(a)-len(b), strings.Compare(a, b))
	})
}

// Functions names the functions of the first file, local ones too.
func (f *Files) Functions() []string {
	var names []string
	root := f.List[0]
	for i := range root.Symbols {
		s := &root.Symbols[i]
		if s.Func && !s.Hidden && !isPartName(s.Name) {
			names = append(names, s.Name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}
