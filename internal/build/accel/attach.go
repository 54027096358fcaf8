package accel

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/wherrygo/wherry/internal/crossing"
	"github.com/wherrygo/wherry/internal/crossing/abi"
	"github.com/wherrygo/wherry/internal/crossing/enter"
	"github.com/wherrygo/wherry/internal/crossing/stat"
)

// What calls and callbacks share is not added to the package's own C files, whose
// macros could break it, but compiled beside them: the C of package crossing and the assembly
// with the C compiler, and with Go's assembler the functions that Go's unwinder has
// to know. Both objects go into the package's archive, and the package's stubs are a
// third. Symbols are weak, since several packages have them.

// A unit is one object that is added to a package's archive.
type unit struct {
	what   string // for errors
	name   string // of the file: at most 16 bytes with its ending, for the archive
	by     translator
	needed func(*plan) bool
	source func(*Config, *plan, *translation) error
}

// OwnPrefix begins the names of wherry's own C files in the folder of a package's objects.
const OwnPrefix = "wherry_"

var units = []unit{
	{"calls", strings.TrimSuffix(callsMember, ".o"), cCompiler, (*plan).crosses, (*Config).callsSource},
	{"turning", OwnPrefix + "go", goAssembler, (*plan).crosses, (*Config).turningSource},
	{"counters", OwnPrefix + "count", cCompiler, func(p *plan) bool { return p.Counted },
		func(_ *Config, _ *plan, t *translation) error { t.source = stat.Source; return nil }},
	{"stubs", OwnPrefix + "stubs", cCompiler, func(p *plan) bool { return len(p.stubs) > 0 }, (*Config).stubsSource},
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
		t := translation{by: u.by, what: u.what, file: filepath.Join(filepath.Dir(line.archive), u.name)}
		err := u.source(c, p, &t)
		if err == nil {
			err = c.translate(t, line)
		}
		if err != nil {
			return err
		}
		content, err := os.ReadFile(t.file + ".o")
		if err != nil {
			return fmt.Errorf("accel: %w", err)
		}
		members = append(members, member{u.name + ".o", content})
	}
	return appendMembers(line.archive, members)
}

// callsSource is the C of package crossing with the assembly that all packages share.
func (c *Config) callsSource(_ *plan, t *translation) (err error) {
	target := c.target()
	if t.beside, err = target.Files(); err != nil {
		return err
	}
	lines, err := enter.Shared(c.GoArch, enter.Numbers(c.Offsets), target.Lends())
	if err != nil {
		return err
	}
	start := enter.Stub{Symbol: "_wherry_call_start", Target: "_wherry_start", Integers: 1, Name: "start", Package: "wherry",
		Flags: abi.Always | abi.NoCallback, Shared: true}
	more, err := start.Assembly(c.GoArch, enter.Numbers(c.Offsets))
	t.flags, t.source = target.Flags(), "#include \""+crossing.Main+"\"\n"+asm(append(lines, more...))
	return err
}

func (c *Config) turningSource(_ *plan, t *translation) (err error) {
	t.beside = map[string]string{"go_asm.h": c.Offsets.Header("const_")} // as if the compiler had written it for the package
	if c.target().Lends() {
		t.flags = []string{"-D", "LENDS"}
	}
	t.source, err = crossing.Frames(c.GoArch)
	return err
}

func (c *Config) stubsSource(p *plan, t *translation) error {
	var text strings.Builder
	if p.Counted {
		text.WriteString(stat.Declaration)
	}
	for _, stub := range p.stubs {
		if p.Counted {
			stub.Turns = stub.Symbol + "_turns"
			text.WriteString(stat.CountTurns(stub.Turns, p.Package, stub.Name))
		}
		lines, err := stub.Assembly(c.GoArch, enter.Numbers(c.Offsets))
		if err != nil {
			return err
		}
		text.WriteString(asm(lines))
	}
	t.source = text.String()
	return nil
}

func (c *Config) target() crossing.Target {
	return crossing.Target{GOARCH: c.GoArch, Offsets: c.Offsets, Static: c.Static, Wraps: c.Wraps, Counts: c.Count, Hidden: c.Library}
}

// A translator makes an object of a source file.
type translator int

const (
	cCompiler translator = iota
	goAssembler
)

// A translation is one run of a translator.
type translation struct {
	by     translator
	what   string // for errors
	file   string // without its ending, .o for the object
	source string
	beside map[string]string // files that it includes, by their names
	flags  []string
}

// translate writes the source file and runs the compiler or assembler on it. line is that
// of the package's compiler, for the assembler.
func (c *Config) translate(t translation, line *compileCommand) error {
	var command []string
	ending := ".c"
	switch t.by {
	case cCompiler:
		command = slices.Concat(c.CC, []string{"-O2", "-g0", "-std=gnu11", "-fno-lto", "-fPIC", "-pthread", "-c"})
		if c.GoArch == "amd64" {
			command = append(command, "-masm=att")
		}
		if slices.Contains(command, "-fsplit-stack") { // what grows the stack would call itself by way of ours
			command = append(command, "-fno-split-stack")
		}
	case goAssembler:
		ending = ".s"
		command = []string{filepath.Join(c.ToolDir, "asm"), "-p", line.pkg, "-I", filepath.Join(c.GoRoot, "pkg", "include"),
			"-trimpath", filepath.Dir(t.file)}
		if line.shared { // -dynlink is for plugins, which are built plainly
			command = append(command, "-shared")
		}
	}
	if len(t.beside) > 0 {
		folder := t.file + "_files"
		if err := writeFiles(folder, t.beside); err != nil {
			return err
		}
		command = append(command, "-I", folder)
	}
	if err := os.WriteFile(t.file+ending, []byte(t.source), 0o666); err != nil {
		return fmt.Errorf("accel: %w", err)
	}
	command = append(append(command, t.flags...), "-o", t.file+".o", t.file+ending)
	if output, err := exec.Command(command[0], command[1:]...).CombinedOutput(); err != nil {
		return fmt.Errorf("accel: compiling wherry's %s with %s: %w\n%s", t.what, command[0], err, bytes.TrimSpace(output))
	}
	return nil
}

// writeFiles writes files into a folder of their own.
func writeFiles(folder string, files map[string]string) error {
	err := os.MkdirAll(folder, 0o777)
	for name, text := range files {
		if err == nil {
			err = os.WriteFile(filepath.Join(folder, name), []byte(text), 0o666)
		}
	}
	if err != nil {
		return fmt.Errorf("accel: %w", err)
	}
	return nil
}

// What only the linker's __start_ and __stop_ symbols refer to is garbage to lld, which
// zig cc has collect: https://lld.llvm.org/ELF/start-stop-gc. Old assemblers do not know R.
const retain = `#ifndef _WHERRY_RETAIN
#if defined(__clang__) && __clang_major__ >= 13
#define _WHERRY_RETAIN "R"
#else
#define _WHERRY_RETAIN ""
#endif
#endif
`

var retained = strings.NewReplacer(`wherry_text, \"ax`, `wherry_text, \"ax" _WHERRY_RETAIN "`,
	`wherry_calls, \"aw`, `wherry_calls, \"aw" _WHERRY_RETAIN "`)

// asm writes assembly into C text.
func asm(lines []string) string {
	var c strings.Builder
	c.WriteString(retain + "__asm__(\n")
	for _, line := range lines {
		fmt.Fprintf(&c, "\t%s\n", retained.Replace(strconv.Quote(line+"\n")))
	}
	c.WriteString(");\n")
	return c.String()
}
