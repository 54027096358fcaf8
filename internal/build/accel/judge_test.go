package accel

import (
	"errors"
	"strings"
	"testing"

	"github.com/wherrygo/wherry/check"
	"github.com/wherrygo/wherry/internal/build/policy"
	"github.com/wherrygo/wherry/internal/crossing/abi"
)

// What the checker found out decides where arguments may be, whether the stub is the
// shortest one, and whether the call may come to run on a C stack.
func TestDecide(t *testing.T) {
	result := func(verdict check.Verdict, classes ...check.Class) check.Result {
		r := check.Result{Verdict: verdict, Stack: 100}
		for _, class := range classes {
			path := []check.Frame{{Function: "_wherry_twin_1_Cfunc_f"}, {Function: "f"}}
			if class == check.Callback {
				path = append(path, check.Frame{Function: "_wherry_callback_1_goF"})
			}
			r.Hazards = append(r.Hazards, check.Hazard{Class: class, Path: path})
		}
		return r
	}
	enters := result(check.Unsafe, check.Callback) // by itself, as SWIG's code does
	enters.Hazards[0].Path[2].Function = "crosscall2"
	loops, notes, library := result(check.Safe), result(check.Safe), result(check.Safe)
	loops.Loops = true
	notes.Notes = []check.Note{check.OwnSyscall}
	library.Libraries = []check.Library{{Soname: "libz.so.1"}}
	const cgo, fast, reentrant = policy.Cgo, policy.Fast, policy.Reentrant
	for name, test := range map[string]struct {
		verdict    verdict
		call       decision
		static     bool // the C library
		mode       policy.Mode
		nocallback bool
		flags      abi.Flags
		says       string // why, or the verdict where a rule decided
	}{
		"short": {verdict{result: result(check.Safe)}, decision{}, false, fast, true, abi.Always | abi.NoCallback,
			"no loops, 100 bytes of stack"},
		"loops":        {verdict{result: loops}, decision{}, false, fast, true, abi.NoCallback, "loops"},
		"in a library": {verdict{result: library}, decision{}, false, fast, true, abi.NoCallback, "code of libz.so.1"},
		"allocates": {verdict{result: result(check.Unsafe, check.Alloc)}, decision{}, false, fast, true, abi.NoCallback,
			"checked: unsafe, alloc: f; no loops, 100 bytes of stack"},
		"blocks": {verdict{result: result(check.Unsafe, check.Block)}, decision{}, false, fast, true,
			abi.NoCallback, "unsafe, block: f"},
		"locks": {verdict{result: result(check.Unsafe, check.Lock)}, decision{}, false, fast, false,
			abi.MaySwitch, "unsafe, lock: f"},
		"calls back": {verdict{result: result(check.Unsafe, check.Callback)}, decision{}, false, fast, false,
			abi.MaySwitch, "unsafe, callback: f"},
		"through a pointer": {verdict{result: result(check.Unknown, check.Indirect)}, decision{}, false, fast, false, abi.MaySwitch,
			"unknown, indirect: f"},
		"bounds asked": {verdict{result: result(check.Unsafe, check.Lock), bounds: mayAsk("libv8.so")}, decision{}, false,
			fast, false, 0, "lock"},
		"calls back, bounds": {verdict{result: result(check.Unsafe, check.Callback), bounds: mayAsk("libv8.so")},
			decision{}, false, cgo, false, 0,
			"libv8.so may ask for the bounds of its stack"},
		"enters the runtime": {verdict{result: enters}, decision{}, false, cgo, false, 0, "it enters Go in a way of its own"},
		"#cgo nocallback": {verdict{result: result(check.Unsafe, check.Callback)}, decision{Function: Function{NoCallback: true}}, false,
			fast, true, abi.NoCallback, "callback"},
		"not checked":     {verdict{err: errors.New("not checked")}, decision{}, false, fast, false, 0, "not checked"},
		"own system call": {verdict{result: notes}, decision{}, false, cgo, false, 0, "a system call instruction of its own"},
		"fast by a rule": {verdict{result: notes}, decision{Function: Function{ByRule: true}}, false, fast, true,
			abi.ByUser | abi.Always | abi.NoCallback, "no loops"},
		"nocallback by a rule": {verdict{result: result(check.Unsafe, check.Callback)},
			decision{Function: Function{ByRule: true, NoCallback: true}}, false, fast, true, abi.ByUser | abi.NoCallback, "callback"},
		"static, safe": {verdict{result: loops}, decision{}, true, fast, true, abi.NoCallback, "loops"},
		"static, allocates": {verdict{result: result(check.Unsafe, check.Alloc)}, decision{}, true, fast, true,
			abi.NoCallback, "unsafe, alloc: f"},
		"static, locks": {verdict{result: result(check.Unsafe, check.Lock)}, decision{}, true, cgo, false, 0,
			"nothing stands before a static C library's functions"},
		"static, not checked": {verdict{err: errors.New("not checked")}, decision{}, true, cgo, false, 0,
			"not checked; nothing stands before a static C library's functions"},
		"static, by a rule": {verdict{result: result(check.Unsafe, check.Lock)}, decision{Function: Function{ByRule: true}}, true, fast, false,
			abi.ByUser, "lock"},
		"splits its stack": {verdict{result: result(check.Safe), splits: true}, decision{}, false, cgo, false, 0, "-fsplit-stack"},
		"library, locks": {verdict{result: result(check.Unsafe, check.Lock)},
			decision{}, false, fast, false, abi.MaySwitch, "lock"},
		"library, through a pointer": {verdict{result: result(check.Unknown, check.Indirect)},
			decision{}, false, cgo, false, 0, "code of others waits"},
		"library, not checked": {verdict{err: errors.New("not checked")}, decision{}, false, cgo, false, 0, "code of others waits"},
		"library, C++": {verdict{result: result(check.Unsafe, check.Lock), cxx: "libstdc++.so.6"},
			decision{}, false, cgo, false, 0, "libstdc++.so.6 waits"},
		"library, another one's": {verdict{result: check.Result{Verdict: check.Unsafe, Hazards: []check.Hazard{{Class: check.Lock}},
			Libraries: []check.Library{{Path: "/lib/libssl.so"}}}}, decision{}, false, cgo, false, 0, "libssl.so waits"},
		"library, by a rule": {verdict{result: result(check.Unknown, check.Indirect)},
			decision{Function: Function{ByRule: true}}, false, fast, false,
			abi.ByUser, "indirect"},
		"reentrant by a rule": {verdict{result: result(check.Safe)}, decision{Function: Function{ByRule: true, Mode: reentrant}}, false,
			reentrant, false, abi.ByUser, "no loops"},
	} {
		call := test.call
		call.Name = "f"
		if call.Mode == cgo {
			call.Mode = fast
		}
		flags := test.verdict.decide(&call, test.static, strings.HasPrefix(name, "library"))
		says := call.Why
		if call.ByRule {
			says = call.Verdict
		}
		if call.Mode != test.mode || call.NoCallback != test.nocallback || flags != test.flags || !strings.Contains(says, test.says) {
			t.Errorf("%s: got mode %v, nocallback %v, flags %d, %q; want %v, %v, %d, %q", name, call.Mode, call.NoCallback, flags, says, test.mode,
				test.nocallback, test.flags, test.says)
		}
		if want := name == "nocallback by a rule"; call.Assumed != want {
			t.Errorf("%s: the rule contradicts the verdict: got %v, want %v", name, call.Assumed, want)
		}
	}
}

// musl's C library stands in a folder that no configuration of glibc's loader names.
func TestMuslIsFound(t *testing.T) {
	for _, c := range []struct {
		library, want string
	}{{"/lib/x86_64-linux-gnu/libc.so.6", ""}, {"/usr/lib/x86_64-linux-musl/libc.so", "/usr/lib/x86_64-linux-musl"}} {
		if got := strings.Join((&Config{CLibrary: []string{c.library}}).beside(), " "); got != c.want {
			t.Errorf("%s: got folders %q, want %q", c.library, got, c.want)
		}
	}
}
