package tests

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// What SECURITY.md says of a program: it does in the kernel what the plain program
// does and nothing else, but for signals; and for counting, which writes the file that
// the environment names.
func TestProgramDoesWhatSecuritySays(t *testing.T) {
	t.Parallel()
	needsFastPath(t)
	needsStrace(t)
	m := testdata(t, "process")
	m.write("counts", "")
	m.must("go", "build", "-o", "plain")
	m.build("fast")
	m.must(wherry, "stat", "-build", "counting", ".")
	m.env = append(m.env, "WHERRY_STAT_FILE="+m.path("counts"))
	plain := m.traced(tracedCalls+tracedSignals, "./plain")
	for name, files := range map[string]struct{ reads, writes []string }{
		"plain":    {},
		"fast":     {reads: []string{"/proc/self/exe"}},
		"counting": {[]string{"/proc/self/exe"}, []string{m.path("counts")}},
	} {
		t.Run(name, func(t *testing.T) {
			r := m.traced(tracedCalls+tracedSignals, "./"+name)
			r.noNetwork(t)
			r.writesOnly(t, files.writes...)
			for _, path := range files.writes {
				if !slices.Contains(r.writes, path) {
					t.Errorf("not written: %s", path)
				}
			}
			if len(r.programs) != 1 {
				t.Errorf("it runs %v", r.programs)
			}
			common := plain.reads("plain")
			reads := slices.DeleteFunc(r.reads(name), func(path string) bool { return slices.Contains(common, path) })
			if !slices.Equal(reads, files.reads) {
				t.Errorf("it reads %q, which plainly built it does not; want %q", reads, files.reads)
			}
			want, got := plain.handlers(t), r.handlers(t)
			if name != "plain" {
				want[0] = append(want[0], "SIGURG", "SIGABRT", "SIGBUS", "SIGFPE", "SIGILL", "SIGSEGV", "SIGTRAP", "SIGPROF", "SIGQUIT")
			}
			for i, when := range []string{"before reentrant calls", "in the first", "later"} {
				if more, fewer := without(got[i], want[i]), without(want[i], got[i]); len(more)+len(fewer) > 0 {
					t.Errorf("%s it sets handlers of %q too, and not of %q", when, more, fewer)
				}
			}
		})
	}
}

var tracedHandler = regexp.MustCompile(`^rt_sigaction\((\w+), \{`)

// handlers lists the signals for which handlers are set, before the first reentrant
// call, in it, and later.
func (r trace) handlers(t *testing.T) (set [3][]string) {
	t.Helper()
	stage := 0
	for _, call := range r.calls {
		if h := tracedHandler.FindStringSubmatch(call.text); h != nil {
			set[stage] = append(set[stage], h[1])
		}
		if strings.HasPrefix(call.text, "write(1") &&
			(strings.Contains(call.text, `"now reentrant\n"`) || strings.Contains(call.text, `"again\n"`)) {
			stage++
		}
	}
	if stage != 2 || len(set[0]) < 10 {
		t.Fatalf("strace saw %d stages of the program and %q", stage, set)
	}
	return set
}

// without returns what is in a list and not in another, each as often as it is.
func without(list, other []string) (left []string) {
	other = slices.Clone(other)
	for _, s := range list {
		if i := slices.Index(other, s); i >= 0 {
			other = slices.Delete(other, i, i+1)
		} else {
			left = append(left, s)
		}
	}
	return left
}

// Handlers of Go's and of the program's own stay and are called, before and after the
// first reentrant call.
func TestSignalHandlersStay(t *testing.T) {
	onEach(t, func(t *testing.T, on target) {
		m := testdata(t, "process").on(on)
		m.build("fast")
		for _, test := range []struct {
			args []string
			says string
		}{
			{[]string{"own"}, strings.Repeat("own: 1, heard: 1\n", 3)},
			{nil, "recovers: true\n"},
		} {
			want := fmt.Sprintf("%snow reentrant\nagain\n%s", test.says, test.says)
			if r := m.mustProgram("./fast", test.args...); r.stdout != want || r.stderr != "" {
				t.Fatalf("%q: got\n%s%s\nwant\n%s", test.args, r.stdout, r.stderr, want)
			}
		}
	})
}
