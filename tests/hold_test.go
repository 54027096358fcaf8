package tests

import (
	"fmt"
	"strings"
	"syscall"
	"testing"
)

var holdBuilt = map[string]*shared{"native": {}, "arm64": {}}

// buildHold makes the programs plain and fast.
func buildHold(t *testing.T, on target) *module {
	return holdBuilt[on.name].module(t, func(t *testing.T) *module {
		m := testdata(t, "threads").on(on).near(on)
		m.must("go", "build", "-o", "plain")
		m.build("fast")
		return m
	}).on(on)
}

// near has an emulated program's threads hold their P although a callback takes about the microsecond that is
// the bound there: whether less or more depends on the machine.
func (m *module) near(on target) *module {
	if on.runner != nil {
		m.env = append(m.env, "CGO_CFLAGS=-O2 -g -DWHERRY_NEAR=100000")
	}
	return m
}

// Threads that C created do in Go what they do through cgo while they hold their P, however they
// end; and they do hold it.
func TestHoldingThreads(t *testing.T) {
	onEach(t, func(t *testing.T, on target) {
		m := buildHold(t, on)
		kinds := []string{"adds", "allocates", "sends", "nests", "grows", "collects", "calls C", "errno", "recovers", "locks", "resumes",
			"everything"}
		ends := []string{"return", "pthread_exit", "pthread_cancel", "detached", "destructor", "signals blocked", "coroutine",
			"signals blocked now and then", "fork", "sleeps"}
		if on.runner != nil {
			ends = ends[:8] // qemu's fork of a program with threads is not to be trusted
		}
		holds := 0
		check := func(kind, end, n int) {
			t.Helper()
			name := fmt.Sprintf("%s, %s", kinds[kind], ends[end])
			args := []string{"3", fmt.Sprint(kind), fmt.Sprint(end), fmt.Sprint(n)}
			plain, fast := m.program("./plain", args...), m.program("./fast", args...)
			if plain.status != 0 || fast.status != 0 || plain.stdout != fast.stdout || !strings.HasSuffix(plain.stdout, "goroutines 0\n") {
				t.Errorf("%s: exit status %d, want %d; got %q, plain cgo %q\n%.2000s", name, fast.status, plain.status, fast.stdout,
					plain.stdout, fast.stderr)
			}
			var count int
			fmt.Sscan(fast.stderr, &count)
			holds += count
		}
		for kind := range kinds {
			check(kind, 0, 12000)
		}
		for end := range ends {
			check(0, end, 6000)
			check(len(kinds)-1, end, 12000)
		}
		check(len(kinds)-2, len(ends)-1, 6000)
		// Beside other programs, callbacks may not come close together for long.
		for more := 0; holds < 20 && more < 20; more++ {
			check(0, 0, 60000)
		}
		if holds < 20 {
			t.Errorf("C threads held their P %d times, want at least 20", holds)
		}
	})
}

// A thread that holds its P dies as through cgo: of a fault in C the signal is the exit status and no trace
// of Go's is printed; a panic in a callback is Go's.
func TestHoldingThreadsDie(t *testing.T) {
	onEach(t, func(t *testing.T, on target) {
		m := buildHold(t, on)
		for how, name := range []string{"SIGSEGV", "abort", "trap", "panic", "Goexit", "SIGTERM", "exit", "nil in Go",
			"SIGSEGV after a handler of C's"} {
			plain, fast := m.program("./plain", fmt.Sprint(how)), m.program("./fast", fmt.Sprint(how))
			head := func(r result) string {
				return strings.Join(strings.SplitN(r.stderr, "\n", 6)[:min(5, strings.Count(r.stderr, "\n"))], "\n")
			}
			if plain.status == 0 || fast.status != plain.status || name != "nil in Go" && name != "Goexit" && head(fast) != head(plain) {
				t.Errorf("%s: exit status %d, plain cgo's is %d\n%s\nplain:\n%s", name, fast.status, plain.status, head(fast), head(plain))
			}
		}
	})
}

