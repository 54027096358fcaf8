package gotool

import (
	"crypto/sha256"
	"debug/elf"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/wherrygo/wherry/internal/kept"
	"github.com/wherrygo/wherry/internal/temporary"
)

// A Link says what is known of how the program will be linked.
type Link struct {
	Static    bool     // with a static C library
	Wraps     bool     // the linker can send references to crosscall2 elsewhere: --wrap
	Versions  bool     // it keeps the version of a symbol that the program defines
	Libraries []string // the C library's files, or none where the linker does not name them
	Compiler  string   // what tells the C compiler, with its flags, from others, if that is known

	// Words are of the programs that the C compiler runs, with the flags that it adds by itself.
	Words []string `json:"-"`
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
// of three; what the first has answered is kept, unless it is to be found out again.
func (e *Env) Link(c *Command, folder *kept.Folder, again bool) (link Link) {
	words := SplitQuoted(e.CGO_LDFLAGS)
	for _, value := range e.linkerFlag(c, "extldflags") {
		words = append(words, SplitQuoted(value)...)
	}
	asked := []string{"-pthread", "-rdynamic", "-Wl,-t", "-Wl,--wrap=crosscall2"}
	entry, compilers, known := e.linkEntry(asked)
	defer func(compiler string, known bool) {
		link.Words = compilers
		if known {
			link.Compiler = compiler
		}
	}(entry, known)
	if slices.ContainsFunc(words, IsStatic) {
		return Link{Static: true}
	}
	if linkers := e.linkerFlag(c, "extld"); len(linkers) > 0 { // it links in the place of the compiler
		other := *e
		other.CC = linkers[len(linkers)-1]
		e = &other
		entry, _, known = e.linkEntry(asked)
	}
	text, ok := folder.Get(entry)
	if !known || again || !ok || json.Unmarshal(text, &link) != nil {
		if link, ok = e.link(questions, asked...); ok {
			link.Wraps = true
			if text, err := json.Marshal(link); known && err == nil {
				folder.Put(entry, text)
			}
		}
	}
	for _, flags := range [][]string{{"-pthread", "-Wl,-t"}, nil} {
		if !ok {
			link, ok = e.link("int main(void) { return 0; }\n", flags...)
		}
	} // without any answer the build will say what is wrong
	if slices.ContainsFunc(words, func(word string) bool { return strings.HasPrefix(word, "-fuse-ld") }) {
		link.Versions = false
	}
	return link
}

// IsStatic reports whether a flag has the C compiler link statically.
func IsStatic(flag string) bool {
	return slices.Contains([]string{"-static", "--static", "-static-pie", "--static-pie"}, flag)
}

// linkerFlag returns the values that a flag of Go's linker has in all -ldflags: which of these is the last
// that means the program's package is not decided here.
func (e *Env) linkerFlag(c *Command, name string) (values []string) {
	for _, word := range e.allFlags(c) {
		flag, value, _ := cutFlag(word)
		if flag != "ldflags" {
			continue
		}
		if pattern, flags, ok := strings.Cut(value, "="); ok && !strings.HasPrefix(pattern, "-") {
			value = flags
		}
		words := SplitQuoted(value)
		for i, word := range words {
			switch flag, value, ok := cutFlag(word); {
			case flag == name && ok:
				values = append(values, value)
			case flag == name && i+1 < len(words):
				values = append(values, words[i+1])
			}
		}
	}
	return values
}

// nowhere is the name of a program that no file has: its time would count.
const nowhere = os.DevNull + "/program"

// linkEntry returns the name under which an answer is kept, and the words of the compiler's programs.
// The name changes with all that the answer depends on: the command, what the compiler says that it would run, and each file that it names
// with that; of folders in which libraries are looked for, when something was last put there, and
// what has no version in its name; and the linkers that the compiler may find in PATH.
func (e *Env) linkEntry(flags []string) (entry string, compilers []string, known bool) {
	command := e.linkCommand(flags)
	if len(command) == 0 {
		return "", nil, false
	}
	hash := sha256.New()
	fmt.Fprintf(hash, "%q %q\n", questions, command)
	answer, known := Describe(hash, strings.NewReplacer(), append(command, "-o", nowhere)...)
	seen := map[string]bool{} // a folder stands in several lists
	for line := range strings.Lines(answer) {
		words := SplitQuoted(line)
		if strings.HasPrefix(line, " ") {
			compilers = append(compilers, words...)
		}
		_, paths, areFolders := strings.Cut(line, "_PATH=")
		if areFolders {
			words = filepath.SplitList(strings.TrimSpace(paths))
		}
		for _, word := range words {
			folder, ok := strings.CutPrefix(word, "-L")
			if !ok && !areFolders {
				stampFile(hash, word)
				continue
			}
			info, err := os.Stat(folder)
			if err != nil || !info.IsDir() || seen[folder] {
				continue
			}
			seen[folder] = true
			fmt.Fprintf(hash, "%q %d\n", folder, info.ModTime().UnixNano())
			for _, name := range []string{"ld", "libc.so", "libc.so.6", "libpthread.so"} {
				stampFile(hash, filepath.Join(folder, name))
			}
		}
	}
	for _, linker := range []string{"ld", "ld.bfd", "ld.gold", "ld.lld", "ld.mold"} {
		Stamp(hash, linker)
	}
	return fmt.Sprintf("link-%x", hash.Sum(nil)), compilers, known
}

// linkCommand is the C compiler's command line, without the name of the program.
func (e *Env) linkCommand(flags []string) []string {
	compiler := SplitQuoted(e.CC)
	if len(compiler) == 0 {
		return nil
	}
	return slices.Concat(compiler, SplitQuoted(e.CGO_CFLAGS), []string{"-x", "c", "-", "-x", "none"}, SplitQuoted(e.CGO_LDFLAGS), flags)
}

// link reports whether a program can be linked, and what the linker has made of it.
func (e *Env) link(source string, flags ...string) (link Link, ok bool) {
	command := e.linkCommand(flags)
	if len(command) == 0 {
		return Link{}, false
	}
	dir, err := temporary.Folder("wherry-link-")
	if err != nil {
		return Link{}, false
	}
	defer temporary.Remove(dir)
	program := filepath.Join(dir, "program")
	cmd := exec.Command(command[0], append(command[1:], "-o", program)...)
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
