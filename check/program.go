package check

import (
	"errors"

	"github.com/wherrygo/wherry/internal/read"
	image "github.com/wherrygo/wherry/internal/read/elf"
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
	files   *read.Files
	options Options
	nodes   map[place]*node
	byName  map[string]*node // functions whose code is nowhere
	work    []*node
	done    int
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
	if err := p.files.Resolve(options.Libraries); err != nil {
		return nil, err
	}
	return p, nil
}

// alone is a program without its libraries.
func alone(m *image.Image, options Options) *Program {
	return &Program{files: read.NewFiles(m, options.LibraryPath), options: options, nodes: map[place]*node{}, byName: map[string]*node{}}
}

// Library is a file that a program was judged with.
type Library struct {
	Path, Soname, BuildID string
	System                bool // of the C library's family
}

func library(l *read.File) Library { return Library{l.Path, l.Soname, l.BuildID, l.System} }

// Libraries returns the file and the libraries that it needs, in the order in
// which names are looked up in them.
func (p *Program) Libraries() []Library {
	var list []Library
	for _, l := range p.files.List {
		list = append(list, library(l))
	}
	return list
}

// Missing returns the libraries that were not found.
func (p *Program) Missing() []string { return p.files.Missing }

// BuildID is the identity that the linker gave the file, or empty.
func (p *Program) BuildID() string { return p.files.List[0].BuildID }

// Functions returns the names of the functions that others can call: the
// dynamic symbols of a library, the global ones of other files.
func (p *Program) Functions() []string { return p.files.Functions(false) }

// AllFunctions returns the names of all functions, local ones too.
func (p *Program) AllFunctions() []string { return p.files.Functions(true) }
