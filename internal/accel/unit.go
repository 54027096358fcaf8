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

	"github.com/wherrygo/wherry/check"
	"github.com/wherrygo/wherry/internal/crossing"
	"github.com/wherrygo/wherry/internal/cstack"
	"github.com/wherrygo/wherry/internal/enter"
	"github.com/wherrygo/wherry/internal/guard"
	"github.com/wherrygo/wherry/internal/watchdog"
)

// What reentrant calls and callbacks share is not added to the package's own
// C files, whose macros could break it, but compiled beside them: the C stacks
// and the assembly with the C compiler, and with Go's assembler the one
// function that Go's unwinder has to know. Both objects go into the package's
// archive. So does the timing guard of guarded calls. Their symbols are weak,
// since several packages can have them.

const (
	newStackStub = "_wherry_direct_stack_new"
	unitName     = "wherry" // at most 16 bytes with what follows, for the archive
)

// buildUnits compiles what a package needs and adds it to the archive that
// compile has just written.
func (c *Config) buildUnits(archive string, compileArgs []string, p *plan) error {
	dir := filepath.Dir(archive)
	var objects []string
	if p.Unit {
		source, err := c.unitSource()
		if err != nil {
			return err
		}
		goSource, err := enter.SharedGo(c.GoArch, c.Offsets)
		if err != nil {
			return err
		}
		cObject, goObject := filepath.Join(dir, unitName+"_c.o"), filepath.Join(dir, unitName+"_go.o")
		assemble := []string{c.tool("asm"), "-p", flagValue(compileArgs, "-p"), "-I", filepath.Join(c.GoRoot, "pkg", "include"), "-trimpath", dir}
		for _, flag := range []string{"-shared", "-dynlink"} {
			if slices.Contains(compileArgs, flag) {
				assemble = append(assemble, flag)
			}
		}
		if err := c.compileC("C stacks", source, cObject); err != nil {
			return err
		}
		if err := translate("C stacks", assemble, goObject, filepath.Join(dir, unitName+".s"), strings.Join(goSource, "\n")+"\n"); err != nil {
			return err
		}
		objects = append(objects, cObject, goObject)
	}
	if p.Guarded {
		timed, err := enter.Timed(c.GoArch, c.Offsets)
		if err != nil {
			return err
		}
		object := filepath.Join(dir, unitName+"_guard.o")
		if err := c.compileC("timing guard", guard.Source()+asm(timed), object); err != nil {
			return err
		}
		objects = append(objects, object)
	}
	if p.Watched {
		shared, err := enter.Watched(c.GoArch, c.Offsets)
		if err != nil {
			return err
		}
		object := filepath.Join(dir, unitName+"_watch.o")
		if err := c.compileC("watchdog", watchdog.Source+asm(shared), object); err != nil {
			return err
		}
		objects = append(objects, object)
	}
	if p.Counted {
		object := filepath.Join(dir, unitName+"_count.o")
		if err := c.compileC("counters", crossing.Source, object); err != nil {
			return err
		}
		objects = append(objects, object)
	}
	if len(p.stubs) > 0 {
		var text strings.Builder
		for _, stub := range p.stubs {
			lines, err := c.assemble(stub.Stub, stub.name, p.Package)
			if err != nil {
				return err
			}
			text.WriteString(asm(lines))
		}
		text.WriteString(guard.Pins(p.pins))
		object := filepath.Join(dir, unitName+"_stubs.o")
		if err := c.compileC("stubs", text.String(), object); err != nil {
			return err
		}
		objects = append(objects, object)
	}
	return appendMembers(archive, objects...)
}

// addStub has a function's stub compiled beside the package, since the
// checker's verdict came after its C files were. What the verdict rests on in
// shared libraries is compared when the program starts.
func (p *plan) addStub(name string, stub enter.Stub, r check.Result) {
	p.stubs = append(p.stubs, namedStub{stub, name})
	if stub.Guard == nil {
		return
	}
	p.Guarded = true
	for _, l := range r.Libraries {
		p.pins = append(p.pins, guard.Pin{Record: stub.GuardRecord(), Function: stub.Guard.Name, Package: p.Package, Soname: l.Soname, BuildID: l.BuildID})
	}
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

// guardStandIns satisfy the link that only looks for imports.
var guardStandIns = fmt.Sprintf("__thread char _wherry_guard_slots[%d];\nvoid _wherry_guard_timed(void) {}\nvoid _wherry_guard_cgo(void) {}\n", guard.Slots*guard.Layout()["GUARD_SLOT"])

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
