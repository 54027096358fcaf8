package tests

import (
	"strings"
	"testing"
)

// A function whose calls are long goes to cgo by itself, and comes back when it is
// short again. One that is short does not, nor does one that a rule calls fast.
func TestLongCallsGoToCgo(t *testing.T) {
	onEach(t, func(t *testing.T, on target) {
		m := testdata(t, "turned").on(on)
		if got := m.build("fast").fast(); got != "isLong isShort named" {
			t.Fatalf("got fast functions %q", got)
		}
		names := strings.Split(strings.TrimSpace(m.mustProgram("./fast").stdout), "\n")
		if len(names) != 9 {
			t.Fatalf("got %q", names)
		}
		comesBack := false
		here := &module{t: t, dir: m.dir} // go tool is built for this machine
		for _, name := range names {
			// A call through cgo leaves Go's scheduler, as a system call does.
			events := strings.Count(here.must("go", "tool", "trace", "-d=wire", m.path(strings.ReplaceAll(name, " ", "_")+".trace")).stdout,
				"GoSyscallBegin")
			// An emulator beside other work makes any call long, if it is stopped at.
			emulated := name == "short" && len(on.runner) > 0
			left := events > 900
			if strings.HasPrefix(name, "long no more") {
				comesBack = comesBack || !left
			} else if left != (name == "long") && !emulated {
				t.Errorf("%s: %d of 1000 calls went through cgo", name, events)
			}
			t.Logf("%s: %d of 1000 calls", name, events)
		}
		if !comesBack {
			t.Error("a function that is short again stays with cgo")
		}
	})
}
