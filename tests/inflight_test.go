package tests

import (
	"fmt"
	"strings"
	"testing"
)

// While C waits, whatever waits for it can go on, and what C calls does not see the
// runtime's signals. What hangs the program says itself.
func TestCWaitsInFlight(t *testing.T) {
	t.Parallel()
	needsFastPath(t)
	m := testdata(t, "inflight")
	rep := m.build("fast")
	for _, name := range []string{"doze_until_said", "interrupted", "wait_in", "end_it", "hold", "join_thread"} {
		if rep.mode(name) == "" {
			t.Fatalf("%s stays on cgo: %s", name, rep.why(name))
		}
	}

	// With one P, another goroutine is what ends each kind of wait.
	t.Run("others run", func(t *testing.T) {
		in := module{t: t, dir: m.dir, env: []string{"GOMAXPROCS=1"}}
		if r := in.must("./fast", "runs"); strings.Count(r.stdout, "ended") != 23 {
			t.Errorf("not all waits ended:\n%s", r.stdout)
		}
	})

	// With one P a lock that is held across a callback, while another goroutine's call
	// waits for it or spins, comes free, and a thread that waits for Go gets it.
	t.Run("each for the other", func(t *testing.T) {
		in := module{t: t, dir: m.dir, env: []string{"GOMAXPROCS=1"}}
		if r := in.must("./fast", "ends"); r.stdout != "lock 0 ended\nlock 1 ended\nthread ended\n" {
			t.Errorf("not all ended:\n%s", r.stdout)
		}
	})

	// Libraries rely on not being interrupted. With two Ps collections stop the world
	// while C waits, so calls that were turned by signal would see EINTR nearly each
	// time. Through cgo the runtime sends one now and then, when a thread seems to run
	// the same goroutine for 10 ms.
	t.Run("interrupted", func(t *testing.T) {
		in := module{t: t, dir: m.dir, env: []string{"GOMAXPROCS=2"}}
		const calls, most = 100, 10
		lines := strings.Split(strings.TrimSpace(in.must("./fast", "eintr").stdout), "\n")
		if len(lines) != 13 {
			t.Fatalf("%d kinds of waits, want 13: %q", len(lines), lines)
		}
		for _, line := range lines {
			var name string
			var interrupted int
			if _, err := fmt.Sscan(line, &name, &interrupted); err != nil {
				t.Fatalf("%q: %v", line, err)
			}
			if interrupted > most {
				t.Errorf("%s: EINTR in %d of %d calls, want at most %d", name, interrupted, calls, most)
			}
		}
		t.Log(lines)
	})
}

// A callback of a thread that C created calls C that waits for Go: the call is turned, whatever
// the runtime knows of a thread that has ended. So is one of package direct, in a plain program.
func TestCallsOfCallbacksTurn(t *testing.T) {
	onEach(t, func(t *testing.T, on target) {
		m := testdata(t, "borrowed").on(on)
		m.usesWherry()
		m.build("program")
		m.mustProgram("./program")
		m.must("go", "build", "-tags=bound", "-o", "program")
		m.mustProgram("./program")
	})
}
