package tests

import (
	"strings"
	"testing"
)

// What once was a promise of the user's and is none: with no policy these end as by
// plain cgo, but where C keeps a pointer, which cgo's rules do not allow. And what
// becomes of promises that a policy still makes, when they are broken.
func TestBrokenPromises(t *testing.T) {
	t.Parallel()
	needsFastPath(t)
	m := testdata(t, "promises")
	m.must("go", "build", "-o", "plain")
	rep := m.build("fast")
	for _, name := range []string{"spin", "doze", "waitForLock", "reJoin", "reInThreadsStack", "leap", "leave", "throwOne", "keep"} {
		if mode := rep.mode(name); mode != "fast" {
			t.Errorf("without a policy %s is %q: %s", name, mode, rep.why(name))
		}
	}
	// It calls back, from its thread's stack where something asks for that one's bounds.
	if mode, why := rep.mode("reCallWithLock"), rep.why("reCallWithLock"); mode != "" ||
		!strings.Contains(why, "may ask for the bounds of its stack") {
		t.Errorf("without a policy reCallWithLock is %q: %s", mode, why)
	}
	m.write("wherry.policy", "example.com/m re*    reentrant\nexample.com/m unsaid nocallback\n")
	m.build("promised")
	const panics = "panic: runtime: function marked with #cgo nocallback called back into Go"
	for _, test := range []struct {
		name, plain, fast, promised string // what it prints
		status                      int    // of the promised one
		told                        string // by that, on standard error
	}{
		{"short", "waited: false\nok\n", "", "", 0, ""},
		{"not block", "waited: false interrupted: false\nok\n", "", "", 0, ""},
		{"no lock", "ok\n", "", "", 0, ""},
		{"waits for no thread of Go's", "0\nok\n", "", "", 0, ""},
		{"leaves locks", "locked: 1\nok\n", "", "", 0, ""},
		{"keep what is pinned", "sees it: true\nok\n", "", "", 0, ""},
		{"keep nothing", "sees it: true\nok\n", "sees it: false\nok\n", "sees it: false\nok\n", 0, ""},
		{"bounds", "1 1\nok\n", "", "1 0\nok\n", 0, ""},
		{"calls back after all", "in Go\nok\n", "", "", 2, panics},
	} {
		for program, want := range map[string]string{"./plain": test.plain, "./fast": test.fast, "./promised": test.promised} {
			status := 0
			if program == "./promised" {
				status = test.status
			}
			if want == "" && status == 0 {
				want = test.plain
			}
			r := m.run(program, test.name, "60")
			if r.status != status || r.stdout != want {
				t.Errorf("%s, %s: exit status %d, output %q, want %d, %q\n%.2000s", program, test.name, r.status, r.stdout, status, want, r.stderr)
			}
			if program == "./promised" {
				contains(t, test.name, r.stderr, test.told)
			}
		}
	}
	// An exception that nothing in C catches ends the process in either case.
	for _, program := range []string{"./plain", "./fast"} {
		if r := m.run(program, "return"); r.status != 2 || !strings.Contains(r.stderr, "terminate called") ||
			!strings.Contains(r.stderr, "SIGABRT") {
			t.Errorf("%s: a C++ exception: exit status %d\n%.2000s", program, r.status, r.stderr)
		}
	}
}
