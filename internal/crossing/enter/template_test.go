package enter

import (
	"strings"
	"testing"
)

// A misspelled tag, offset or macro is an error, with the line.
func TestUnknownWords(t *testing.T) {
	for _, test := range []struct{ file, line, want string }{
		{"x.gas", "\tret # CHEKC", `x.gas:2: unknown tag "CHEKC"`},
		{"x.gas", "\tret # ARGS 9", `x.gas:2: unknown tag "ARGS 9"`},
		{"x.gas", "\tmovq $0, G_STAKGUARD0(%r14)", "x.gas:2: unknown name G_STAKGUARD0"},
		{"x.gas", "\tPUSH_SAFED", "x.gas:2: unknown name PUSH_SAFED"},
		{"x.gas", "\tmovq $0, G_M(%r14) # CHECK", ""},
		{"x.gas", "1:\tPUSH_SAVED # from here on", ""},
	} {
		x := template{file: test.file, words: map[string]string{"G_M": "8"}, macros: map[string][]string{"PUSH_SAVED": {"\tpushq %rbp"}},
			keep: func(string) bool { return true }}
		_, err := x.lines([]string{"# a file", test.line})
		if (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %q: got %v, want %q", test.file, test.line, err, test.want)
		}
	}
}
