package accel

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/wherrygo/wherry/check"
	"github.com/wherrygo/wherry/internal/build/policy"
	"github.com/wherrygo/wherry/internal/crossing/abi"
)

// goSide names what only stands in for Go in the package's linked C objects:
// cgo and wherry put empty functions there.
const goSide = "hazard callback crosscall2 crosscall_amd64 _cgoexp_* _cgo_wait_runtime_init_done _cgo_release_context _cgo_panic " +
	"_cgo_allocate _cgo_reginit " +
	"_wherry_callback* _wherry_exported* _wherry_turned_callback"

// unseenWaits is where package check reads which functions of the C library wait without
// that wherry sees it.
const unseenWaits = "unseen"

// splitter is what code calls that was compiled with -fsplit-stack.
const splitter = "__morestack"

// A verdict is what package check says about a twin, and so about the C
// function with all that it reaches.
type verdict struct {
	result check.Result
	err    error
	bounds string // what shows that the package's program looks at where its stack is, or empty
	cxx    string // the library of C++ that the package is linked with, or empty
	splits bool   // the package has code that grows its stack by itself: gcc -fsplit-stack

	alignments []byte // in C, of what its arguments point to; see stays.go
}

// A judgement is what is known about a package's C code.
type judgement struct {
	verdicts  map[string]verdict // by wrapper
	missing   []string           // symbols that its objects lack
	libraries []Library          // that the verdicts rest on
	callers   map[string]bool    // functions that call an exported one, or pass it on
}

// judge judges twins in the package's linked C objects. Of a function that could not be
// judged nothing is assumed; that never fails the build.
func (c *Config) judge(objdir string, p *plan) (j *judgement) {
	j = &judgement{verdicts: map[string]verdict{}}
	fail := func(err error) {
		for _, d := range p.Calls {
			if d.Symbol != "" {
				j.verdicts[d.Symbol] = verdict{err: fmt.Errorf("not checked: %w", err)}
			}
		}
	}
	defer func() {
		if bug := recover(); bug != nil {
			fail(fmt.Errorf("a mistake in wherry's checker: %v", bug))
		}
	}()
	program, aligned, err := c.openObjects(objdir, p, j)
	if err != nil {
		fail(err)
		return j
	}
	twins := program.AllFunctions()
	bounds := asksForBounds(program)
	if bounds == "" && len(j.missing) > 0 {
		bounds = mayAsk(j.missing[0] + ", which another package defines,")
	}
	splits := slices.Contains(twins, splitter) || slices.Contains(j.missing, splitter)
	cxx := ""
	for _, l := range program.Libraries()[1:] {
		if strings.HasPrefix(l.Soname, "libstdc++.") || strings.HasPrefix(l.Soname, "libc++.") {
			cxx = l.Soname
		}
	}
	for _, d := range p.Calls {
		if d.Symbol == "" {
			continue
		}
		if !slices.Contains(twins, twinSymbol(d.Symbol)) {
			j.verdicts[d.Symbol] = verdict{err: errors.New("not checked: the linked objects have no symbols")}
			continue
		}
		results, err := program.Check(twinSymbol(d.Symbol))
		if err != nil {
			j.verdicts[d.Symbol] = verdict{err: fmt.Errorf("not checked: %w", err)}
			continue
		}
		j.verdicts[d.Symbol] = verdict{results[0], nil, bounds, cxx, splits, aligned[alignmentSymbol(d.Symbol)]}
	}
	j.libraries = restsOn(program, j.verdicts)
	return j
}

// openObjects links the package's objects, and opens them with what only stands in for
// something else told to the checker. The alignments are those that the twins' files say.
func (c *Config) openObjects(objdir string, p *plan, j *judgement) (program *check.Program, alignments map[string][]byte, err error) {
	weak, err := replaceable(objdir)
	if err != nil {
		return nil, nil, err
	}
	linked, missing, err := c.linkedObjects(objdir, p)
	j.missing = missing
	if err != nil {
		return nil, nil, err
	}
	if alignments, err = readAlignments(linked); err != nil {
		return nil, nil, err
	}
	elsewhere, err := unresolved(append(weak, missing...))
	if err != nil {
		return nil, nil, err
	}
	facts, err := check.ReadAnnotations(strings.NewReader(goSide+elsewhere), "wherry")
	if err != nil {
		return nil, nil, err
	}
	unseen, err := check.ReadAnnotations(strings.NewReader(c.Unseen), unseenWaits)
	if err != nil {
		return nil, nil, err
	}
	program, err = check.Open(linked, check.Options{Annotations: []*check.Annotations{facts, unseen}, LibraryPath: c.beside()})
	return program, alignments, err
}

// beside returns the folder of musl's C library: its name, libc.so, is elsewhere that of a
// linker script of glibc's, and the folders of musl's loader nobody else knows.
func (c *Config) beside() (folders []string) {
	for _, file := range c.CLibrary {
		if filepath.Base(file) == "libc.so" {
			folders = append(folders, filepath.Dir(file))
		}
	}
	return folders
}

// withoutCallback are the classes beside which a function is still known not to call
// back. The others are not: what takes a lock may be pthread_once, what writes to a
// file may write to one of fopencookie.
var withoutCallback = []check.Class{check.Alloc, check.Block, check.Syscall, check.Recursion, check.DynamicStack}

