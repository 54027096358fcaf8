package tests

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
)

// maxWaiting is what a call on a C stack may hold in memory, while its callback
// waits, beyond a goroutine that waits with a thread of its own, in bytes: a page
// of its C stack, and one to spare.
const maxWaiting = 8 << 10

// Many goroutines may each wait in a callback, in a call of its own on a C stack.
// Each has a thread, as through cgo, which is most of what it costs.
func TestManyWaitInCallbacks(t *testing.T) {
	t.Parallel()
	needsFastPath(t)
	n := 1000
	if text := os.Getenv("WHERRY_WAITING"); text != "" {
		var err error
		if n, err = strconv.Atoi(text); err != nil || n < 1 {
			t.Fatalf("WHERRY_WAITING=%s: want a number of goroutines", text)
		}
	}
	m := testdata(t, "waiting/callbacks")
	if rep := m.build("fast"); !strings.Contains(rep.fast(), "waitFor") {
		t.Fatalf("waitFor is not fast: %s", rep.why("waitFor"))
	}
	// Where memory is limited, the threads' own stacks have to have room: C stacks are as large.
	m.must("sh", "-c", "ulimit -v 2800000 && MALLOC_ARENA_MAX=1 exec ./fast fast 100")
	m.must("sh", "-c", "ulimit -d 1300000 && MALLOC_ARENA_MAX=1 exec ./fast fast 100")
	each := map[string]int{} // bytes
	for _, mode := range []string{"go", "locked", "fast", "cgo"} {
		r := m.must("./fast", mode, fmt.Sprint(n))
		var held, threads int
		if _, err := fmt.Sscan(r.stdout, &held, &threads); err != nil {
			t.Fatalf("%s: output %q: %v", mode, r.stdout, err)
		}
		if mode != "go" && threads < n {
			t.Errorf("%s: %d threads for %d goroutines", mode, threads, n)
		}
		each[mode] = held << 10 / n
		t.Logf("%d goroutines wait, %s: %d bytes resident each, %d threads", n, mode, each[mode], threads)
	}
	if beyond := each["fast"] - each["locked"]; beyond > maxWaiting {
		t.Errorf("waiting in a callback holds %d bytes more than waiting with a thread does, want at most %d (through cgo: %d)",
			beyond, maxWaiting, each["cgo"]-each["locked"])
	}
}

// C may wait for what other goroutines do, with a single P too: in a system call, for a
// condition, in a loop, and with a lock held while Go runs. While it sleeps the others
// run, and it sleeps to the end.
func TestCWaitsForGo(t *testing.T) {
	onEachAlone(t, func(t *testing.T, on target) {
		m := testdata(t, "waiting/forgo").on(on)
		m.must("go", "build", "-o", "plain")
		if rep := m.build("./fast"); rep.fast() != "await locked pass receive rest set" {
			t.Fatalf("got fast functions %q", rep.fast())
		}
		m.write("wherry.policy", "example.com/m * reentrant\n")
		m.build("./reentrant")
		for _, name := range []string{"condition", "read", "computing", "lock", "sleep"} {
			want := m.mustProgram("./plain", name).stdout
			for _, program := range []string{"./fast", "./reentrant"} {
				if r := m.program(program, name); r.status != 0 || r.stdout != want {
					t.Errorf("%s, %s: exit status %d, output %q, want %q\n%.2000s", program, name, r.status, r.stdout, want, r.stderr)
				}
			}
		}
	})
}
