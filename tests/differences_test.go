package tests

import (
	"strings"
	"testing"
)

// What SAFETY.md says is different from cgo, beside what plain cgo does.
func TestDifferencesFromCgo(t *testing.T) {
	t.Parallel()
	needsFastPath(t)
	m := testdata(t, "differences")
	m.must("go", "build", "-o", "plain")
	rep := m.build("fast")
	for name, want := range map[string]string{"hook": "unresolved: hook", "callHook": "unresolved: callHook -> hook",
		"huge": "read: "} {
		if rep.mode(name) != "fast" || !strings.Contains(rep.why(name), want) {
			t.Errorf("without a policy %s is %q, because %q, want fast, and %q", name, rep.mode(name), rep.why(name), want)
		}
	}
	if want := "callback: rePanic -> crosscall2"; rep.mode("rePanic") != "" || !strings.Contains(rep.why("rePanic"), want) {
		t.Errorf("without a policy rePanic is %q, because %q, want cgo, and %q", rep.mode("rePanic"), rep.why("rePanic"), want)
	}
	m.write("wherry.policy", "example.com/m free    cgo\nexample.com/m huge    reentrant=4M\n")
	m.build("mended")
	const dies = "SIGSEGV: segmentation violation"
	const nocallback = "function marked with #cgo nocallback called back into Go"
	type end struct {
		status int
		stdout string
		stderr string // a part of it
	}
	for _, test := range []struct {
		name, env   string
		plain, fast end
	}{
		{"counts", "", end{0, "1000\n1000\nok\n", ""}, end{0, "0\n0\nok\n", ""}},
		{"fault", "", end{2, "", dies}, end{2, "", dies}},
		{"fault", "BEFORE_GO=1", end{7, "C's handler\n", ""}, end{7, "C's handler\n", ""}},
		{"reentrant fault", "BEFORE_GO=1", end{7, "C's handler\n", ""}, end{7, "C's handler\n", ""}},
		{"later handler", "", end{7, "C's handler\n", ""}, end{7, "C's handler\n", ""}},
		{"crosscall2", "", end{0, "by crosscall2\nok\n", ""}, end{0, "by crosscall2\nok\n", ""}},
		{"nocallback", "", end{2, "", nocallback}, end{2, "", nocallback}},
		{"another's allocator", "", end{0, "in Go\nok\n", ""}, end{2, "", nocallback}},
		{"another's function", "", end{0, "in Go\n42 3\nok\n", ""}, end{0, "in Go\n42 3\nok\n", ""}},
		{"huge frame", "", end{0, "769\nok\n", ""}, end{0, "769\nok\n", ""}},
	} {
		m.env = []string{test.env}
		for program, want := range map[string]end{"./plain": test.plain, "./fast": test.fast} {
			trace := m.path("trace of " + program[2:])
			r := m.run(program, test.name, trace)
			if r.status != want.status || r.stdout != want.stdout || !strings.Contains(r.stderr, want.stderr) {
				t.Errorf("%s, %s %s: exit status %d, output %q, want %+v\n%.2000s", program, test.name, test.env, r.status, r.stdout, want, r.stderr)
			}
			if test.name != "counts" {
				continue
			}
			// In a trace each call through cgo leaves Go's scheduler, as a system call does.
			events := strings.Count(m.must("go", "tool", "trace", "-d=wire", trace).stdout, "GoSyscallBegin")
			if left := events > 1900; left != (program == "./plain") {
				t.Errorf("%s: its trace shows %d calls that leave Go, of 2000", program, events)
			}
		}
		if test.plain.status == 0 && test.name != "counts" {
			if r := m.run("./mended", test.name); r.status != 0 || r.stdout != test.plain.stdout {
				t.Errorf("%s, with a line of its own: exit status %d, output %q, want %q", test.name, r.status, r.stdout, test.plain.stdout)
			}
		}
	}
}
