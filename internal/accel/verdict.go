package accel

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/wherrygo/wherry/check"
	"github.com/wherrygo/wherry/internal/policy"
)

// maxCheckedStack is how much stack a function may need to be accelerated by
// its verdict: what the C library of a small system gives a whole thread.
const maxCheckedStack = 64 << 10

// goSide names what only stands in for Go in the package's linked C objects:
// cgo and wherry put empty functions there.
const goSide = "hazard callback crosscall2 crosscall_amd64 _cgoexp_* _cgo_wait_runtime_init_done _cgo_release_context _cgo_panic _cgo_allocate _cgo_reginit " +
	"_wherry_crosscall* _wherry_callback* _wherry_exported* _wherry_yield* _wherry_refill* _wherry_demoted* _wherry_guard_timed _wherry_guard_cgo"

// A verdict is what package check says about a twin, and so about the C
// function with all that it reaches.
type verdict struct {
	result check.Result
	err    error
}

// verdicts judges twins in the package's linked C objects. Whatever goes wrong
// there keeps a function on cgo, and never fails the build.
func verdicts(objdir string, calls []plannedCall) (found map[string]verdict) {
	found = map[string]verdict{}
	fail := func(err error) {
		for _, call := range calls {
			if call.Symbol != "" {
				found[call.Symbol] = verdict{err: err}
			}
		}
	}
	defer func() {
		if bug := recover(); bug != nil {
			fail(fmt.Errorf("not checked: a mistake in wherry's checker: %v", bug))
		}
	}()
	lines := goSide
	weak, err := replaceable(objdir)
	if err != nil {
		fail(fmt.Errorf("not checked: %v", err))
		return found
	}
	if len(weak) > 0 {
		lines += "\nhazard unresolved " + strings.Join(weak, " ")
	}
	facts, err := check.ReadAnnotations(strings.NewReader(lines), "wherry")
	if err != nil {
		fail(err)
		return found
	}
	program, err := check.Open(filepath.Join(objdir, "_cgo_.o"), check.Options{Annotations: []*check.Annotations{facts}})
	if err != nil {
		fail(fmt.Errorf("not checked: %v", err))
		return found
	}
	twins := program.AllFunctions()
	for _, call := range calls {
		if call.Symbol == "" {
			continue
		}
		if !slices.Contains(twins, twinSymbol(call.Symbol)) {
			found[call.Symbol] = verdict{err: errors.New("not checked: the linked objects have no symbols")}
			continue
		}
		results, err := program.Check(twinSymbol(call.Symbol))
		if err != nil {
			found[call.Symbol] = verdict{err: fmt.Errorf("not checked: %v", err)}
			continue
		}
		found[call.Symbol] = verdict{result: results[0]}
	}
	return found
}

// mode decides by the verdict alone, for a function that no rule names: direct
// where nothing stands against it and its time is bounded by its code, guarded
// where it has loops, or where its code is in a shared library, which may be
// another one when the program runs. Empty is cgo.
func (v verdict) mode() policy.Mode {
	r := v.result
	switch {
	case v.err != nil, r.Verdict != check.Safe && !r.OnlyAllocates():
		return ""
	case r.Stack < 0, r.Stack > maxCheckedStack:
		return ""
	case slices.ContainsFunc(r.Libraries, func(l check.Library) bool { return l.BuildID == "" || l.Soname == "" }):
		return ""
	case r.Loops || len(r.Libraries) > 0:
		return policy.Guarded
	}
	return policy.Direct
}

// allows says whether the verdict agrees with a mode that a rule asks for. How
// long a function with loops takes is the user's to know.
func (v verdict) allows(mode policy.Mode) bool {
	if mode != policy.Reentrant {
		return v.mode() != ""
	}
	return v.err == nil && !slices.ContainsFunc(v.result.Hazards, func(h check.Hazard) bool { return h.Class != check.Callback && h.Class != check.Alloc })
}

// why is the verdict in a line. name is what Go code calls the function.
func (v verdict) why(name string) string {
	r := v.result
	if v.err != nil {
		return v.err.Error()
	}
	if v.mode() != "" {
		text := "checked: no loops"
		if r.Loops {
			text = "checked: loops"
		}
		if r.Stack >= 0 {
			text += fmt.Sprintf(", %d bytes of stack", r.Stack)
		}
		if r.OnlyAllocates() {
			text += ", allocates"
		}
		for _, l := range r.Libraries {
			text += ", code of " + l.Soname
		}
		return text
	}
	if len(r.Hazards) > 0 && !r.OnlyAllocates() {
		h := slices.MinFunc(r.Hazards, func(a, b check.Hazard) int { return weight(a.Class) - weight(b.Class) })
		return fmt.Sprintf("checked: %s, %s: %s", r.Verdict, h.Class, pathText(h.Path, name))
	}
	for _, l := range r.Libraries {
		if l.BuildID == "" || l.Soname == "" {
			return fmt.Sprintf("checked, but %s has no build-id, so it could not be told from another one when the program runs", l.Path)
		}
	}
	return fmt.Sprintf("checked: it needs %d bytes of stack, more than %d", r.Stack, maxCheckedStack)
}

// weight puts the hazard that says most first: allocating alone keeps nothing
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
