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

	"github.com/wherrygo/wherry/internal/crossing/enter"
	"github.com/wherrygo/wherry/internal/crossing/inflight"
	"github.com/wherrygo/wherry/internal/crossing/stat"
)

// What calls and callbacks share is not added to the package's own C files, whose
// macros could break it, but compiled beside them: package inflight and the assembly
// with the C compiler, and with Go's assembler the functions that Go's unwinder has
// to know. Both objects go into the package's archive, and the package's stubs are a
// third. Symbols are weak, since several packages have them.

const (
	startStub = "_wherry_call_start"
	unitName  = "wherry" // at most 16 bytes with what follows, for the archive
)

// buildUnits compiles what a package needs and adds it to the archive that
// compile has just written.
func (c *Config) buildUnits(archive string, compileArgs []string, p *plan) error {
	dir := filepath.Dir(archive)
	var objects []string
	compileC := func(what, suffix, source string) error {
		object := filepath.Join(dir, unitName+suffix+".o")
		objects = append(objects, object)
		return c.compileC(what, source, object)
	}
	if p.unit() {
		source, err := c.unitSource()
		if err != nil {
			return err
		}
		if err := compileC("calls", "_c", source); err != nil {
			return err
		}
		goSource, err := enter.SharedGo(c.GoArch, c.Offsets, c.target().Lends())
		if err != nil {
			return err
		}
		object := filepath.Join(dir, unitName+"_go.o")
		assemble := []string{c.tool("asm"), "-p", flagValue(compileArgs, "-p"), "-I", filepath.Join(c.GoRoot, "pkg", "include"), "-trimpath", dir}
		if slices.Contains(compileArgs, "-shared") { // -dynlink is for plugins, which are built plainly
			assemble = append(assemble, "-shared")
		}
		if err := translate("turning", assemble, object, filepath.Join(dir, unitName+".s"), strings.Join(goSource, "\n")+"\n"); err != nil {
			return err
		}
		objects = append(objects, object)
	}
	if p.Counted {
		if err := compileC("counters", "_count", stat.Source); err != nil {
			return err
		}
	}
	if len(p.stubs) > 0 {
		var text strings.Builder
		if p.Counted {
			text.WriteString(stat.Declaration)
		}
		for _, stub := range p.stubs {
			if p.Counted {
				stub.Turns = stub.Symbol + "_turns"
				text.WriteString(stat.CountTurns(stub.Turns, p.Package, stub.Name))
			}
			lines, err := stub.Assembly(c.GoArch, c.Offsets)
			if err != nil {
				return err
			}
			text.WriteString(asm(lines))
		}
		if err := compileC("stubs", "_stubs", text.String()); err != nil {
			return err
		}
	}
	return appendMembers(archive, objects...)
}

// compileC compiles C text beside its object.
func (c *Config) compileC(what, source, object string) error {
	compile := slices.Concat(c.CC, []string{"-O2", "-g0", "-fno-lto", "-fPIC", "-pthread", "-c"})
	if c.GoArch == "amd64" {
		compile = append(compile, "-masm=att")
	}
	return translate(what, compile, object, strings.TrimSuffix(object, ".o")+".c", source)
}

// translate writes a source file and runs a compiler or assembler on it.
func translate(what string, command []string, object, file, text string) error {
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		return fmt.Errorf("accel: %w", err)
	}
	command = slices.Concat(command, []string{"-o", object, file})
	if output, err := exec.Command(command[0], command[1:]...).CombinedOutput(); err != nil {
		return fmt.Errorf("accel: compiling wherry's %s with %s: %w\n%s", what, command[0], err, bytes.TrimSpace(output))
	}
	return nil
}

// tool returns the path of one of the go command's tools.
func (c *Config) tool(name string) string { return filepath.Join(c.ToolDir, name) }

func (c *Config) target() inflight.Target {
	return inflight.Target{GOARCH: c.GoArch, Offsets: c.Offsets, Static: c.Static, Wraps: c.Wraps, Counts: c.Count, Hidden: c.Library}
}

func (c *Config) unitSource() (string, error) {
	target := c.target()
	source, err := target.Source()
	if err != nil {
		return "", err
	}
	lines, err := enter.Shared(c.GoArch, c.Offsets, target.Lends())
	if err != nil {
		return "", err
	}
	start := enter.Stub{Symbol: startStub, Target: "_wherry_start", Integers: 1, Name: "start", Package: "wherry", Flags: inflight.Always | inflight.NoCallback, Shared: true}
	more, err := start.Assembly(c.GoArch, c.Offsets)
	if err != nil {
		return "", err
	}
	return source + asm(append(lines, more...)), nil
}

// asm writes assembly into C text.
func asm(lines []string) string {
	var c strings.Builder
	c.WriteString("__asm__(\n")
	for _, line := range lines {
		fmt.Fprintf(&c, "\t%s\n", strconv.Quote(line+"\n"))
	}
	c.WriteString(");\n")
	return c.String()
}

// appendMembers adds files to an archive of the ar format.
func appendMembers(archive string, members ...string) error {
	file, err := os.OpenFile(archive, os.O_APPEND|os.O_RDWR, 0)
	if err != nil {
		return fmt.Errorf("accel: %w", err)
	}
	defer file.Close()
	for _, member := range members {
		content, err := os.ReadFile(member)
		if err != nil {
			return fmt.Errorf("accel: %w", err)
		}
		// name, time, owner, group, mode, size: as go tool pack writes them
		header := fmt.Sprintf("%-16s%-12d%-6d%-6d%-8o%-10d`\n", filepath.Base(member), 0, 0, 0, 0o644, len(content))
		if len(content)%2 != 0 {
			content = append(content, 0) // members begin at even places
		}
		if _, err := file.WriteString(header + string(content)); err != nil {
			return fmt.Errorf("accel: %w", err)
		}
	}
	return file.Close()
}
