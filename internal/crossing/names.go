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

// And these block signals, with the macros of c/names.c that know their signatures.
var maskers = map[string]string{
	"pthread_sigmask": "MASKS", "sigprocmask": "MASKS", "sigblock": "MASKS_MORE", "sigsetmask": "MASKS_ALL", "sighold": "MASKS_ONE",
}

// noted are functions before which one of c/names.c looks at their arguments, or notes that they are called.
var noted = []string{"dlopen", "dlmopen", "pthread_cancel", "pthread_setcanceltype"}

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

// free are locks that are not tried where they are free, with the function of c/names.c that sees it.
var free = map[string]string{
	"pthread_mutex_lock": "free_mutex", "__pthread_mutex_lock": "free_mutex", "mtx_lock": "free_mutex", "sem_wait": "free_semaphore",
}

// interposition is the C text of the functions of the C library that the program
// defines itself.
type interposition struct {
	Target
	library                                        libc.Library
	behind                                         bool
	declared, references, reals, thunks, functions strings.Builder
	n                                              int
}

// Names returns the C text of an object that stands before the functions of a C library, if it
// is known: of those that each one has on which the program starts. Those of which it has an old version with
// other code are defined at the version that programs are linked with, or, where
// the linker does not know versions of a program's own, not at all. Nor are those that taken has.
//
// The object may be behind the C library in the link, by -lc: GNU ld takes only a definition of a
// default version before that, and does not end at one behind it.
func (t Target) Names(library libc.Library, versions, behind bool, taken []string) (string, error) {
	text := &interposition{Target: t, library: library, behind: behind}
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
		if macro := maskers[f.Name]; macro != "" {
			i.macro(macro, f, i.index(f))
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
		if slices.Contains(noted, f.Name) {
			first = calling("_wherry_notes_"+f.Name, looksFirst[i.GOARCH])
		}
		code := i.thunk(f.Name, version, at, first...)
		if macro != "" {
			asking := ""
			if slices.Contains(variadic, f.Name) {
				first = calling("_wherry_fits_"+f.Name, asksFirst[i.GOARCH])
				asking = i.thunk(f.Name, version, at, first...)
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
		condition, places, definition := mayTry(f), 1, fmt.Sprintf("DEFINES(int, %s, tries, %s)", f.Name, params)
		if f.Cancels {
			places++
		}
		if is := free[f.Name]; is != "" && !i.Hidden { // a host may cancel, and handle signals
			definition = fmt.Sprintf("TAKES(%s, %s, &_wherry_reals[%d])", f.Name, is, i.before(f, places+1))
		}
		if f.Cancels {
			cancel, _ := libc.Lookup("pthread_testcancel")
			condition += fmt.Sprintf(" && cancels(&_wherry_reals[%d])", i.before(cancel, places))
		}
		fmt.Fprintf(&i.functions, "TRIES(%s, %s, %s, %s, &_wherry_reals[%d], &_wherry_reals[%d], %d, %s)\n", definition, f.Name, params, args,
			i.before(try, 1), i.index(f), f.Busy, condition)
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

// before adds what is called before a function, or instead, which stands so many places later: a lock's
// try, or the function once more, where streams may be looked into.
func (i *interposition) before(f libc.Function, places int) int {
	i.references.WriteString("NULL, ")
	return i.add(f.Name, i.version(f), places)
}

func (i *interposition) add(name, version string, places int) int {
	fmt.Fprintf(&i.reals, "{%q, %q, %d}, ", name, version, places)
	i.n++
	return i.n - 1
}

// version is that which programs are linked with, if it is known, and c/reals.c has room for it.
func (i *interposition) version(f libc.Function) string {
	linked, _ := i.library.Linked(f.Name)
	if len(linked.Name) > 15 {
		return ""
	}
	return linked.Name
}
