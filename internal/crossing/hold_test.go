package crossing

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// A thread that C created holds its P when its callbacks are many and close together, and
// learns from how long its holds last: in a world with a clock of its own.
func TestHolds(t *testing.T) {
	for _, c := range compilers {
		t.Run(c.name(), func(t *testing.T) {
			t.Parallel()
			if strings.Contains(c.name(), "thread") {
				t.Skip("ThreadSanitizer's own start calls functions that stand before others")
			}
			run := c.compile(t, Target{Wraps: true}, "holds.c")
			for _, test := range []string{"rule", "never", "ends", "stacks", "handlers", "given up"} {
				t.Run(test, func(t *testing.T) {
					if out, err := run("", test); err != nil || out != "ok\n" {
						t.Errorf("%v\n%s", err, out)
					}
				})
			}
		})
	}
}

// Where a function that may block is not known, or the host's are, no thread holds its P; nor
// where the linker cannot redirect crosscall2.
func TestHoldsOnlyWhereCGivesBack(t *testing.T) {
	for _, test := range []struct {
		target Target
		want   bool
	}{{Target{Wraps: true}, true}, {Target{}, false}, {Target{Wraps: true, Static: true}, false}, {Target{Wraps: true, Hidden: true}, false}} {
		if got := slices.Contains(test.target.Flags(), "-DHOLDS"); got != test.want || test.target.Holds() != test.want {
			t.Errorf("%s: got holding %v, want %v", fmt.Sprintf("%+v", test.target), got, test.want)
		}
	}
}
