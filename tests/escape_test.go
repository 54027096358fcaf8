package tests

import (
	"strings"
	"testing"
)

// Arguments do not escape where nobody can tell the difference: where that is proved, and
// where #cgo noescape or a policy says it. Through cgo they do, and where nobody knows.
func TestArgumentsDoNotEscape(t *testing.T) {
	t.Parallel()
	needsFastPath(t)
	const proved, declared, said, all = "fill 0\nstruct 1\nerrno 0\nslice 0\nunknown 1\nunknown struct 1\n",
		"fill 0\nstruct 1\nerrno 0\nslice 0\nunknown 0\nunknown struct 0\n",
		"fill 0\nstruct 0\nerrno 0\nslice 0\nunknown 0\nunknown struct 0\n", "fill 1\nstruct 1\nerrno 1\nslice 1\nunknown 1\nunknown struct 1\n"
	m := testdata(t, "escape")
	program := m.read("main.go")
	m.must("go", "build", "-o", "plain") // whatever a policy says
	if got := m.must("./plain").stdout; got != all {
		t.Errorf("through plain cgo: got allocations\n%swant\n%s", got, all)
	}
	for _, test := range []struct{ name, line, policy, want string }{
		{"by default", "", "", proved},
		{"#cgo noescape and nocallback", "#cgo noescape unknown\n#cgo nocallback unknown\n#cgo noescape unknownStruct\n#cgo nocallback " +
			"unknownStruct\n", "", declared},
		{"#cgo nocallback", "#cgo nocallback unknown\n#cgo nocallback unknownStruct\n", "", proved},
		{"nocallback", "", "example.com/m * nocallback\n", said},
		{"fast", "", "example.com/m * fast\n", proved},
		{"reentrant", "", "example.com/m * reentrant\n", all},
		{"cgo", "", "example.com/m * cgo\n", all},
	} {
		m.write("main.go", strings.Replace(program, "/*\n", "/*\n"+test.line, 1))
		m.write("wherry.policy", test.policy)
		m.build("fast")
		if got := m.must("./fast").stdout; got != test.want {
			t.Errorf("%s: got allocations\n%swant\n%s", test.name, got, test.want)
		}
	}
}
