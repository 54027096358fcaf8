package check

import (
	"debug/elf"
	"errors"
	"path/filepath"
	"slices"
	"strings"

	"github.com/wherrygo/wherry/internal/printable"
	"github.com/wherrygo/wherry/internal/read/arm64"
	image "github.com/wherrygo/wherry/internal/read/elf"
	"github.com/wherrygo/wherry/internal/read/machine"
	"github.com/wherrygo/wherry/internal/read/x86"
)

// Options change how a program is judged. The zero value is right for most.
type Options struct {
	// Annotations are the user's facts. They come before the defaults.
	Annotations []*Annotations
	// NoDefaults leaves out the facts about the C library that ship with this
	// package, so that its code is read instead.
	NoDefaults bool
	// LibraryPath are folders to look for shared libraries in, before those
	// of the system.
	LibraryPath []string
	// Libraries are shared libraries that the file needs though it does not
	// say so: those that an object or an archive will be linked with. Files,
	// or names such as libm.so.6. Objects always get the C
	// library and the compiler's.
	Libraries []string
	// Progress is called now and then with how many functions were read and
	// how many are known to be left.
	Progress func(done, left int)
}

// A Program is a file with the libraries that it needs, ready to be judged.
// It may not be used by several goroutines at once.
type Program struct {
	options Options
	arch    machine.Arch
	images  []*loaded
	nodes   map[place]*node
	byName  map[string]*node // functions whose code is nowhere
	work    []*node
	done    int
	missing []string
	solved  bool
	order   []*node // callees first
	next    [classes]map[*node]*step
}

// Open loads an executable, a shared library, an object or an archive, and
// the libraries that it needs. A library that is not found is no error;
// what is called in it is of class Unresolved.
func Open(file string, options Options) (*Program, error) {
	m, err := image.Open(file)
	if err != nil {
		return nil, err
	}
	return newProgram(m, options)
}

// OpenObjects loads the objects and archives of one cgo package as one
// program, as the linker would join them. What they are linked with stands in
// the options' Libraries: shared libraries and static ones.
func OpenObjects(files []string, options Options) (*Program, error) {
	if len(files) == 0 {
		return nil, errors.New("check: no objects to open")
	}
	m, err := image.Open(files...)
	if err != nil {
		return nil, err
	}
	return newProgram(m, options)
}

func newProgram(m *image.Image, options Options) (*Program, error) {
	p := alone(m, options)
	for _, name := range options.Libraries {
		if err := p.need(p.images[0], name); err != nil {
			return nil, err
		}
	}
	if m.Kind == image.Object {
		p.need(p.images[0], "libc.so.6")
		p.need(p.images[0], "libgcc_s.so.1") // what compilers call for divisions of 128 bits and the like
	}
	for i := 0; i < len(p.images); i++ { // breadth first, as the dynamic linker searches
		for _, name := range p.images[i].Needed {
			p.need(p.images[i], name)
		}
	}
	return p, nil
}

// alone is a program without its libraries.
func alone(m *image.Image, options Options) *Program {
	p := &Program{options: options, nodes: map[place]*node{}, byName: map[string]*node{}}
	switch m.Machine {
	case elf.EM_X86_64:
		p.arch = x86.Arch{}
	case elf.EM_AARCH64:
		p.arch = arm64.Arch{}
	}
	p.add(m)
	return p
}

// A loaded image knows which facts hold for its functions.
type loaded struct {
	*image.Image
	program *Program
	index   int
	system  bool // of the C library's family: the default facts hold
	asked   map[string]bool
}

func (p *Program) add(m *image.Image) *loaded {
	l := &loaded{Image: m, program: p, index: len(p.images), system: isSystem(m), asked: map[string]bool{}}
	p.images = append(p.images, l)
	return l
}

// systemLibraries are those whose functions the defaults speak of.
var systemLibraries = []string{"libc.so.*", "libc.so", "libm.so.*", "libpthread.so.*", "libdl.so.*", "librt.so.*", "ld-linux*",
	"libstdc++.so.*", "libgcc_s.so.*", "libc.a", "libm.a", "libpthread.a", "libmvec.so.*"}

func isSystem(m *image.Image) bool {
	name := m.Soname
	if name == "" {
		name = filepath.Base(m.Path)
	}
	// A static executable has the C library inside.
	return matches(systemLibraries, name) || m.Kind == image.Executable && m.Find("__libc_start_main", "") != nil
}

// need loads a library that an image asks for, unless it is there.
func (p *Program) need(by *loaded, name string) error {
	for _, l := range p.images {
		if l.Soname == name || l.Path == name || l.asked[name] {
			return nil
		}
	}
	for _, file := range p.candidates(by, name) {
		m, err := image.Open(file)
		if err != nil {
			if strings.Contains(name, "/") {
				return err
			}
			continue
		}
		if m.Machine != p.images[0].Machine {
			continue
		}
		for _, l := range p.images {
			if m.Soname != "" && l.Soname == m.Soname {
				l.asked[name] = true
				return nil
			}
		}
		p.add(m).asked[name] = true
		return nil
	}
	if name = printable.Line(name); !slices.Contains(p.missing, name) {
		p.missing = append(p.missing, name)
	}
	if strings.Contains(name, "/") {
		return errors.New(name + ": no such library")
	}
	return nil
}

// Library is a file that a program was judged with.
type Library struct {
	Path, Soname, BuildID string
	System                bool // of the C library's family
}

func (l *loaded) library() Library { return Library{l.Path, l.Soname, l.BuildID, l.system} }

// Libraries returns the file and the libraries that it needs, in the order in
// which names are looked up in them.
func (p *Program) Libraries() []Library {
	var list []Library
	for _, l := range p.images {
		list = append(list, l.library())
	}
	return list
}

// Missing returns the libraries that were not found.
func (p *Program) Missing() []string { return p.missing }

// BuildID is the identity that the linker gave the file, or empty.
func (p *Program) BuildID() string { return p.images[0].BuildID }

// Functions returns the names of the functions that others can call: the
// dynamic symbols of a library, the global ones of other files.
func (p *Program) Functions() []string { return p.functions(false) }

// AllFunctions returns the names of all functions, local ones too.
func (p *Program) AllFunctions() []string { return p.functions(true) }

func (p *Program) functions(all bool) []string {
	var names []string
	root := p.images[0]
	for i := range root.Symbols {
		s := &root.Symbols[i]
		if !s.Func || s.Hidden || isPartName(s.Name) {
			continue
		}
		if all || s.Global && (root.Kind != image.Library || s.Exported) {
			names = append(names, s.Name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}
