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

	"github.com/wherrygo/wherry/internal/cstack"
	"github.com/wherrygo/wherry/internal/enter"
)

// What reentrant calls and callbacks share is not added to the package's own
// C files, whose macros could break it, but compiled beside them: the C stacks
// and the assembly with the C compiler, and with Go's assembler the one
// function that Go's unwinder has to know. Both objects go into the package's
// archive. Their symbols are weak, since several packages can have them.

const (
	newStackStub = "_wherry_direct_stack_new"
	unitName     = "wherry" // at most 16 bytes with what follows, for the archive
)

// buildUnit compiles the two objects and adds them to an archive that compile
// has just written.
func (c *Config) buildUnit(archive string, compileArgs []string) error {
	dir := filepath.Dir(archive)
	source, err := c.unitSource()
	if err != nil {
		return err
	}
	goSource, err := enter.SharedGo(c.GoArch, c.Offsets)
	if err != nil {
		return err
	}
	cFile, goFile := filepath.Join(dir, unitName+".c"), filepath.Join(dir, unitName+".s")
	cObject, goObject := filepath.Join(dir, unitName+"_c.o"), filepath.Join(dir, unitName+"_go.o")
	for name, text := range map[string]string{cFile: source, goFile: strings.Join(goSource, "\n") + "\n"} {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			return fmt.Errorf("accel: %w", err)
		}
	}
	compile := slices.Concat(c.CC, []string{"-O2", "-g0", "-fno-lto", "-fPIC", "-pthread", "-c", "-o", cObject, cFile})
	if c.GoArch == "amd64" {
		compile = append(compile, "-masm=att")
	}
	assemble := []string{c.tool("asm"), "-p", flagValue(compileArgs, "-p"), "-I", filepath.Join(c.GoRoot, "pkg", "include"), "-trimpath", dir}
	for _, flag := range []string{"-shared", "-dynlink"} {
		if slices.Contains(compileArgs, flag) {
			assemble = append(assemble, flag)
		}
	}
	assemble = append(assemble, "-o", goObject, goFile)
	for _, command := range [][]string{compile, assemble} {
		if output, err := exec.Command(command[0], command[1:]...).CombinedOutput(); err != nil {
			return fmt.Errorf("accel: compiling wherry's C stacks with %s: %w\n%s", command[0], err, bytes.TrimSpace(output))
		}
	}
	return appendMembers(archive, cObject, goObject)
}

// tool gives the path of one of the go command's tools.
func (c *Config) tool(name string) string { return filepath.Join(c.ToolDir, name) }

func (c *Config) unitSource() (string, error) {
	lines, err := enter.Shared(c.GoArch, c.Offsets)
	if err != nil {
		return "", err
	}
	stub := enter.Stub{Symbol: newStackStub, Target: "_wherry_stack_new", Integers: 1, Shared: true}
	more, err := stub.Assembly(c.GoArch, c.Offsets)
	if err != nil {
		return "", err
	}
	return cstack.Source(c.Offsets.GThrowSplit) + asm(append(lines, more...)), nil
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
