package crossing

import (
	"fmt"
	"slices"
	"strings"

	"github.com/wherrygo/wherry/internal/libc"
)

// These install handlers: f(signal, handler).
var installers = []string{"signal", "bsd_signal", "ssignal", "sysv_signal", "__sysv_signal", "sigset"}

// These change what becomes of a signal: f(signal) or f(signal, flag).
var changers = []string{"sigignore", "siginterrupt"}

// And these set the mask: f(how, set, old).
var maskers = []string{"pthread_sigmask", "sigprocmask"}

// openers open libraries; c/names.c has a function that looks at their arguments.
var openers = []string{"dlopen", "dlmopen"}

// looksFirst calls that function, which has at most three arguments, and keeps them.
var looksFirst = map[string][]string{
	"amd64": {".cfi_startproc", "pushq %rdi", ".cfi_adjust_cfa_offset 8", "pushq %rsi", ".cfi_adjust_cfa_offset 8", "pushq %rdx",
		".cfi_adjust_cfa_offset 8", "call ", "popq %rdx", ".cfi_adjust_cfa_offset -8", "popq %rsi", ".cfi_adjust_cfa_offset -8", "popq %rdi",
		".cfi_adjust_cfa_offset -8", ".cfi_endproc"},
	"arm64": {".cfi_startproc", "stp x0, x1, [sp, #-32]!", ".cfi_adjust_cfa_offset 32", "stp x2, x30, [sp, #16]", ".cfi_rel_offset x30, 24",
		"bl ", "ldp x2, x30, [sp, #16]", "ldp x0, x1, [sp], #32", ".cfi_adjust_cfa_offset -32", ".cfi_restore x30", ".cfi_endproc"},
}

// buffered are functions that wait only when a stream's buffer does not do, with the
// macros of c/stdio.c that know their signatures.
var buffered = map[string]string{
	"fread": "READS", "fread_unlocked": "READS", "__fread_chk": "READS_CHECKED", "__fread_unlocked_chk": "READS_CHECKED",
	"fgetc": "READS_BYTE", "fgetc_unlocked": "READS_BYTE", "getc": "READS_BYTE", "getc_unlocked": "READS_BYTE", "_IO_getc": "READS_BYTE",
	"fgets": "READS_LINE", "fgets_unlocked": "READS_LINE", "__fgets_chk": "READS_LINE_CHECKED",
	"__fgets_unlocked_chk": "READS_LINE_CHECKED", "getline": "READS_WHOLE_LINE",
	"fwrite": "WRITES", "fwrite_unlocked": "WRITES", "fputs": "WRITES_STRING", "fputs_unlocked": "WRITES_STRING",
	"fputc": "WRITES_BYTE", "fputc_unlocked": "WRITES_BYTE", "putc": "WRITES_BYTE", "putc_unlocked": "WRITES_BYTE", "_IO_putc": "WRITES_BYTE",
	"vfprintf": "FORMATS_LIST", "__vfprintf_chk": "FORMATS_LIST_CHECKED",
	"fprintf": "FORMATS_TO", "__fprintf_chk": "FORMATS_TO_CHECKED", "printf": "FORMATS_OUT", "__printf_chk": "FORMATS_OUT_CHECKED",
}

// variadic are those of them whose arguments only the caller knows: a function that looks at the first ones
// comes first, and what it returns is jumped to.
var variadic = []string{"fprintf", "__fprintf_chk", "printf", "__printf_chk"}

// asksFirst calls that function and keeps all registers of arguments.
var asksFirst = map[string][]string{
	"amd64": asksAMD64("rax", "rdi", "rsi", "rdx", "rcx", "r8", "r9"),
	"arm64": {".cfi_startproc", "sub sp, sp, #208", ".cfi_adjust_cfa_offset 208",
		"stp x0, x1, [sp]", "stp x2, x3, [sp, #16]", "stp x4, x5, [sp, #32]", "stp x6, x7, [sp, #48]", "stp x8, x30, [sp, #64]",
		".cfi_rel_offset x30, 72", "stp q0, q1, [sp, #80]", "stp q2, q3, [sp, #112]", "stp q4, q5, [sp, #144]", "stp q6, q7, [sp, #176]",
		"bl ", "mov x16, x0",
		"ldp x0, x1, [sp]", "ldp x2, x3, [sp, #16]", "ldp x4, x5, [sp, #32]", "ldp x6, x7, [sp, #48]", "ldp x8, x30, [sp, #64]",
		"ldp q0, q1, [sp, #80]", "ldp q2, q3, [sp, #112]", "ldp q4, q5, [sp, #144]", "ldp q6, q7, [sp, #176]",
		"add sp, sp, #208", ".cfi_adjust_cfa_offset -208", ".cfi_restore x30", "cbz x16, 1f", "br x16", "1:", ".cfi_endproc"},
}

