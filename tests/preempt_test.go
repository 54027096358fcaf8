package tests

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// A goroutine that makes one fast call after the other can be preempted: neither
// the collector nor other goroutines starve. (Signals do not help: they nearly always
// find it in C.) How many calls it makes before does not depend on how busy the machine is.
func TestLoopOfFastCallsIsPreempted(t *testing.T) {
	onEachAlone(t, func(t *testing.T, on target) {
		m := testdata(t, "preempt/loop").on(on)
		m.build("fast")
		r := m.mustProgram("./fast")
		var stopped, slept int
		if _, err := fmt.Sscan(r.stdout, &stopped, &slept); err != nil {
			t.Fatalf("%v: %q", err, r.stdout)
		}
		// Without the check in the stub the program does not end; with it a few calls, and 50,000 to
		// 120,000, of which qemu-user makes less than half.
		const mostStopped = 100
		mostSlept := map[string]int{"native": 1_000_000, "arm64": 250_000}[on.name]
		if stopped > mostStopped || slept > mostSlept {
			t.Errorf("%d calls until the world is stopped, want at most %d; %d while a goroutine sleeps, want at most %d", stopped,
				mostStopped, slept, mostSlept)
		}
		t.Logf("%d calls until the world is stopped, %d while a goroutine sleeps for a millisecond on the only processor", stopped, slept)
	})
}

// A call that makes one callback after the other can be preempted in
// each, however small the Go function, and C gets the right results all the same.
func TestCallbacksArePreempted(t *testing.T) {
	onEachAlone(t, func(t *testing.T, on target) {
		m := testdata(t, "preempt/visits").on(on)
		m.build("fast")
		var collections int
		var wrong float64
		out := m.mustProgram("./fast").stdout
		if n, _ := fmt.Sscan(out, &collections, &wrong); n != 2 || wrong != 0 {
			t.Errorf("wrong results: %q", out)
		}
		if collections < 10 { // 1 without a check, hundreds with it
			t.Errorf("%d collections during a call of 1.5 s", collections)
		}
		t.Logf("%d collections", collections)
	})
}

// In a static program nothing stands before the C library's functions, but a loop that
// waits for another goroutine is turned by the runtime's signal, also with one P.
func TestStaticSpinIsTurned(t *testing.T) {
	t.Parallel()
	needsFastPath(t)
	libc, err := exec.Command("gcc", "-print-file-name=libc.a").Output()
	if err != nil || !filepath.IsAbs(strings.TrimSpace(string(libc))) {
		t.Skipf("no static C library: %q, %v", libc, err)
	}
	m := testdata(t, "preempt/static")
	m.env = append(m.env, "CGO_LDFLAGS=-static")
	if rep := m.build("spin"); rep.mode("spin") != "fast" {
		t.Errorf("spin is %q, because %q, want fast", rep.mode("spin"), rep.why("spin"))
	}
	if r := m.mustProgram("./spin"); r.stdout != "1\n" {
		t.Errorf("got %q, want the loop ended by the other goroutine", r.stdout)
	}
}

// The runtime sends no signals where GODEBUG says so, what the linker put in its place, or a
// setting that implies it: then calls go through cgo from the first on.
func TestPreemptionIsOff(t *testing.T) {
	t.Parallel()
	needsFastPath(t)
	m := newModule(t, map[string]string{"main.go": `package main

// static volatile int flag;
// static void set(void) { flag = 1; }
// static void spin(void) { while (!flag) ; }
import "C"

import "runtime"

func main() {
	runtime.GOMAXPROCS(1)
	go func() { C.set() }()
	C.spin()
}
`})
	m.build("program")
	m.build("linked", "-ldflags=-X runtime.godebugDefault=asyncpreemptoff=1")
	m.env = append(m.env, "WHERRY_VERBOSE=1")
	env := slices.Clip(m.env)
	for _, test := range []struct{ program, godebug string }{
		{"./program", "asyncpreemptoff=1"}, {"./program", "gccheckmark=1"}, {"./linked", ""}, {"./linked", "asyncpreemptoff=0"},
	} {
		m.env = append(env, "GODEBUG="+test.godebug)
		off := test.godebug != "asyncpreemptoff=0"
		if r := m.mustProgram(test.program); strings.Contains(r.stderr, "Go's runtime sends no signals") != off {
			t.Errorf("%s, GODEBUG=%s: got %q; want signals off: %v", test.program, test.godebug, r.stderr, off)
		}
	}
}
