package crossing

import (
	"strings"
	"testing"
)

// The pool works by itself: under two compilers without a warning, and under
// their sanitizers.
func TestPool(t *testing.T) {
	for _, c := range compilers {
		t.Run(c.name(), func(t *testing.T) {
			t.Parallel()
			// ThreadSanitizer's own start calls functions that stand before others.
			static := strings.Contains(c.name(), "thread")
			run := c.compile(t, Target{Static: static}, "pool.c")
			if out, err := run(""); err != nil || out != "ok\n" {
				t.Errorf("%v\n%s", err, out)
			}
			if out, err := run("WHERRY_CSTACK_DEPTH=10", "limits", "-1"); err != nil {
				t.Errorf("depth: %v\n%s", err, out)
			}
			if out, err := run("WHERRY_CSTACK_LIMIT=10", "limits", "-2"); err != nil {
				t.Errorf("limit: %v\n%s", err, out)
			}
			if !static {
				if out, err := run("", "fault"); err != nil {
					t.Errorf("a fault while the handler is installed: %v\n%s", err, out)
				}
			}
			if c.sanitizes() {
				return // sanitizers catch the fault themselves
			}
			out, err := run("WHERRY_CSTACK_SIZE=20000", "overflow")
			if want := "wherry: C stack overflow in the call of a C function: it has 20480 bytes; set WHERRY_CSTACK_SIZE to more, say " +
				"reentrant=SIZE in the policy, or fast\n"; err == nil || !strings.HasPrefix(out, want) {
				t.Errorf("overflow: got %v, %q, want %q", err, out, want)
			}
		})
	}
}