func asksAMD64(registers ...string) []string {
	lines := []string{".cfi_startproc"}
	for _, r := range registers {
		lines = append(lines, "pushq %"+r, ".cfi_adjust_cfa_offset 8")
	}
	lines = append(lines, "subq $128, %rsp", ".cfi_adjust_cfa_offset 128")
	for i := range 8 {
		lines = append(lines, fmt.Sprintf("movups %%xmm%d, %d(%%rsp)", i, 16*i))
	}
	lines = append(lines, "call ", "movq %rax, %r11")
	for i := range 8 {
		lines = append(lines, fmt.Sprintf("movups %d(%%rsp), %%xmm%d", 16*i, i))
	}
	lines = append(lines, "addq $128, %rsp", ".cfi_adjust_cfa_offset -128")
	for _, r := range slices.Backward(registers) {
		lines = append(lines, "popq %"+r, ".cfi_adjust_cfa_offset -8")
	}
	return append(lines, "testq %r11, %r11", "jz 1f", "jmp *%r11", "1:", ".cfi_endproc")
}

// calling puts a function's name behind the lines that end with a space.
func calling(function string, lines []string) (all []string) {
	for _, line := range lines {
		if strings.HasSuffix(line, " ") {
			line += function
		}
		all = append(all, line)
	}
	return all
}

// interposition is the C text of the functions of the C library that the program
// defines itself.
type interposition struct {
	Target
	library                                        libc.Library
	declared, references, reals, thunks, functions strings.Builder
	n                                              int
}

// Names returns the C text of an object that stands before the functions of a C library, if it
// is known: of those that each one has on which the program starts. Those of which it has an old version with
// other code are defined at the version that programs are linked with, or, where
// the linker does not know versions of a program's own, not at all. Nor are those that taken has.
func (t Target) Names(library libc.Library, versions bool, taken []string) (string, error) {
	text := &interposition{Target: t, library: library}
	for _, name := range []string{"sigaction", "dl_iterate_phdr"} { // REAL_SIGACTION and REAL_ITERATE
		f, _ := libc.Lookup(name)
		text.index(f)
	}
	for _, f := range libc.Functions() {
		linked, _ := library.Linked(f.Name)
		old := library.Differs(f.Name)
		if library == nil { // nobody can say
			old = f.Versioned
		}
		if slices.Contains(taken, f.Name) || !library.Always(f) || old && !versions && !t.Hidden {
			continue
		}
		version := ""
		if old && !t.Hidden { // what is hidden answers nobody who asks for a version
			version = linked.Name
		}
		text.function(f, version)
	}
	names, err := files.ReadFile("c/names.c")
	if err != nil {
		return "", fmt.Errorf("crossing: %w", err)
	}
	stdio, err := files.ReadFile("c/stdio.c")
	if err != nil {
		return "", fmt.Errorf("crossing: %w", err)
	}
	visible := ""
	if t.Hidden {
		visible = `, visibility("hidden")`
	}
	return fmt.Sprintf("#define VISIBLE %s\n#define DECLARED %s\n#define REALS %s\n#define REFERENCES %s\n%s%s"+
		"_Static_assert(sizeof(real_function) == %d, \"real_function\");\n__asm__(\n%s);\n%s", visible, &text.declared, &text.reals,
		&text.references, names, stdio, realSize, &text.thunks, &text.functions), nil
}

