package tests

import (
	"fmt"
	"strings"
	"testing"
)

// C handles signals as under cgo, on threads that hold their P too: a handler may wait for a
// goroutine, block SIGURG, leave by siglongjmp, and call Go. And such threads do hold it.
func TestHandlersOfC(t *testing.T) {
	onEach(t, func(t *testing.T, on target) {
		m := testdata(t, "handlers").on(on).near(on)
		m.must("go", "build", "-o", "plain")
		m.build("fast")
		for what, name := range []string{"counts", "waits", "waits, all signals blocked", "leaves", "leaves a read", "calls Go",
			"blocks SIGURG", "waits in a call"} {
			plain, fast := m.program("./plain", fmt.Sprint(what)), m.program("./fast", fmt.Sprint(what))
			if plain.status != 0 || fast.status != 0 || fast.stdout != plain.stdout || !strings.HasSuffix(plain.stdout, "true\n") {
				t.Errorf("%s: exit status %d, want %d; got %q, plain cgo %q\n%.2000s", name, fast.status, plain.status, fast.stdout,
					plain.stdout, fast.stderr)
			}
			holds := 0
			if fmt.Sscan(fast.stderr, &holds); holds == 0 && !strings.HasSuffix(name, "call") {
				t.Errorf("%s: no thread held its P", name)
			}
		}
	})
}
