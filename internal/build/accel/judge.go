package accel

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/wherrygo/wherry/internal/build/policy"
	"github.com/wherrygo/wherry/internal/crossing/abi"
)

// splitter is what code calls that was compiled with -fsplit-stack.
const splitter = "__morestack"

// A verdict is what is known about a twin, and so about the C function with all that it
// reaches, and about the package.
type verdict struct {
	facts
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
				j.verdicts[d.Symbol] = verdict{facts: unread(err)}
			}
		}
	}
	defer func() {
		if bug := recover(); bug != nil {
			fail(fmt.Errorf("a mistake in wherry's checker: %v", bug))
		}
	}()
	linked, aligned, err := c.openObjects(objdir, p, j)
	if err != nil {
		fail(err)
		return j
	}
	files, functions := linked.files(), linked.functions()
	var twins, names []string
	for _, d := range p.Calls {
		if _, known := slices.BinarySearch(functions, twinSymbol(d.Symbol)); known && d.Symbol != "" {
			twins, names = append(twins, twinSymbol(d.Symbol)), append(names, d.Name)
		}
	}
	found, err := linked.read(twins, names)
	if err != nil {
		fail(err)
		return j
	}
	bounds := asksForBounds(linked)
	if bounds == "" && len(j.missing) > 0 {
		bounds = mayAsk(j.missing[0] + ", which another package defines,")
	}
	splits := slices.Contains(functions, splitter) || slices.Contains(j.missing, splitter)
	cxx := ""
	for _, l := range files[1:] {
		if strings.HasPrefix(l.Soname, "libstdc++.") || strings.HasPrefix(l.Soname, "libc++.") {
			cxx = l.Soname
		}
	}
	for _, d := range p.Calls {
		if i := slices.Index(twins, twinSymbol(d.Symbol)); i >= 0 {
			j.verdicts[d.Symbol] = verdict{found[i], bounds, cxx, splits, aligned[alignmentSymbol(d.Symbol)]}
		} else if d.Symbol != "" {
			j.verdicts[d.Symbol] = verdict{facts: unread(errNoSymbols)}
		}
	}
	j.libraries = restsOn(files, j.verdicts)
	return j
}

// openObjects links the package's objects, and opens them with what only stands in for
// something else told to the reader. The alignments are those that the twins' files say.
func (c *Config) openObjects(objdir string, p *plan, j *judgement) (linked code, alignments map[string][]byte, err error) {
	weak, err := replaceable(objdir)
	if err != nil {
		return code{}, nil, err
	}
	file, missing, err := c.linkedObjects(objdir, p)
	j.missing = missing
	if err != nil {
		return code{}, nil, err
	}
	if alignments, err = readAlignments(file); err != nil {
		return code{}, nil, err
	}
	linked, err = openCode(file, append(weak, missing...), c.Unseen, c.beside())
	return linked, alignments, err
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

// leaves says what other code than its own and the C library's the function may come to, or
// nothing. In a library for a host only the library's own calls of the C library come to wherry.
func (v verdict) leaves() string {
	if v.cxx != "" && v.beyond == codeOfOthers {
		return v.cxx
	}
	return cmp.Or(v.beyond, v.cxx)
}

// decide completes the decision about a call and returns what its stub's data says.
func (v verdict) decide(call *decision, static, library bool) (flags abi.Flags) {
	why := v.says
	switch {
	case call.ByRule:
		call.Verdict = why
		flags = abi.ByUser
		call.Assumed = call.NoCallback && !v.noCallback
	case v.ownSyscall:
		call.keep("read: it has a system call instruction of its own, which may wait and would see the runtime's signals",
			policy.Fast, "you promise that its system calls do not wait, and that it does not mind EINTR")
		return 0
	case v.unseen != "":
		call.keep(fmt.Sprintf("%s; nothing turns the call before %s waits, which an older C library lacks on which the program starts",
			why, v.unseen), policy.Fast, "you promise that it does not wait there, or does not mind EINTR")
		return 0
	case v.splits:
		call.keep("its package has code that grows its stack by itself (-fsplit-stack), for which wherry could not turn the call",
			policy.Fast, "you promise that none of this code runs in the call")
		return 0
	case v.entersGo:
		call.keep(why+": it enters Go in a way of its own, for which wherry could not turn the call",
			policy.NoCallback, "you promise that this code does not run; if it does, that is a panic")
		return 0
	case v.callsBack && v.bounds != "":
		call.keep(fmt.Sprintf("%s; %s, so it cannot run on another stack, "+
			"and from its thread's stack callbacks are fastest through cgo", why, v.bounds),
			policy.Reentrant, policy.Asks(policy.Reentrant))
		return 0
	case static && !v.harmless:
		call.keep(why+"; nothing stands before a static C library's functions, nor in an archive, to turn the call before it blocks",
			policy.Fast, "you promise that it does not wait: while it does, its P is idle")
		return 0
	case library && !v.harmless && v.leaves() != "":
		call.keep(fmt.Sprintf("%s; in a library for a host nothing turns the call before %s waits", why, v.leaves()),
			policy.Fast, "you promise that it does not wait there, or does not mind EINTR")
		return 0
	default:
		call.Why = why
	}
	if call.Mode != policy.Fast {
		return flags
	}
	if v.noCallback {
		call.NoCallback = true
	}
	if v.short {
		flags |= abi.Always
	}
	if v.read && v.bounds == "" && !call.NoCallback && !call.ByRule {
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
