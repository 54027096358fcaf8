package gotool

import (
	"debug/elf"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// A Link says what is known of how the program will be linked.
type Link struct {
	Static bool // with a static C library
	Wraps  bool // the linker can send references to crosscall2 elsewhere: --wrap
}

const crosscall2 = `
void crosscall2(void);
void __wrap_crosscall2(void) {}
int main(void) { crosscall2(); return 0; }
`

// Link finds out. A flag says that the program is static, or the C compiler links in no
// other way, as some for musl do. It costs the link of a small program, some 50 ms, or
// two.
func (e *Env) Link(c *Command) Link {
	flags, _ := e.Flag(c, "ldflags")
	words := slices.Concat(strings.FieldsFunc(flags, func(r rune) bool { return strings.ContainsRune(" \t\n'\"=,", r) }),
		SplitQuoted(e.CGO_LDFLAGS))
	if slices.Contains(words, "-static") || slices.Contains(words, "-static-pie") {
		return Link{Static: true}
	}
	if dynamic, ok := e.link(crosscall2, "-Wl,--wrap=crosscall2"); ok { // -extld names a linker that nobody has asked
		return Link{Static: !dynamic, Wraps: !slices.Contains(words, "-extld")}
	}
	dynamic, ok := e.link("int main(void) { return 0; }\n")
	return Link{Static: ok && !dynamic} // where it does not link the build will say what is wrong
}

// link reports whether a program can be linked, and whether that is dynamic.
func (e *Env) link(source string, flags ...string) (dynamic, ok bool) {
	dir, err := os.MkdirTemp("", "wherry-link-")
	if err != nil {
		return false, false
	}
	defer os.RemoveAll(dir)
	program := filepath.Join(dir, "program")
	command := slices.Concat(SplitQuoted(e.CC), SplitQuoted(e.CGO_CFLAGS), []string{"-x", "c", "-", "-x", "none"}, SplitQuoted(e.CGO_LDFLAGS),
		flags, []string{"-o", program})
	if len(SplitQuoted(e.CC)) == 0 {
		return false, false
	}
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Stdin = strings.NewReader(source)
	if cmd.Run() != nil {
		return false, false
	}
	file, err := elf.Open(program)
	if err != nil {
		return false, false
	}
	defer file.Close()
	return slices.ContainsFunc(file.Progs, func(p *elf.Prog) bool { return p.Type == elf.PT_INTERP }), true
}
