package accel

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/wherrygo/wherry/check"
	"github.com/wherrygo/wherry/internal/crossing/blocking"
)

// facts are what machine code shows of a C function with all that it reaches: the answers to
// what accel asks. What is not shown is false, so the zero value may do everything.
type facts struct {
	says string // all of it, in a line for the report
	read bool   // the code was read

	noCallback bool // no callback can come; a shared library may be another one when the program runs: then it is a panic
	harmless   bool // nothing that it calls waits; a loop that does is turned by a signal
	short      bool // it is done soon: it has no loop, calls nothing that waits, and no library

	callsBack  bool // it comes to Go
	entersGo   bool // it does so in a way of its own, not by a function that cgo has exported
	ownSyscall bool // it has a system call instruction, outside of the C library

	unseen string // a function of the C library that it may come to and that waits without that wherry sees it
	beyond string // other code than its own and the C library's that it may come to

	// For arguments on Go's stack, see stays.go.
	apart  bool   // it neither calls back nor learns what another thread has done
	meets  string // what it does of that
	strict bool   // an instruction demands more alignment than a stack has

	libraries []string // the shared libraries whose code was read
}

// unread are the facts about a function that could not be read.
func unread(err error) facts {
	return facts{says: "not checked: " + err.Error(), beyond: codeOfOthers}
}

const codeOfOthers = "code of others"

// code is the linked code of a package with the shared libraries that it needs.
type code struct{ program *check.Program }

// goSide names what only stands in for Go in the package's linked C objects:
// cgo and wherry put empty functions there.
const goSide = "hazard callback crosscall2 crosscall_amd64 _cgoexp_* _cgo_wait_runtime_init_done _cgo_release_context _cgo_panic " +
	"_cgo_allocate _cgo_reginit " +
	"_wherry_callback* _wherry_exported* _wherry_turned_callback"

// unseenWaits is where package check reads which functions of the C library wait without
// that wherry sees it.
const unseenWaits = "unseen"

// openCode opens linked objects. Functions elsewhere are not what a definition here says;
// unseen is what unseenIn returned. The libraries are looked for in folders too.
func openCode(linked string, elsewhere []string, unseen string, folders []string) (code, error) {
	line, err := unresolved(elsewhere)
	if err != nil {
		return code{}, err
	}
	known, err := check.ReadAnnotations(strings.NewReader(goSide+line), "wherry")
	if err != nil {
		return code{}, err
	}
	waits, err := check.ReadAnnotations(strings.NewReader(unseen), unseenWaits)
	if err != nil {
		return code{}, err
	}
	program, err := check.Open(linked, check.Options{Annotations: []*check.Annotations{known, waits}, LibraryPath: folders})
	return code{program}, err
}

// unresolved is the checker's line for functions that another package may define. A name that would
// say more there than itself is an error.
func unresolved(names []string) (line string, err error) {
	for _, name := range names {
		if !slices.Equal(strings.Fields(name), []string{name}) || strings.ContainsAny(name, "#*?[\\=") || name == "noreturn" {
			return "", fmt.Errorf("another package may define %q, and the checker takes no such name", name)
		}
	}
	if len(names) == 0 {
		return "", nil
	}
	return "\nhazard unresolved " + strings.Join(names, " "), nil
}

// unseenIn lists functions of a C library that wait, for the checker.
func unseenIn(library blocking.Library) string {
	var lines strings.Builder
	for _, f := range library.Unseen() {
		class := check.Block
		if f.Kind == blocking.Tries {
			class = check.Lock
		}
		fmt.Fprintf(&lines, "hazard %s %s\n", class, f.Name)
	}
	return lines.String()
}

// A linkedCode is the package's own, or a library that it needs.
type linkedCode struct {
	path, soname string
	system       bool // of the C library's family
}

// files returns the package's own file and the libraries that it needs.
func (c code) files() (files []linkedCode) {
	for _, l := range c.program.Libraries() {
		files = append(files, linkedCode{l.Path, l.Soname, l.System})
	}
	return files
}

// missing returns the libraries that were not found.
func (c code) missing() []string { return c.program.Missing() }

// functions names all functions of the package.
func (c code) functions() []string { return c.program.AllFunctions() }

// comparesStack names the functions, outside of the C library, that compare their stack
// pointer with an address in memory.
func (c code) comparesStack() []string { return c.program.ComparesStack() }

