package tests

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// In a program that wherry builds, what package direct calls may wait, run long
// and call back. What a call was given is kept for as long as C runs.
func TestBoundCallsTurn(t *testing.T) {
	onEach(t, func(t *testing.T, on target) {
		bound(t).on(on).boundTurns()
	})
}

func bound(t *testing.T) *module {
	m := testdata(t, "bound/turns")
	m.usesWherry()
	return m
}

// So they may where the plain go command builds, if C calls back by function pointers of
// package callback: with all kinds of links, and with the race detector.
func TestBoundCallsTurnInPlainPrograms(t *testing.T) {
	onEach(t, func(t *testing.T, on target) {
		m := bound(t).on(on)
		for _, flags := range [][]string{nil, {"-race"}, {"-buildmode=pie"}, {"-ldflags=-extldflags=-static"}} {
			if on.runner != nil && flags != nil {
				continue
			}
			m.must("go", slices.Concat([]string{"build", "-o", "program"}, flags, []string{"."})...)
			m.boundWorks("pointer")
		}
		if on.runner == nil {
			m.must("go", "build", "-buildmode=plugin", "-o", "plugin.so", ".")
			for _, flags := range []string{"-O2 -masm=intel", "-O0 -std=gnu89 -D_GNU_SOURCE -Werror"} {
				m.env = append(m.env, "CGO_CFLAGS="+flags)
				m.must("go", "build", "-o", "program", ".")
				m.boundWorks("pointer")
				m.build("program") // a flag may keep all packages on cgo
				m.boundWorks("pointer")
			}
		}
		m.env = append(m.env, "GODEBUG=asyncpreemptoff=1") // then calls are turned before they begin
		if r := m.program("./program", "pointer"); r.stdout != boundSays {
			t.Errorf("without preemption: got status %d\n%s%swant\n%s", r.status, r.stdout, r.stderr, boundSays)
		}
	})
}

// With a Go that is not tested the same is true of plain programs: all calls are slow, by
// the runtime's cgo call.
func TestBoundCallsWithNewerGo(t *testing.T) {
	t.Parallel()
	needsFastPath(t)
	m := bound(t)
	m.must("go", "build", "-tags", "go1.28", "-o", "program", ".")
	m.boundWorks()
}

func (m *module) boundTurns() {
	m.t.Helper()
	m.build("program")
	if text, err := os.ReadFile(filepath.Join(m.dir, "program")); err != nil || bytes.Contains(text, []byte("_wherry_go_turned")) {
		m.t.Errorf("package c's own C is in a program that wherry built, or %v", err)
	}
	m.boundWorks()
	m.env = append(m.env, "WHERRY_DEFAULT=cgo")
	m.build("program")
	m.boundWorks()
}

const boundSays = "all waited at once 210\ncollected beside C 2\ncalled back 221100\nkept\n"

func (m *module) boundWorks(args ...string) {
	m.t.Helper()
	m.env = append(m.env, "GODEBUG=clobberfree=1", "GOMAXPROCS=2")
	if got := m.mustProgram("./program", args...).stdout; got != boundSays {
		m.t.Errorf("got\n%swant\n%s", got, boundSays)
	}
}

// C that computes for long each time, among goroutines that are to run, comes to be called
// through cgo, and is tried again after a while. A func of direct.Reentrant's is called on a
// C stack from the first on.
// On each way C with variable arguments gets them.
func TestBoundCallsGoBackToCgo(t *testing.T) {
	t.Parallel()
	needsFastPath(t)
	m := testdata(t, "bound/spins")
	m.usesWherry()
	m.env = append(m.env, "GOMAXPROCS=1")
	for name, build := range map[string]func(){"wherry": func() { m.build("program") },
		"plain": func() { m.must("go", "build", "-o", "program", ".") }} {
		build()
		if got := m.mustProgram("./program").stdout; got != "true 0.125 0.0625 0.03125\n" {
			t.Errorf("%s: got %swant true 0.125 0.0625 0.03125", name, got)
		}
	}
}

// In a plain program a signal turns C that waits, which can end the wait; then the function
// goes through cgo. So waits end early now and then, beside a program that collects all the
// time, and not each.
func TestBoundWaitsEndByFewSignals(t *testing.T) {
	t.Parallel()
	needsFastPath(t)
	m := testdata(t, "bound/naps")
	m.usesWherry()
	m.must("go", "build", "-o", "program", ".")
	if got := m.mustProgram("./program").stdout; got != "true\ntrue\n" {
		t.Errorf("at most a quarter of the waits ended early, by Bind and Reentrant: got\n%s", got)
	}
}

// Package direct's own tests pass in a program that wherry built too, where another
// assembly calls C.
func TestDirectByWherry(t *testing.T) {
	t.Parallel()
	needsFastPath(t)
	m := &module{t: t, dir: ".."}
	m.must(wherry, "test", "-short", "-count=1", "./direct", "./callback")
}
