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
	Static    bool     // with a static C library
	Wraps     bool     // the linker can send references to crosscall2 elsewhere: --wrap
	Versions  bool     // it keeps the version of a symbol that the program defines
	Libraries []string // the C library's files, or none where the linker does not name them
}

// A function that --wrap sends elsewhere, and one with a version.
const questions = `
void crosscall2(void);
void __wrap_crosscall2(void) {}
__asm__(".text\n.globl wherry_probe\n.type wherry_probe, STT_FUNC\n.symver wherry_probe, wherry_probe@@@ASKED\nwherry_probe:\n");
int main(void) { crosscall2(); return 0; }
`

// Link finds out. A flag says that the program is static, or the C compiler links in no
// other way, as some for musl do. It costs the link of a small program, some 50 ms, or
// of three.
func (e *Env) Link(c *Command) Link {
	flags, _ := e.Flag(c, "ldflags")
	words := slices.Concat(strings.FieldsFunc(flags, func(r rune) bool { return strings.ContainsRune(" \t\n'\"=,", r) }),
		SplitQuoted(e.CGO_LDFLAGS))
	if slices.Contains(words, "-static") || slices.Contains(words, "-static-pie") {
		return Link{Static: true}
	}
	const none = "int main(void) { return 0; }\n"
	for _, ask := range []struct {
		source string
		flags  []string
	}{{questions, []string{"-pthread", "-rdynamic", "-Wl,-t", "-Wl,--wrap=crosscall2"}}, {none, []string{"-pthread", "-Wl,-t"}}, {none, nil}} {
		link, ok := e.link(ask.source, ask.flags...)
		if !ok {
			continue
		}
		link.Wraps = ask.source == questions
		if slices.Contains(words, "-extld") { // names a linker that nobody has asked
			link.Wraps, link.Versions, link.Libraries = false, false, nil
		}
		if strings.Contains(flags, "-fuse-ld") {
			link.Versions = false
		}
		return link
	}
	return Link{} // the build will say what is wrong
}

// link reports whether a program can be linked, and what the linker has made of it.
func (e *Env) link(source string, flags ...string) (link Link, ok bool) {
	dir, err := os.MkdirTemp("", "wherry-link-")
	if err != nil {
		return Link{}, false
	}
	defer os.RemoveAll(dir)
	program := filepath.Join(dir, "program")
	command := slices.Concat(SplitQuoted(e.CC), SplitQuoted(e.CGO_CFLAGS), []string{"-x", "c", "-", "-x", "none"}, SplitQuoted(e.CGO_LDFLAGS),
		flags, []string{"-o", program})
	if len(SplitQuoted(e.CC)) == 0 {
		return Link{}, false
	}
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Stdin = strings.NewReader(source)
	output, err := cmd.Output()
	if err != nil {
		return Link{}, false
	}
	file, err := elf.Open(program)
	if err != nil {
		return Link{}, false
	}
	defer file.Close()
	if !slices.ContainsFunc(file.Progs, func(p *elf.Prog) bool { return p.Type == elf.PT_INTERP }) {
		return Link{Static: true}, true
	}
	symbols, _ := file.DynamicSymbols() // without any nothing is known
	link.Versions = slices.ContainsFunc(symbols, func(s elf.Symbol) bool { return s.Name == "wherry_probe" && s.Version == "ASKED" })
	needed, _ := file.ImportedLibraries()
	for line := range strings.Lines(string(output)) {
		path := strings.TrimSpace(line)
		if _, inside, ok := strings.Cut(path, " ("); ok { // -lc (/lib/libc.so)
			path = strings.TrimSuffix(inside, ")")
		}
		if isSharedLibrary(path, needed) && !slices.Contains(link.Libraries, path) {
			link.Libraries = append(link.Libraries, path)
		}
		// Before glibc 2.34 threads are a library of their own, which Go's linker names before the
		// object with the versions: then GNU ld does not end.
		link.Versions = link.Versions && !strings.HasPrefix(filepath.Base(path), "libpthread.so")
	}
	return link, true
}

// isSharedLibrary does not open what else the linker names: objects and archives.
func isSharedLibrary(path string, needed []string) bool {
	name := filepath.Base(path)
	if !filepath.IsAbs(path) || !strings.Contains(name, ".so.") && !strings.HasSuffix(name, ".so") && !slices.Contains(needed, name) {
		return false
	}
	file, err := elf.Open(path)
	if err != nil {
		return false
	}
	defer file.Close()
	return file.Type == elf.ET_DYN
}