// facts reads a wrapper's twin, and returns the error if it cannot. name is what Go code calls the function.
func (c code) facts(twin, name string) facts {
	results, err := c.program.Check(twin)
	if err != nil {
		return unread(err)
	}
	return factsOf(results[0], name)
}

// withoutCallback are the classes beside which a function is still known not to call
// back. The others are not: what takes a lock may be pthread_once, what writes to a
// file may write to one of fopencookie.
var withoutCallback = []check.Class{check.Alloc, check.Block, check.Syscall, check.Recursion, check.DynamicStack}

// aside are the classes beside which C is known to run for itself: without a callback, a
// lock, a wait, and any other way to learn what another thread has done.
var aside = []check.Class{check.Alloc, check.DynamicStack}

func factsOf(r check.Result, name string) facts {
	f := facts{read: true, says: why(&r, name), noCallback: true, strict: r.Strict, ownSyscall: slices.Contains(r.Notes, check.OwnSyscall)}
	f.harmless = r.Verdict == check.Safe || r.OnlyAllocates()
	f.short = r.Verdict == check.Safe && !r.Loops && len(r.Libraries) == 0
	for _, h := range r.Hazards {
		f.noCallback = f.noCallback && slices.Contains(withoutCallback, h.Class)
		if f.meets == "" && !slices.Contains(aside, h.Class) {
			f.meets = h.Class.Says()
		}
		switch h.Class {
		case check.Callback:
			f.callsBack = true
			f.entersGo = f.entersGo || len(h.Path) > 0 && !strings.HasPrefix(h.Path[len(h.Path)-1].Function, "_wherry_")
		case check.Indirect, check.Unresolved:
			f.beyond = codeOfOthers
		}
	}
	if f.meets == "" && r.Watches {
		f.meets = "has a loop that may wait for another thread"
	}
	f.apart = f.meets == ""
	for _, l := range slices.Backward(r.Libraries) {
		f.libraries = append(f.libraries, l.Path)
		if !l.System {
			f.beyond = filepath.Base(l.Path)
		}
	}
	for _, a := range r.Assumptions {
		if strings.HasPrefix(a.Pos, unseenWaits+":") && f.unseen == "" {
			f.unseen = a.Text[strings.LastIndexByte(a.Text, ' ')+1:]
		}
	}
	return f
}

// why is the verdict in a line, in the words of wherry check. name is what Go code calls
// the function.
func why(r *check.Result, name string) string {
	hazards := ""
	if len(r.Hazards) > 0 {
		sorted := slices.SortedStableFunc(slices.Values(r.Hazards), func(a, b check.Hazard) int { return weight(a.Class) - weight(b.Class) })
		var all []string
		for _, h := range sorted {
			all = append(all, fmt.Sprintf("%s: %s", h.Class, pathText(h.Path, name)))
		}
		hazards = fmt.Sprintf("%s, %s", r.Verdict, strings.Join(all, "; "))
	}
	if hazards != "" && !r.OnlyAllocates() {
		return "checked: " + hazards
	}
	text := "checked: "
	if hazards != "" {
		text += hazards + "; "
	}
	if !r.Loops {
		text += "no "
	}
	text += "loops"
	if r.Stack >= 0 {
		text += fmt.Sprintf(", %d bytes of stack", r.Stack)
	}
	for _, l := range r.Libraries {
		text += ", code of " + l.Soname
	}
	return text
}

// weight puts the hazard first that says most: allocating alone keeps nothing
// on cgo, and what is certain says more than what is not known.
func weight(c check.Class) int {
	switch {
	case c == check.Alloc:
		return 2
	case c.Uncertain():
		return 1
	}
	return 0
}

// pathText is a path of calls, from the function itself on, not its twin.
func pathText(path []check.Frame, name string) string {
	var names []string
	for i, frame := range path {
		switch {
		case i == 0 && len(path) > 1 && path[1].Function == name:
		case i == 0:
			names = append(names, name)
		default:
			names = append(names, frame.Function)
		}
	}
	if n := len(names); n > 5 { // wherry check has it whole
		names = append(names[:2:2], append([]string{"..."}, names[n-2:]...)...)
	}
	return strings.Join(names, " -> ")
}

// errNoSymbols is that of linked objects of which the functions have no names.
var errNoSymbols = errors.New("the linked objects have no symbols")
