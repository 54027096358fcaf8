package accel

import (
	"strings"
	"testing"

	"github.com/wherrygo/wherry/check"
)

// What the checker says of each class of hazard, in answers to what accel asks.
func TestFacts(t *testing.T) {
	if f := factsOf(check.Result{Verdict: check.Safe, Stack: 100}, "f"); !f.short || !f.noCallback || !f.harmless || !f.apart ||
		!f.read || f.says != "checked: no loops, 100 bytes of stack" {
		t.Errorf("safe: got %+v", f)
	}
	for class, want := range map[check.Class]struct {
		noCallback, harmless bool
		meets, beyond        string
	}{
		check.Alloc:        {noCallback: true, harmless: true},
		check.DynamicStack: {noCallback: true},
		check.Block:        {noCallback: true, meets: "waits"},
		check.Syscall:      {noCallback: true, meets: "system call"},
		check.Recursion:    {noCallback: true, meets: "calls itself"},
		check.Lock:         {meets: "lock"},
		check.IO:           {meets: "files"},
		check.Thread:       {meets: "threads"},
		check.Jump:         {meets: "longjmp"},
		check.Signal:       {meets: "signals"},
		check.Callback:     {meets: "calls into Go"},
		check.Indirect:     {meets: "unknown address", beyond: codeOfOthers},
		check.Unresolved:   {meets: "not found", beyond: codeOfOthers},
		check.Undecodable:  {meets: "no known instruction"},
	} {
		path := []check.Frame{{Function: "_wherry_twin_1_Cfunc_f"}, {Function: "f"}, {Function: "_wherry_callback_1_goF"}}
		r := check.Result{Verdict: check.Unsafe, Hazards: []check.Hazard{{Class: class, Path: path}}}
		f := factsOf(r, "f")
		if f.noCallback != want.noCallback || f.harmless != want.harmless || f.beyond != want.beyond || f.short ||
			!strings.Contains(f.meets, want.meets) || f.apart != (want.meets == "") || f.callsBack != (class == check.Callback) || f.entersGo {
			t.Errorf("%v: got %+v, want %+v", class, f, want)
		}
		if says := class.String() + ": f -> _wherry_callback_1_goF"; !strings.Contains(f.says, says) {
			t.Errorf("%v: got %q, want %q", class, f.says, says)
		}
		r.Hazards[0].Path[2].Function = "crosscall2"
		if f := factsOf(r, "f"); f.entersGo != (class == check.Callback) {
			t.Errorf("%v through crosscall2: got %+v", class, f)
		}
	}
	loops, waits := check.Result{Verdict: check.Safe, Loops: true}, check.Result{Verdict: check.Safe, Loops: true, Watches: true, Strict: true}
	if f := factsOf(loops, "f"); f.short || !f.harmless || !f.apart || f.strict {
		t.Errorf("a loop: got %+v", f)
	}
	if f := factsOf(waits, "f"); f.short || f.apart || f.meets == "" || !f.strict {
		t.Errorf("a loop that waits: got %+v", f)
	}
	library := check.Result{Verdict: check.Safe, Notes: []check.Note{check.OwnSyscall}, Libraries: []check.Library{{Path: "/lib/libz.so.1"}},
		Assumptions: []check.Assumption{{Text: "hazard block epoll_pwait2", Pos: "unseen:1"}}}
	if f := factsOf(library, "f"); f.short || f.beyond != "libz.so.1" || !f.ownSyscall || f.unseen != "epoll_pwait2" {
		t.Errorf("a library: got %+v", f)
	}
}