// cannotCallBack reports whether the code shows that no callback can come. A shared
// library may be another one when the program runs; then a callback is a panic.
func (v verdict) cannotCallBack() bool {
	return v.err == nil && !slices.ContainsFunc(v.result.Hazards,
		func(h check.Hazard) bool { return !slices.Contains(withoutCallback, h.Class) })
}

// short reports whether the code shows that a call is done soon: it has no loop and
// calls nothing that waits.
func (v verdict) short() bool {
	return v.err == nil && v.result.Verdict == check.Safe && !v.result.Loops && len(v.result.Libraries) == 0
}

// harmless reports whether the code shows that it calls nothing that waits. A loop that
// waits for another thread is turned by a signal, in static programs too.
func (v verdict) harmless() bool {
	return v.err == nil && (v.result.Verdict == check.Safe || v.result.OnlyAllocates())
}

// leaves says what other code than its own and the C library's the function may come to, or
// nothing. In a library for a host only the library's own calls of the C library come to wherry.
func (v verdict) leaves() string {
	for _, l := range v.result.Libraries {
		if !l.System {
			return filepath.Base(l.Path)
		}
	}
	if v.cxx != "" {
		return v.cxx
	}
	if v.err != nil || slices.ContainsFunc(v.result.Hazards,
		func(h check.Hazard) bool { return h.Class == check.Indirect || h.Class == check.Unresolved }) {
		return "code of others"
	}
	return ""
}

// waitsUnseen names such a function that the function's code may come to, or returns nothing.
func (v verdict) waitsUnseen() string {
	for _, a := range v.result.Assumptions {
		if strings.HasPrefix(a.Pos, unseenWaits+":") {
			return a.Text[strings.LastIndexByte(a.Text, ' ')+1:]
		}
	}
	return ""
}

// decide completes the decision about a call and returns what its stub's data says.
func (v verdict) decide(call *decision, static, library bool) (flags abi.Flags) {
	why := v.why(call.Name)
	switch {
	case call.ByRule:
		call.Verdict = why
		flags = abi.ByUser
		call.Assumed = call.NoCallback && !v.cannotCallBack()
	case v.err == nil && slices.Contains(v.result.Notes, check.OwnSyscall):
		call.keep("checked: it has a system call instruction of its own, which may wait and would see the runtime's signals",
			policy.Fast, "you promise that its system calls do not wait, and that it does not mind EINTR")
		return 0
	case v.waitsUnseen() != "":
		call.keep(fmt.Sprintf("%s; nothing turns the call before %s waits, which an older C library lacks on which the program starts",
			why, v.waitsUnseen()), policy.Fast, "you promise that it does not wait there, or does not mind EINTR")
		return 0
	case v.splits:
		call.keep("its package has code that grows its stack by itself (-fsplit-stack), for which wherry could not turn the call",
			policy.Fast, "you promise that none of this code runs in the call")
		return 0
	case v.callsRuntime():
		call.keep(why+": it enters Go in a way of its own, for which wherry could not turn the call",
			policy.NoCallback, "you promise that this code does not run; if it does, that is a panic")
		return 0
	case v.callsBack() && v.bounds != "":
		call.keep(fmt.Sprintf("%s; %s, so it cannot run on another stack, "+
			"and from its thread's stack callbacks are fastest through cgo", why, v.bounds),
			policy.Reentrant, policy.Asks(policy.Reentrant))
		return 0
	case static && !v.harmless():
		call.keep(why+"; nothing stands before a static C library's functions, nor in an archive, to turn the call before it blocks",
			policy.Fast, "you promise that it does not wait: while it does, its P is idle")
		return 0
	case library && !v.harmless() && v.leaves() != "":
		call.keep(fmt.Sprintf("%s; in a library for a host nothing turns the call before %s waits", why, v.leaves()),
			policy.Fast, "you promise that it does not wait there, or does not mind EINTR")
		return 0
	default:
		call.Why = why
	}
	if call.Mode != policy.Fast {
		return flags
	}
	if v.cannotCallBack() {
		call.NoCallback = true
	}
	if v.short() {
		flags |= abi.Always
	}
	if v.err == nil && v.bounds == "" && !call.NoCallback && !call.ByRule {
		flags |= abi.MaySwitch
	}
	if call.NoCallback {
		flags |= abi.NoCallback
	}
	return flags
}

// keep leaves a function on cgo. A rule with the word would take it off, and asks that of
// the user.
func (call *decision) keep(why string, word policy.Mode, asks string) {
	call.Mode, call.Why, call.Word, call.Asks = policy.Cgo, why, word.String(), asks
}

// callsBack reports whether the code shows a callback.
func (v verdict) callsBack() bool {
	return slices.ContainsFunc(v.result.Hazards, func(h check.Hazard) bool { return h.Class == check.Callback })
}

// callsRuntime reports whether the code shows that C enters Go's runtime by itself, and
// not by a function that cgo has exported.
func (v verdict) callsRuntime() bool {
	return slices.ContainsFunc(v.result.Hazards, func(h check.Hazard) bool {
		return h.Class == check.Callback && len(h.Path) > 0 && !strings.HasPrefix(h.Path[len(h.Path)-1].Function, "_wherry_")
	})
}

// why is the verdict in a line, in the words of wherry check. name is what Go code calls
// the function.
func (v verdict) why(name string) string {
	r := v.result
	if v.err != nil {
		return v.err.Error()
	}
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
