package accel

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"

	"github.com/wherrygo/wherry/internal/crossing"
	"github.com/wherrygo/wherry/internal/crossing/stat"
)

// What calls and callbacks share is not added to the package's own C files, whose
// macros could break it, but compiled beside them: the C and the assembly of package
// crossing with the C compiler, and with Go's assembler the functions that Go's unwinder has
// to know. These objects go into the package's archive, with the package's stubs.
// Symbols are weak, since several packages have them.

// A unit is one object that is added to a package's archive.
type unit struct {
	what   string // for errors
	name   string // of the file: at most 16 bytes with its ending, for the archive
	by     translator
	shared bool // by all packages of a build
	needed func(*plan) bool
	source func(*Config, *plan, *translation) error
}

// OwnPrefix begins the names of wherry's own C files in the folder of a package's objects.
const OwnPrefix = "wherry_"

var units = []unit{
	{"calls", strings.TrimSuffix(callsMember, ".o"), cCompiler, true, (*plan).crosses, (*Config).callsSource},
	{"assembly", OwnPrefix + "asm", cAssembler, true, (*plan).crosses, (*Config).assemblySource},
	{"turning", OwnPrefix + "go", goAssembler, false, (*plan).crosses, (*Config).turningSource},
	{"counters", OwnPrefix + "count", cCompiler, true, func(p *plan) bool { return p.Counted },
		func(_ *Config, _ *plan, t *translation) error { t.source = stat.Source; return nil }},
	{"counted turns", OwnPrefix + "turns", cCompiler, false, func(p *plan) bool { return p.Counted && len(p.stubs) > 0 },
		(*Config).turnsSource},
	{"stubs", OwnPrefix + "stubs", cAssembler, false, func(p *plan) bool { return len(p.stubs)+len(p.Callbacks) > 0 }, (*Config).stubsSource},
}

// attach compiles what a package needs and adds it, with the report, to the archive that
// compile has just written.
func (c *Config) attach(line *compileCommand, p *plan) error {
	report, err := p.report.member(c.GoArch)
	if err != nil {
		return err
	}
	members := []member{report}
	for _, u := range units {
		if !u.needed(p) {
			continue
		}
		compile := func(file string) error {
			t := translation{by: u.by, what: u.what, file: file, shared: u.shared}
			err := u.source(c, p, &t)
			if err == nil {
				err = c.translate(t, line)
			}
			return err
		}
		file := filepath.Join(filepath.Dir(line.archive), u.name)
		if u.shared {
			file, err = c.once(u.name, compile)
		} else {
			err = compile(file)
		}
		if err != nil {
			return err
		}
		content, err := os.ReadFile(file + ".o")
		if err != nil {
			return fmt.Errorf("accel: %w", err)
		}
		if u.by == goAssembler {
			content = crossing.MarkCallbacks(content, c.GoArch, c.Offsets["ID_CGOCALLBACK"])
		}
		members = append(members, member{u.name + ".o", content})
	}
	return appendMembers(line.archive, members)
}

// once has an object made that all packages of a build share, and returns its path without
// the ending. It lies beside the configuration.
func (c *Config) once(name string, compile func(file string) error) (string, error) {
	file := filepath.Join(c.dir, name)
	if _, err := os.Stat(file + ".o"); err == nil {
		return file, nil
	}
	own, err := os.MkdirTemp(c.dir, name) // others may be at it
	if err != nil {
		return "", fmt.Errorf("accel: %w", err)
	}
	made := filepath.Join(own, name)
	if err := compile(made); err != nil {
		return "", err
	}
	if err := os.Rename(made+".o", file+".o"); err != nil {
		return "", fmt.Errorf("accel: %w", err)
	}
	return file, nil
}

// callsSource is the C of package crossing. What is often run of it is assembly, and -O1 takes half
// the compiler's time.
func (c *Config) callsSource(_ *plan, t *translation) error {
	err := c.crossing(t, crossing.Main)
	t.flags = append(t.flags, "-O1", "-foptimize-sibling-calls")
	return err
}

// assemblySource is its assembly.
func (c *Config) assemblySource(_ *plan, t *translation) error {
	return c.crossing(t, crossing.Assembly)
}

func (c *Config) crossing(t *translation, file string) (err error) {
	target := c.target()
	t.beside, err = target.Files()
	t.flags, t.source = target.Flags(), "#include \""+file+"\"\n"
	return err
}

func (c *Config) turningSource(_ *plan, t *translation) (err error) {
	t.beside = map[string]string{"go_asm.h": c.Offsets.Header("const_")} // as if the compiler had written it for the package
	if c.target().Holds() {
		t.flags = []string{"-D", "HOLDS"}
	}
	t.source, err = crossing.Frames(c.GoArch)
	return err
}

func (c *Config) stubsSource(p *plan, t *translation) (err error) {
	t.beside, err = c.target().Files()
	maps.DeleteFunc(t.beside, func(name, _ string) bool { return filepath.Ext(name) != ".h" })
	t.source = crossing.Stubs(p.stubs, p.Callbacks)
	return err
}

// turnsSource has the places where turned calls are counted.
func (c *Config) turnsSource(p *plan, t *translation) error {
	t.source = stat.Declaration
	for _, stub := range p.stubs {
		t.source += stat.CountTurns(stub.Turns, p.Package, stub.Name)
	}
	return nil
}

func (c *Config) target() crossing.Target {
	return crossing.Target{GOARCH: c.GoArch, Offsets: c.Offsets, Static: c.Static, Wraps: c.Wraps, Counts: c.Count, Hidden: c.ForHost}
}
