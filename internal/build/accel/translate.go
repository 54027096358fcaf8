package accel

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
)

// A translator makes an object of a source file.
type translator int

const (
	cCompiler  translator = iota
	cAssembler            // the C compiler, for assembly with macros
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
	shared bool // by all packages of a build
}

// translate writes the source file and runs the compiler or assembler on it. line is that
// of the package's compiler, for the assembler.
func (c *Config) translate(t translation, line *compileCommand) error {
	var command []string
	ending := ".c"
	switch t.by {
	case cAssembler:
		ending = ".S"
		command = slices.Concat(c.Own, []string{"-g0", "-fPIC", "-c"})
	case cCompiler:
		command = slices.Concat(c.Own, []string{"-O2", "-g0", "-std=gnu11", "-fno-lto", "-fPIC", "-pthread", "-c"})
		if c.GoArch == "amd64" {
			command = append(command, "-masm=att")
		}
		if slices.Contains(command, "-fsplit-stack") { // CC has it: what grows the stack would call itself by way of ours
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
	folder := t.file + "_files"
	if len(t.beside) > 0 {
		command = append(command, "-I", folder)
	}
	command = append(append(command, t.flags...), "-o", t.file+".o", t.file+ending)
	own := c.own(&t, command)
	defer own.folder.Close()
	if own.take(t.file + ".o") {
		return nil
	}
	if !own.again { // another package, or another build, may be at it
		defer own.folder.Lock(own.name)()
		if own.take(t.file + ".o") {
			return nil
		}
	}
	if t.shared {
		Step(c.dir, "wherry's own C ("+t.what+"), once for most builds")
	}
	if err := writeFiles(folder, t.beside); err != nil {
		return err
	}
	if err := os.WriteFile(t.file+ending, []byte(t.source), 0o666); err != nil {
		return fmt.Errorf("accel: %w", err)
	}
	if output, err := exec.Command(command[0], command[1:]...).CombinedOutput(); err != nil {
		return fmt.Errorf("accel: compiling wherry's %s with %s: %w\n%s", t.what, command[0], err, bytes.TrimSpace(output))
	}
	own.keep(t.file+".o", command)
	return nil
}

// writeFiles writes files into a folder of their own.
func writeFiles(folder string, files map[string]string) error {
	if len(files) == 0 {
		return nil
	}
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
