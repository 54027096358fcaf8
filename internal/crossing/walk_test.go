package crossing

import (
	"strings"
	"testing"
)

// A walk of C's stack finds what the compiler's own unwinder finds, wherever it begins; and by
// broken tables, on a stack of anything, it ends, and loads nothing beyond the stack.
func TestWalks(t *testing.T) {
	for _, c := range compilers {
		t.Run(c.name(), func(t *testing.T) {
			t.Parallel()
			if c.sanitizes() {
				t.Skip("sanitizers take the faults, and have frames of their own")
			}
			run := c.compile(t, Target{}, "walks.c")
			for _, what := range []string{"true", "200000"} {
				if len(c.run) > 0 {
					what = strings.Replace(what, "200000", "20000", 1) // an emulator takes longer
				}
				if out, err := run("", what); err != nil || out != "ok\n" {
					t.Errorf("%s: %v\n%s", what, err, out)
				}
			}
		})
	}
}
