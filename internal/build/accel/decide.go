package accel

import (
	"fmt"
	"path/filepath"

	"github.com/wherrygo/wherry/internal/build/policy"
	"github.com/wherrygo/wherry/internal/crossing"
	"github.com/wherrygo/wherry/internal/crossing/abi"
)

// What becomes of a C function is decided twice: by rules, when cgo has run, so that all the
// rest knows whether to write a twin; and by its code, when that is compiled.

// A decision is what becomes of one generated Go function.
type decision struct {
	Function
	GoName    string `json:"go_name"`   // the generated function
	Symbol    string `json:"symbol"`    // its C wrapper
	Registers bool   `json:"registers"` // values travel in registers, not in cgo's frame
	Promised  string `json:"promised"`  // who says that it does not call back; empty: its code
}

// byRule returns what the rules say of a function, or the default.
func (c *Config) byRule(rules []policy.Rule, f *function) decision {
	rule := policy.Decide(rules, f.name)
	d := decision{GoName: f.decl.Name.Name, Promised: promised(rule)}
	d.Name = f.name
	switch {
	case rule == nil && c.OnCgo:
		d.Why, d.Word, d.Asks = "no rule names it", policy.Fast.String(), policy.Asks(policy.Fast)
		return d
	case rule == nil:
		d.Mode, d.Why = policy.Fast, "by default"
		return d
	case rule.Directive:
		d.Why = directiveText(rule)
	default:
		d.Why, d.ByPolicy = "named by a line of wherry.policy", true
	}
	d.Mode, d.Stack, d.ByRule = rule.Mode, rule.Stack, true
	if rule.Mode == policy.NoCallback {
		d.Mode, d.NoCallback = policy.Fast, true
	}
	return d
}

const _ = uint(crossing.MaxSize - policy.MaxStack) // does not compile where a rule may ask for more than there can be

// promised says whose word it is that a function does not call back, if it is that of a
// rule. A line of a policy is named by what it says: where it stands may change, and the
// package is not built again.
func promised(rule *policy.Rule) string {
	switch {
	case rule == nil || rule.Mode != policy.NoCallback:
		return ""
	case rule.Directive:
		return directiveText(rule)
	}
	return fmt.Sprintf("the line \"%s %s %s\" of %s", rule.Package, rule.Glob, rule.Words(), filepath.Base(rule.File))
}

func directiveText(rule *policy.Rule) string {
	return fmt.Sprintf("//wherry:%s in %s:%d", rule.Words(), filepath.Base(rule.File), rule.Line)
}

// byCode completes the decision by what the function's code shows, and returns what its stub's
// data says.
func (d *decision) byCode(f facts, static, library bool) (flags abi.Flags) {
	why := f.says
	switch {
	case d.ByRule:
		d.Code = why
		flags = abi.ByUser
		d.Assumed = d.NoCallback && !f.noCallback
	case f.ownSyscall != "":
		d.keep("read: "+f.ownSyscall+" has a system call instruction of its own, which may wait and would see the runtime's signals",
			policy.Fast, "you promise that its system calls do not wait, and that it does not mind EINTR")
		return 0
	case f.unseen != "":
		d.keep(fmt.Sprintf("%s; nothing turns the call before %s waits, which an older C library lacks on which the program starts",
			why, f.unseen), policy.Fast, "you promise that it does not wait there, or does not mind EINTR")
		return 0
	case f.splits:
		d.keep("its package has code that grows its stack by itself (-fsplit-stack), for which wherry could not turn the call",
			policy.Fast, "you promise that none of this code runs in the call")
		return 0
	case f.entersGo:
		d.keep(why+": it enters Go in a way of its own, for which wherry could not turn the call",
			policy.NoCallback, "you promise that this code does not run; if it does, that is a panic")
		return 0
	case f.callsBack && f.bounds != "":
		d.keep(fmt.Sprintf("%s; %s, so it cannot run on another stack, "+
			"and from its thread's stack callbacks are fastest through cgo", why, f.bounds),
			policy.Reentrant, policy.Asks(policy.Reentrant))
		return 0
	case static && !f.harmless:
		d.keep(why+"; nothing stands before a static C library's functions, nor in an archive, to turn the call before it blocks",
			policy.Fast, "you promise that it does not wait: while it does, its P is idle")
		return 0
	case library && !f.harmless && f.leaves() != "":
		d.keep(fmt.Sprintf("%s; in a library for a host nothing turns the call before %s waits", why, f.leaves()),
			policy.Fast, "you promise that it does not wait there, or does not mind EINTR")
		return 0
	case (static || library) && f.watches:
		d.keep(why+"; it has a loop that may wait for another thread, and where nothing stands before what others do with signals "+
			"(a static C library, a library for a host) the runtime's, which would turn the call, may be blocked",
			policy.Fast, "you promise that it does not wait for what needs Go to go on")
		return 0
	default:
		d.Why = why
	}
	if d.Mode != policy.Fast {
		return flags
	}
	if f.noCallback {
		d.NoCallback = true
	}
	if f.short {
		flags |= abi.Always
	}
	if f.read && f.bounds == "" && !d.NoCallback && !d.ByRule {
		flags |= abi.MaySwitch
	}
	if d.NoCallback {
		flags |= abi.NoCallback
	}
	return flags
}

// keep leaves a function on cgo. A rule with the word would take it off, and asks that of
// the user.
func (d *decision) keep(why string, word policy.Mode, asks string) {
	d.Mode, d.Why, d.Word, d.Asks = policy.Cgo, why, word.String(), asks
}