// function adds the definition of a function, of a version if it has one.
func (i *interposition) function(f libc.Function, version string) {
	switch f.Kind {
	case libc.Mask:
		if slices.Contains(maskers, f.Name) {
			i.macro("MASKS", f, i.index(f))
			return
		}
		fallthrough
	case libc.Blocks:
		macro := buffered[f.Name]
		if macro != "" {
			i.before(f, 1)
		}
		at := i.index(f)
		var first []string
		if slices.Contains(openers, f.Name) {
			first = calling("_wherry_opens_"+f.Name, looksFirst[i.GOARCH])
		}
		code := thunk(i.GOARCH, f.Name, version, at*realSize, i.Hidden, first...)
		if macro != "" {
			asking := ""
			if slices.Contains(variadic, f.Name) {
				first = calling("_wherry_fits_"+f.Name, asksFirst[i.GOARCH])
				asking = thunk(i.GOARCH, f.Name, version, at*realSize, i.Hidden, first...)
			}
			code = "#ifdef __GLIBC__\n" + asking + "#else\n" + code + "#endif\n"
			i.functions.WriteString("#ifdef __GLIBC__\n")
			i.macro(macro, f, at-1)
			i.functions.WriteString("#endif\n")
		}
		i.thunks.WriteString(code)
	case libc.Tries:
		try, _ := libc.Lookup(f.Try) // it is there: a test of package libc
		params, args := "(void *lock)", "(lock)"
		switch {
		case f.Clock:
			params, args = "(void *lock, long a, long b)", "(lock, a, b)"
		case f.Time:
			params, args = "(void *lock, long a)", "(lock, a)"
		}
		condition, places := "", 1
		if f.Cancels {
			places++
			cancel, _ := libc.Lookup("pthread_testcancel")
			condition = fmt.Sprintf(" && cancels(&_wherry_reals[%d])", i.before(cancel, places))
		}
		fmt.Fprintf(&i.functions, "TRIES(%s, %s, %s, &_wherry_reals[%d], &_wherry_reals[%d], %d, %s)\n", f.Name, params, args,
			i.before(try, 1), i.index(f), f.Busy, mayTry(f)+condition)
	case libc.Handler:
		switch {
		case slices.Contains(installers, f.Name):
			i.macro("INSTALLS", f, i.index(f))
		case slices.Contains(changers, f.Name):
			i.macro("CHANGES", f, i.index(f))
		}
	case libc.Stack:
		switch f.Name {
		case "pthread_getattr_np":
			i.macro("TELLS_BOUNDS", f, i.index(f))
		case "sigaltstack":
			i.macro("MOVES_HANDLERS", f, i.index(f))
		}
	case libc.Libraries:
		if !i.Hidden { // other libraries would not come by here
			i.macro("READS_LIBRARIES", f, i.index(f))
		}
	}
}

// macro writes a function by a macro of c/names.c or c/stdio.c.
func (i *interposition) macro(name string, f libc.Function, at int) {
	fmt.Fprintf(&i.functions, "%s(%s, &_wherry_reals[%d])\n", name, f.Name, at)
}

// mayTry is a condition of C, of the lock function's arguments: lock, a and b.
func mayTry(f libc.Function) string {
	condition := "1"
	switch {
	case f.Clock:
		condition = "valid_clock(a) && valid_time(b)"
	case f.Time:
		condition = "valid_time(a)"
	}
	if f.Robust {
		condition = "not_robust(lock) && " + condition
	}
	return condition
}

// index adds a function to the table and returns its index. Where the program's names are hidden, the
// dynamic linker fills the place: a reference of a version is not to the program's own.
func (i *interposition) index(f libc.Function) int {
	version, reference := i.version(f), "NULL"
	if i.Hidden && version != "" {
		reference = "_wherry_next_" + f.Name
		fmt.Fprintf(&i.declared, "REFERS(%s, %s) ", f.Name, version)
	}
	i.references.WriteString(reference + ", ")
	return i.add(f.Name, version, 0)
}

// before adds what a lock's function calls, which stands so many places later.
func (i *interposition) before(f libc.Function, places int) int {
	i.references.WriteString("NULL, ")
	return i.add(f.Name, i.version(f), places)
}

func (i *interposition) add(name, version string, places int) int {
	fmt.Fprintf(&i.reals, "{%q, %q, %d}, ", name, version, places)
	i.n++
	return i.n - 1
}

// version is that which programs are linked with, if it is known.
func (i *interposition) version(f libc.Function) string {
	linked, _ := i.library.Linked(f.Name)
	return linked.Name
}

const realSize = 8 // bytes

// thunk is a function that goes to _wherry_blocks, with the address of its place in the table in a
// register that is free between a call and a function's begin. Other lines may come first.
func thunk(goarch, name, version string, offset int, hidden bool, first ...string) string {
	var lines []string
	if hidden {
		lines = append(lines, ".hidden "+name)
	}
	if version != "" {
		lines = append(lines, fmt.Sprintf(".symver %s, %[1]s@@@%s", name, version))
	}
	lines = append(lines, ".weak "+name, ".type "+name+", STT_FUNC", name+":")
	lines = append(lines, first...)
	if goarch == "amd64" {
		lines = append(lines, fmt.Sprintf("leaq _wherry_reals+%d(%%rip), %%r11", offset), "jmp _wherry_blocks")
	} else {
		lines = append(lines, fmt.Sprintf("adrp x16, _wherry_reals+%d", offset),
			fmt.Sprintf("add x16, x16, :lo12:_wherry_reals+%d", offset), "b _wherry_blocks")
	}
	lines = append(lines, ".size "+name+", .-"+name)
	var text strings.Builder
	for _, line := range lines {
		fmt.Fprintf(&text, "\t%q\n", line+"\n")
	}
	return text.String()
}
