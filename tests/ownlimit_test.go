package tests

import (
	"strings"
	"testing"
)

// C that remembers an address on its stack, and compares its stack pointer with one so far
// above, stays on that stack: where it calls back by itself and through a pointer.
func TestOwnStackLimit(t *testing.T) {
	onEach(t, func(t *testing.T, on target) {
		m := testdata(t, "ownlimit").on(on)
		rep := m.build("fast")
		if r := m.program("./fast"); r.stdout != "overflows 0\n" {
			t.Errorf("got exit status %d, output %q\n%.1000s", r.status, r.stdout, r.stderr)
		}
		const says = "; overflows compares its stack pointer with an address in memory, so it cannot run on another stack"
		said := false
		for _, f := range rep.Packages[0].Kept {
			said = said || f.Function == "shown" && strings.Contains(f.Why, says)
		}
		if !said {
			t.Errorf("the report says of shown not %q: %+v", says, rep.Packages)
		}
		m.write("wherry.policy", "example.com/m shown reentrant\n") // the rule's promise is broken
		m.build("reentrant")
		if r := m.program("./reentrant"); r.stdout != "overflows 1000\n" {
			t.Errorf("on a C stack got output %q: the program does not test what it should", r.stdout)
		}
	})
}
