package tests

import (
	"strings"
	"testing"
)

// No memory is writable and executable, or becomes executable, and no C stack
// is executable: before, during and after calls in every mode, callbacks, C
// threads, the event queue and counting.
func TestNoWritableExecutableMemory(t *testing.T) {
	onEach(t, func(t *testing.T, on target) {
		m := testdata(t, "memory").on(on)
		if on.runner == nil {
			m.usesWherry()
			m.usesEvents(".")
		} else {
			m.write("others.go", "package main\n\nfunc others() {}\n")
			m.write("filter.h", "")
		}
		plain := m.run("go", "build", "-o", "plain")
		if plain.status != 0 {
			t.Fatalf("plain build: %s", plain.stderr)
		}
		rep := m.build("fast")
		for function, mode := range map[string]string{"lookFast": "fast", "lookNoCallback": "fast", "lookReentrant": "reentrant", "lookCgo": ""} {
			if got := rep.mode(function); got != mode {
				t.Fatalf("%s is %q, want %q: %s", function, got, mode, rep.why(function))
			}
		}
		for _, program := range []string{"./plain", "./fast"} {
			if r := m.program(program); r.status != 0 || r.stdout != "looked\n" {
				t.Errorf("%s: exit status %d\n%s%.2000s", program, r.status, r.stdout, r.stderr)
			}
		}
		if on.runner == nil {
			if r := m.run(wherry, "stat", "."); r.status != 0 || !strings.Contains(r.stdout, "looked\n") || strings.Count(r.stdout, "\n") != 1 {
				t.Errorf("stat: exit status %d\n%s%.2000s", r.status, r.stdout, r.stderr)
			}
		}
		// The test sees what it looks for.
		if on.runner != nil {
			contains(t, "a writable and executable page", m.program("./fast", "writable").stdout, "rwx", "fast 1", "after 1")
			return
		}
		for _, fault := range []string{"writable", "becomes"} {
			if r := m.program("./fast", fault); r.status == 0 || strings.Contains(r.stdout, "looked") {
				t.Errorf("%s: the kernel did not stop it: exit status %d\n%s", fault, r.status, r.stdout)
			}
		}
		m.write("filter.h", "")
		m.build("unfiltered")
		contains(t, "a writable and executable page", m.program("./unfiltered", "writable").stdout, "rwx", "fast 1", "after 1")
	})
}
