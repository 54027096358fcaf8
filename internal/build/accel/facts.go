package accel

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/wherrygo/wherry/internal/libc"
	"github.com/wherrygo/wherry/internal/read"
)

// facts are what machine code shows of a C function with all that it reaches: the answers to
// what accel asks. What is not shown is false, so the zero value may do everything.
type facts struct {
	says string // all of it, in a line for the report
	read bool   // the code was read

	noCallback bool // no callback can come; a shared library may be another one when the program runs: then it is a panic
	harmless   bool // nothing that it calls waits; a loop that does is turned by a signal
	short      bool // it is done soon: it has no loop, calls nothing that waits, and no library

	callsBack  bool   // it comes to Go
	entersGo   bool   // it does so in a way of its own, not by a function that cgo has exported
	ownSyscall string // the function, outside of the C library, in which it may come to a system call instruction

	watches bool // a loop may wait for another thread; in a library for a host it is asked of all, else where it is harmless

	unseen string // a function of the C library that it may come to and that waits without that wherry sees it
	beyond string // other code than its own and the C library's that it may come to

	// For arguments on Go's stack, see stays.go.
	apart  bool   // it neither calls back nor learns what another thread has done
	meets  string // what it does of that
	strict bool   // an instruction demands more alignment than a stack has

	alignments []byte // in C, of what its arguments point to

	libraries []string // the shared libraries whose code was read

	// Of the package's program.
	bounds string // what shows that it looks at where its stack is, or empty
	cxx    string // the library of C++ that it is linked with, or empty
	splits bool   // it has code that grows its stack by itself: gcc -fsplit-stack
}

// unread are the facts about a function that could not be read.
func unread(err error) facts {
	return facts{says: "not read: " + err.Error(), beyond: codeOfOthers}
}

const codeOfOthers = "code of others"

// leaves says what other code than its own and the C library's the function may come to, or
// nothing. In a library for a host only the library's own calls of the C library come to wherry.
func (f facts) leaves() string {
	if f.cxx != "" && f.beyond == codeOfOthers {
		return f.cxx
	}
	return cmp.Or(f.beyond, f.cxx)
}

// code is the linked code of a package with the shared libraries that it needs.
type code struct{ program *read.Program }

// goSide names what only stands in for Go in the package's linked C objects:
// cgo and wherry put empty functions there.
var goSide = strings.Fields("crosscall2 crosscall_amd64 _cgoexp_* _cgo_wait_runtime_init_done _cgo_release_context _cgo_panic " +
	"_cgo_allocate _cgo_reginit " +
	"_wherry_callback* _wherry_exported*")

// openCode opens linked objects. Functions elsewhere are not what a definition here says;
// unseen are those of the C library that wait without that wherry sees it, with how. The libraries
// are looked for in folders too. In a library for a host, watching loops are looked for in all functions.
func openCode(linked string, elsewhere []string, unseen map[string]bool, folders []string, forHost bool) (code, error) {
	options := read.Options{Go: goSide, Elsewhere: elsewhere, Unseen: map[string]read.Class{}, Path: folders, Watches: forHost}
	for name, lock := range unseen {
		options.Unseen[name] = read.Block
		if lock {
			options.Unseen[name] = read.Lock
		}
	}
	program, err := read.Open(linked, options)
	return code{program}, err
}

// unseenIn returns functions of a C library that wait, and whether for a lock.
func unseenIn(library libc.Library) map[string]bool {
	unseen := map[string]bool{}
	for _, f := range library.Unseen() {
		unseen[f.Name] = f.Kind == libc.Tries
	}
	return unseen
}

// files returns the package's own file and the libraries that it needs.
func (c code) files() []*read.File { return c.program.Files().List }

// missing returns the libraries that were not found.
func (c code) missing() []string { return c.program.Files().Missing }

// functions names all functions of the package, sorted.
func (c code) functions() []string { return c.program.Files().Functions() }

// withoutCallback are the classes beside which a function is still known not to call
// back. The others are not: what takes a lock may be pthread_once, what writes to a
// file may write to one of fopencookie.
var withoutCallback = []read.Class{read.Alloc, read.Block, read.Syscall, read.Recursion}

// aside are the classes beside which C is known to run for itself: without a callback, a
// lock, a wait, and any other way to learn what another thread has done. The allocator's
// locks are its own.
var aside = []read.Class{read.Alloc}

func factsOf(found *read.Function, name string) facts {
	f := facts{read: true, says: why(found, name), noCallback: true, harmless: true, strict: found.Strict,
		ownSyscall: found.Syscalls, unseen: found.Unseen, watches: found.Watches}
	if strings.HasPrefix(f.ownSyscall, "_wherry_") || strings.HasPrefix(f.ownSyscall, "_cgo_") {
		f.ownSyscall = name // inlined into its twin or cgo's wrapper
	}
	f.short = len(found.Does) == 0 && !found.Loops && len(found.Files) == 0
	for _, r := range found.Does {
		f.noCallback = f.noCallback && slices.Contains(withoutCallback, r.Class)
		f.harmless = f.harmless && r.Class == read.Alloc
		if f.meets == "" && !slices.Contains(aside, r.Class) {
			f.meets = r.Class.Says()
		}
		switch r.Class {
		case read.Callback:
			f.callsBack = true
			f.entersGo = !strings.HasPrefix(r.Path[len(r.Path)-1], "_wherry_")
		case read.Indirect, read.Unresolved:
			f.beyond = codeOfOthers
		}
	}
	if f.meets == "" && found.Watches {
		f.meets = "has a loop that may wait for another thread"
	}
	f.apart = f.meets == ""
	for _, file := range slices.Backward(found.Files) {
		f.libraries = append(f.libraries, file.Path)
		if !file.System {
			f.beyond = filepath.Base(file.Path)
		}
	}
	return f
}

// why is what a function does in a line. name is what Go code calls it.
func why(found *read.Function, name string) string {
	var all []string
	sorted := slices.SortedStableFunc(slices.Values(found.Does), func(a, b read.Reason) int { return weight(a.Class) - weight(b.Class) })
	for _, r := range sorted {
		all = append(all, fmt.Sprintf("%s: %s", r.Class, pathText(r.Path, name)))
	}
	if len(all) == 0 || len(all) == 1 && sorted[0].Class == read.Alloc {
		text := "no loops"
		if found.Loops {
			text = "loops"
		}
		for _, file := range found.Files {
			text += ", code of " + file.Soname
		}
		all = append(all, text)
	}
	return "read: " + strings.Join(all, "; ")
}

// weight puts that first which says most: allocating alone keeps nothing on cgo, and what is
// certain says more than what is not known.
func weight(c read.Class) int {
	switch {
	case c == read.Alloc:
		return 2
	case c.Unknown():
		return 1
	}
	return 0
}

// pathText is a path of calls, from the function itself on, not its twin.
func pathText(path []string, name string) string {
	if len(path) > 1 && path[1] == name {
		path = path[1:]
	} else {
		path = append([]string{name}, path[1:]...)
	}
	if n := len(path); n > 5 {
		path = append(path[:2:2], append([]string{"..."}, path[n-2:]...)...)
	}
	return strings.Join(path, " -> ")
}

// errNoSymbols is that of linked objects of which the functions have no names.
var errNoSymbols = errors.New("the linked objects have no symbols")