// A thread that calls back now and then, as an audio device does, does not hold its P; nor does any
// when C handles SIGURG, or a library calls crosscall2.
func TestWhatDoesNotHold(t *testing.T) {
	onEach(t, func(t *testing.T, on target) {
		m := buildHold(t, on)
		m.must(on.cc(), "-shared", "-fPIC", "-o", "enters.so", "enters.c")
		for _, args := range [][]string{{"audio", "60"}, {"handler", "20000"}, {"library", m.path("enters.so")}} {
			if plain, fast := m.mustProgram("./plain", args...), m.mustProgram("./fast", args...); fast.stdout != "holds 0\n" ||
				plain.stdout != fast.stdout {
				t.Errorf("%s: got %q, plain cgo %q", args[0], fast.stdout, plain.stdout)
			}
		}
	})
}

// While a thread goes through the libraries no other one begins to hold its P: wherry would wait there.
func TestHoldsBesideReadersOfLibraries(t *testing.T) {
	onEach(t, func(t *testing.T, on target) {
		m := buildHold(t, on)
		plain, fast := m.mustProgram("./plain", "libraries"), m.mustProgram("./fast", "libraries")
		if plain.stdout != "holds meanwhile 0 and then 0\n" || !strings.HasPrefix(fast.stdout, "holds meanwhile 0 and then ") ||
			fast.stdout == plain.stdout {
			t.Errorf("got %q, plain cgo %q", fast.stdout, plain.stdout)
		}
	})
}

// A signal to a thread that holds its P does what it does between callbacks through cgo: for most that Go
// handles, what it does by default.
func TestSignalsBetweenCallbacks(t *testing.T) {
	const chained = 1000 // by a handler of C's
	onEach(t, func(t *testing.T, on target) {
		m := buildHold(t, on)
		for _, sig := range []syscall.Signal{syscall.SIGHUP, syscall.SIGINT, syscall.SIGQUIT, syscall.SIGUSR1, syscall.SIGPIPE, syscall.SIGALRM,
			syscall.SIGSTKFLT, syscall.SIGCHLD, syscall.SIGXCPU, syscall.SIGVTALRM, syscall.SIGWINCH, syscall.SIGSYS, syscall.Signal(40),
			chained + syscall.SIGUSR1, chained + syscall.SIGPIPE} {
			number := fmt.Sprint(int(sig))
			plain, fast := m.program("./plain", "signal", number), m.program("./fast", "signal", number)
			lives := plain.status == 0 // also where who has started the tests ignores the signal
			if fast.status != plain.status || lives && (sig%chained == syscall.SIGPIPE || fast.stdout == "holds 0\n") {
				t.Errorf("%v: exit status %d, plain cgo's is %d; %s%.500s", sig, fast.status, plain.status, fast.stdout, fast.stderr)
			}
		}
	})
}

// A signal that another thread sends may come anywhere in a thread that holds its P.
func TestSignalToHoldingThread(t *testing.T) {
	t.Parallel()
	needsFastPath(t)
	m := buildHold(t, native)
	if plain, fast := m.mustProgram("./plain", "watchdog", "10000000"),
		m.mustProgram("./fast", "watchdog", "100000000"); fast.stdout != "watched\n" || plain.stdout != fast.stdout {
		t.Errorf("got %q, plain cgo %q", fast.stdout, plain.stdout)
	}
}

// Threads that come, hold their P and go leave nothing behind.
func TestManyHoldingThreads(t *testing.T) {
	t.Parallel()
	needsFastPath(t)
	m := buildHold(t, native)
	m.env = append(m.env, "LIVES=many")
	threads := "1500"
	if testing.Short() {
		threads = "200"
	}
	plain, fast := m.mustProgram("./plain", threads, "0", "0", "2000"), m.mustProgram("./fast", threads, "0", "0", "2000")
	if plain.stdout != fast.stdout {
		t.Errorf("got\n%splain cgo\n%s", fast.stdout, plain.stdout)
	}
	var holds int
	if fmt.Sscan(fast.stderr, &holds); holds == 0 {
		t.Error("no thread held its P")
	}
}
