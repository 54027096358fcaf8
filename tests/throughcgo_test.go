package tests

import (
	"fmt"
	"strings"
	"testing"
)

// A function that calls back in most calls, and may not run on a C stack, or that waits in most,
// comes to go through cgo from the beginning, whatever its arguments are; one that does so in
// some stays fast. Not the time is measured but how many callbacks come from
// runtime.cgocall, and how many calls it has made.
func TestCallbacksComeThroughCgo(t *testing.T) {
	onEach(t, func(t *testing.T, on target) {
		m := testdata(t, "throughcgo").on(on)
		if got := m.build("fast").fast(); len(strings.Fields(got)) != 17 {
			t.Fatalf("got fast functions %q", got)
		}
		m.must("go", "build", "-o", "plain")
		plain, fast := m.mustProgram("./plain"), m.mustProgram("./fast")
		if fast.stdout != plain.stdout {
			t.Errorf("got output\n%swant\n%s", fast.stdout, plain.stdout)
		}
		lines := strings.Split(strings.TrimSpace(fast.stderr), "\n")
		if len(lines) != 14 {
			t.Fatalf("got %q", lines)
		}
		for _, line := range lines {
			var name string
			var n, least, most int
			fmt.Sscan(line, &name, &n)
			switch name { // of 2,000 calls 8 are turned, then 64 watched
			case "rarely", "half", "panics":
			case "waits_rarely":
				most = 100 // the runtime's own, and such of other goroutines
			case "ten":
				least, most = 19000, 19280
			default:
				least, most = 1900, 1928
			}
			if n < least || n > most {
				t.Errorf("%s: %d callbacks came through cgo, want %d to %d", name, n, least, most)
			}
		}
	})
}
