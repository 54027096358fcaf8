package gotool

import (
	"debug/elf"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// Static reports whether the program will be linked with a static C library: a flag
// says so, or the C compiler links in no other way, as some for musl do. It costs the
// link of an empty program, some 50 ms.
func (e *Env) Static(c *Command) bool {
	flags, _ := e.Flag(c, "ldflags")
	words := slices.Concat(strings.FieldsFunc(flags, func(r rune) bool { return strings.ContainsRune(" \t\n'\"=,", r) }), SplitQuoted(e.CGO_LDFLAGS))
	if slices.Contains(words, "-static") || slices.Contains(words, "-static-pie") {
		return true
	}
	dir, err := os.MkdirTemp("", "wherry-link-")
	if err != nil {
		return false
	}
	defer os.RemoveAll(dir)
	program := filepath.Join(dir, "program")
	command := slices.Concat(SplitQuoted(e.CC), SplitQuoted(e.CGO_CFLAGS), []string{"-x", "c", "-", "-x", "none"}, SplitQuoted(e.CGO_LDFLAGS), []string{"-o", program})
	if len(command) == 0 {
		return false
	}
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Stdin = strings.NewReader("int main(void) { return 0; }\n")
	if cmd.Run() != nil {
		return false // the build will say what is wrong
	}
	file, err := elf.Open(program)
	if err != nil {
		return false
	}
	defer file.Close()
	return !slices.ContainsFunc(file.Progs, func(p *elf.Prog) bool { return p.Type == elf.PT_INTERP })
}
