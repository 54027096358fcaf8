package accel

import (
	"errors"
	"strings"
	"testing"

	"github.com/wherrygo/wherry/internal/build/policy"
	"github.com/wherrygo/wherry/internal/crossing/abi"
)

// What the code shows decides where arguments may be, whether the stub is the
// shortest one, and whether the call may come to run on a C stack.
func TestDecide(t *testing.T) {
	safe := facts{read: true, says: "read: no loops", noCallback: true, harmless: true, short: true}
	loops := facts{read: true, says: "read: loops", noCallback: true, harmless: true}
	blocks := facts{read: true, says: "read: block: f", noCallback: true}
	locks := facts{read: true, says: "read: lock: f"}
	callback := facts{read: true, says: "read: callback: f", callsBack: true}
	pointer := facts{read: true, says: "read: indirect: f", beyond: codeOfOthers}
	enters, syscall, library, other := callback, safe, loops, locks // enters by itself, as SWIG's code does
	enters.entersGo = true
	syscall.ownSyscall = "f"
	library.libraries = []string{"/lib/libz.so.1"}
	other.beyond = "libssl.so"
	askingLocks, askingCallback, splitting, cxx := locks, callback, safe, locks
	askingLocks.bounds, askingCallback.bounds = mayAsk("libv8.so"), mayAsk("libv8.so")
	splitting.splits, cxx.cxx = true, "libstdc++.so.6"
	watches := loops
	watches.watches = true
	unknown := unread(errors.New("no file"))
	const cgo, fast, reentrant = policy.Cgo, policy.Fast, policy.Reentrant
	for name, test := range map[string]struct {
		code       facts
		call       decision
		static     bool // the C library
		mode       policy.Mode
		nocallback bool
		flags      abi.Flags
		says       string // why, or what its code shows where a rule decided
	}{
		"short":             {safe, decision{}, false, fast, true, abi.Always | abi.NoCallback, "no loops"},
		"loops":             {loops, decision{}, false, fast, true, abi.NoCallback, "loops"},
		"in a library":      {library, decision{}, false, fast, true, abi.NoCallback, "loops"},
		"blocks":            {blocks, decision{}, false, fast, true, abi.NoCallback, "block: f"},
		"locks":             {locks, decision{}, false, fast, false, abi.MaySwitch, "lock: f"},
		"calls back":        {callback, decision{}, false, fast, false, abi.MaySwitch, "callback: f"},
		"through a pointer": {pointer, decision{}, false, fast, false, abi.MaySwitch, "indirect: f"},
		"bounds asked":      {askingLocks, decision{}, false, fast, false, 0, "lock"},
		"calls back, bounds": {askingCallback,
			decision{}, false, cgo, false, 0,
			"libv8.so may ask for the bounds of its stack"},
		"enters the runtime": {enters, decision{}, false, cgo, false, 0, "it enters Go in a way of its own"},
		"#cgo nocallback":    {callback, decision{Function: Function{NoCallback: true}}, false, fast, true, abi.NoCallback, "callback"},
		"not read":           {unknown, decision{}, false, fast, false, 0, "not read"},
		"own system call":    {syscall, decision{}, false, cgo, false, 0, "a system call instruction of its own"},
		"fast by a rule": {syscall, decision{Function: Function{ByRule: true}}, false, fast, true,
			abi.ByUser | abi.Always | abi.NoCallback, "no loops"},
		"nocallback by a rule": {callback,
			decision{Function: Function{ByRule: true, NoCallback: true}}, false, fast, true, abi.ByUser | abi.NoCallback, "callback"},
		"watches":          {watches, decision{}, false, fast, true, abi.NoCallback, "loops"},
		"static, watches":  {watches, decision{}, true, cgo, false, 0, "may wait for another thread"},
		"library, watches": {watches, decision{}, false, cgo, false, 0, "may wait for another thread"},
		"static, safe":     {loops, decision{}, true, fast, true, abi.NoCallback, "loops"},
		"static, locks":    {locks, decision{}, true, cgo, false, 0, "nothing stands before a static C library's functions"},
		"static, not checked": {unknown, decision{}, true, cgo, false, 0,
			"not read: no file; nothing stands before a static C library's functions"},
		"static, by a rule":          {locks, decision{Function: Function{ByRule: true}}, true, fast, false, abi.ByUser, "lock"},
		"splits its stack":           {splitting, decision{}, false, cgo, false, 0, "-fsplit-stack"},
		"library, locks":             {locks, decision{}, false, fast, false, abi.MaySwitch, "lock"},
		"library, through a pointer": {pointer, decision{}, false, cgo, false, 0, "code of others waits"},
		"library, not checked":       {unknown, decision{}, false, cgo, false, 0, "code of others waits"},
		"library, C++":               {cxx, decision{}, false, cgo, false, 0, "libstdc++.so.6 waits"},
		"library, another one's":     {other, decision{}, false, cgo, false, 0, "libssl.so waits"},
		"library, by a rule": {pointer,
			decision{Function: Function{ByRule: true}}, false, fast, false,
			abi.ByUser, "indirect"},
		"reentrant by a rule": {safe, decision{Function: Function{ByRule: true, Mode: reentrant}}, false,
			reentrant, false, abi.ByUser, "no loops"},
	} {
		call := test.call
		call.Name = "f"
		if call.Mode == cgo {
			call.Mode = fast
		}
		flags := call.byCode(test.code, test.static, strings.HasPrefix(name, "library"))
		says := call.Why
		if call.ByRule {
			says = call.Code
		}
		if call.Mode != test.mode || call.NoCallback != test.nocallback || flags != test.flags || !strings.Contains(says, test.says) {
			t.Errorf("%s: got mode %v, nocallback %v, flags %d, %q; want %v, %v, %d, %q", name, call.Mode, call.NoCallback, flags, says, test.mode,
				test.nocallback, test.flags, test.says)
		}
		if want := name == "nocallback by a rule"; call.Assumed != want {
			t.Errorf("%s: the rule contradicts the code: got %v, want %v", name, call.Assumed, want)
		}
	}
}
