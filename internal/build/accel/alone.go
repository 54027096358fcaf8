package accel

import (
	"debug/elf"
	"fmt"
	"go/build"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// The go command links a package's C objects without Go's, and goes on when they do not
// link: an archive may need what another package brings along. Then wherry links them
// itself, with stand-ins for what is missing, since a linked file is what package read
// knows most about.

// undefinedPattern finds a symbol in what GNU ld, gold, lld and mold say.
var undefinedPattern = pattern("undefined (?:reference to |symbol: )[`']?([A-Za-z_.$][A-Za-z0-9_.$@]*)")

// linkTries bounds how often linking may bring up further symbols.
const linkTries = 4

// linkedObjects returns the package's linked C objects, and the symbols that they lack.
func (c *Config) linkedObjects(objdir string, p *plan) (file string, missing []string, err error) {
	file = filepath.Join(objdir, "_cgo_.o")
	if _, err := os.Stat(file); err == nil {
		return file, nil, nil
	}
	objects := slices.DeleteFunc(inFolder(objdir, "*.o"), func(object string) bool { return isAnswer(object) || !relocatable(object) })
	if len(objects) == 0 {
		return "", nil, fmt.Errorf("no C objects in %s", objdir)
	}
	objects = append(objects, p.Syso...)
	file = filepath.Join(objdir, "wherry_linked")
	for try := range linkTries {
		flags := []string{"-pthread", "-Wl,--no-demangle"}
		if try == 0 { // or lld stops after twenty
			flags = append(flags, "-Wl,--warn-unresolved-symbols")
		} else {
			standIn := filepath.Join(objdir, "wherry_missing")
			if err := c.translate(translation{by: cCompiler, what: "stand-ins", file: standIn, source: standInText(missing)}, nil); err != nil {
				return "", nil, err
			}
			flags = append(flags, standIn+".o")
		}
		output, err := c.link(p, file, slices.Concat(objects, flags))
		if err == nil && try > 0 {
			return file, missing, nil
		}
		known := len(missing)
		for _, m := range undefinedPattern().FindAllStringSubmatch(output, -1) {
			if !slices.Contains(missing, m[1]) {
				missing = append(missing, m[1])
			}
		}
		if len(missing) == known {
			line, _, _ := strings.Cut(strings.TrimSpace(output), "\n")
			return "", nil, fmt.Errorf("the package's C objects do not link: %s", line)
		}
	}
	return "", nil, fmt.Errorf("the package's C objects do not link, for want of %s", someOf(missing))
}

// link links as the go command does to find out what a package imports.
func (c *Config) link(p *plan, file string, objects []string) (output string, err error) {
	command := c.CC
	if p.Cxx && len(c.CXX) > 0 {
		command = c.CXX
	}
	command = slices.Concat(command, []string{"-o", file}, objects, p.LDFlags)
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Dir = p.Dir
	cmd.Env = append(os.Environ(), "LC_ALL=C")
	text, err := cmd.CombinedOutput()
	return string(text), err
}

func standInText(symbols []string) string {
	lines := []string{".text"}
	for _, symbol := range symbols {
		lines = append(lines, ".globl "+symbol, symbol+":")
	}
	lines = append(lines, ".quad 0")
	for i, line := range lines {
		lines[i] = strconv.Quote(line + "\n")
	}
	return "__asm__(" + strings.Join(lines, "\n") + ");\n"
}

// isAnswer reports whether an object is what the compiler has answered to a question of
// cgo's, which leaves it there.
func isAnswer(object string) bool {
	ok, _ := filepath.Match("_cgo_[0-9]*.o", filepath.Base(object))
	return ok
}

// relocatable reports whether a file is an object of C's, not of Go's.
func relocatable(path string) bool {
	file, err := elf.Open(path)
	if err != nil {
		return false
	}
	defer file.Close()
	return file.Type == elf.ET_REL
}

// someOf names the first of many.
func someOf(names []string) string {
	const most = 5
	if more := len(names) - most; more > 0 {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), more)
	}
	return strings.Join(names, ", ")
}

// linkInputs notes what the package is linked with.
func (c *Config) linkInputs(p *plan, cgo *cgoCommand) {
	p.LDFlags = cgo.ldflags
	target := build.Default
	target.GOOS, target.GOARCH = "linux", c.GoArch
	entries, _ := os.ReadDir(cgo.dir) // cgo has read it
	for _, entry := range entries {
		switch filepath.Ext(entry.Name()) {
		case ".cc", ".cpp", ".cxx", ".swigcxx":
			p.Cxx = true
		case ".syso":
			if ours, _ := target.MatchFile(cgo.dir, entry.Name()); ours {
				p.Syso = append(p.Syso, filepath.Join(cgo.dir, entry.Name()))
			}
		}
	}
}
