package tests

import (
	"fmt"
	"strings"
	"testing"
)

// C replaces the handler of SIGURG in a way that wherry cannot see. The program goes on
// correctly, through cgo, and says so once if it is asked to.
func TestReplacedHandler(t *testing.T) {
	onEach(t, func(t *testing.T, on target) {
		if on.runner != nil {
			t.Skip("the system call's structure is qemu's own")
		}
		m := testdata(t, "replaced").on(on)
		m.must("go", "build", "-o", "plain")
		m.build("fast")
		const want = "replaced 1\ndone\n"
		if r := m.mustProgram("./plain"); r.stdout != want {
			t.Fatalf("plain cgo: %q", r.stdout)
		}
		for verbose, says := range map[string]int{"0": 0, "1": 1} {
			m.env = append(m.env, "WHERRY_VERBOSE="+verbose)
			r := m.mustProgram("./fast")
			const message = "wherry: calls go through cgo: another handler of SIGURG has taken the place of " +
				"wherry's\n"
			if r.stdout != want || strings.Count(r.stderr, message) != says || r.stderr != strings.Repeat(message, says) {
				t.Errorf("WHERRY_VERBOSE=%s: got %q and on standard error %q, want the message %s", verbose, r.stdout, r.stderr,
					fmt.Sprint(says, " times"))
			}
		}
	})
}
