package tests

import (
	"strings"
	"testing"
)

// An argument with a Go pointer in it panics, with cgo's words, wherever it does so
// through plain cgo, and nowhere else.
func TestPointerChecks(t *testing.T) {
	onEach(t, func(t *testing.T, on target) {
		if on.runner != nil { // natively with each Go, below
			testdata(t, "pointercheck").on(on).checksPointers()
		}
	})
	onEachGo(t, func(t *testing.T, env string) {
		m := testdata(t, "pointercheck")
		m.env = append(m.env, env)
		m.checksPointers()
	})
}

func (m *module) checksPointers() {
	m.t.Helper()
	m.must("go", "build", "-o", "plain", ".")
	if r := m.must(wherry, "build", "-gcflags=-m", "-o", "fast", "."); !strings.Contains(r.stderr, "inlining call to _cgoCheckPointer") {
		m.t.Errorf("a check that always passes is called:\n%.1000s", r.stderr)
	}
	if symbols := m.must("go", "tool", "nm", "fast"); !strings.Contains(symbols.stdout, " main._wherry_runtime_at\n") {
		m.t.Errorf("the program has cgo's check alone")
	}
	plain, fast := m.mustProgram("./plain"), m.mustProgram("./fast")
	if plain.stdout != fast.stdout {
		m.t.Errorf("got\n%s\nwant, as through plain cgo,\n%s", fast.stdout, plain.stdout)
	}
	dies := [2]string{}
	for i, name := range []string{"./plain", "./fast"} {
		for line := range strings.Lines(m.program(name, "dies").stderr) { // what is called, without where and with what
			dies[i] += line[:strings.LastIndexByte(line, '(')+1]
		}
	}
	if dies[0] != dies[1] || dies[0] != "main.main.func1(main.main(" {
		m.t.Errorf("the trace of a check that fails: got %q, plain cgo's is %q", dies[1], dies[0])
	}
	for _, want := range []string{"0 passes", " has Go pointer to unpinned Go pointer", "pointers true true", "C heap true false"} {
		if !strings.Contains(plain.stdout, want+"\n") {
			m.t.Errorf("no line %q in\n%s", want, plain.stdout)
		}
	}
}
