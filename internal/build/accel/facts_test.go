package accel

import (
	"strings"
	"testing"

	"github.com/wherrygo/wherry/internal/read"
)

// What the code of a function shows, class by class, in answers to what accel asks.
func TestFacts(t *testing.T) {
	if f := factsOf(&read.Function{}, "f"); !f.short || !f.noCallback || !f.harmless || !f.apart || !f.read || f.says != "read: no loops" {
		t.Errorf("nothing: got %+v", f)
	}
	for class, want := range map[read.Class]struct {
		noCallback, harmless bool
		meets, beyond        string
	}{
		read.Alloc:       {noCallback: true, harmless: true},
		read.Block:       {noCallback: true, meets: "waits"},
		read.Recursion:   {noCallback: true, meets: "calls itself"},
		read.Syscall:     {noCallback: true, meets: "system call"}, // one that has a name
		read.Lock:        {meets: "lock"},                          // it may be pthread_once
		read.IO:          {meets: "files"},                         // it may be one of fopencookie
		read.Thread:      {meets: "threads"},
		read.Jump:        {meets: "longjmp"},
		read.Signal:      {meets: "signals"},
		read.Callback:    {meets: "calls into Go"},
		read.Indirect:    {meets: "unknown address", beyond: codeOfOthers},
		read.Unresolved:  {meets: "not found", beyond: codeOfOthers},
		read.Undecodable: {meets: "no known instruction"},
	} {
		path := []string{"_wherry_twin_1_Cfunc_f", "f", "_wherry_callback_1_goF"}
		found := &read.Function{Does: []read.Reason{{Class: class, Path: path}}}
		f := factsOf(found, "f")
		if f.noCallback != want.noCallback || f.harmless != want.harmless || f.beyond != want.beyond || f.short ||
			!strings.Contains(f.meets, want.meets) || f.apart != (want.meets == "") || f.callsBack != (class == read.Callback) || f.entersGo {
			t.Errorf("%v: got %+v, want %+v", class, f, want)
		}
		if says := class.String() + ": f -> _wherry_callback_1_goF"; !strings.Contains(f.says, says) {
			t.Errorf("%v: got %q, want %q", class, f.says, says)
		}
		path[2] = "crosscall2"
		if f := factsOf(found, "f"); f.entersGo != (class == read.Callback) {
			t.Errorf("%v through crosscall2: got %+v", class, f)
		}
	}
	if f := factsOf(&read.Function{Loops: true}, "f"); f.short || !f.harmless || !f.apart || f.strict || f.says != "read: loops" {
		t.Errorf("a loop: got %+v", f)
	}
	library := []read.Library{{Path: "/lib/libz.so.1", Soname: "libz.so.1"}}
	if f := factsOf(&read.Function{Files: library, Syscalls: "g", Unseen: "epoll_pwait2"}, "f"); f.short || f.beyond != "libz.so.1" ||
		f.ownSyscall != "g" || f.unseen != "epoll_pwait2" || len(f.libraries) != 1 || f.says != "read: no loops, code of libz.so.1" {
		t.Errorf("a library: got %+v", f)
	}
	if f := factsOf(&read.Function{Loops: true, Watches: true, Strict: true}, "f"); f.short || f.apart || f.meets == "" || !f.strict {
		t.Errorf("a loop that waits: got %+v", f)
	}
}
