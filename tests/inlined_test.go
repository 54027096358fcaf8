package tests

import (
	"strings"
	"testing"
)

// A call whose pointers are checked is inlined, however long the line is that cgo writes
// for it, and everything is on the line where the source has it.
func TestCheckedCallsAreInlined(t *testing.T) {
	t.Parallel()
	needsFastPath(t)
	m := testdata(t, "inlined")
	m.must("go", "build", "-o", "plain", ".")
	want := m.must("./plain").stdout
	m.build("program")
	if got := m.mustProgram("./program").stdout; got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	for _, function := range []string{"main.call", "main.calls"} {
		code := m.must("go", "tool", "objdump", "-s", function+"$", "program").stdout
		if !strings.Contains(code, "CALL _wherry_call") || strings.Contains(code, "CALL main._Cfunc") {
			t.Errorf("%s calls C by way of another function:\n%s", function, code)
		}
	}
}
