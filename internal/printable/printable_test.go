package printable

import (
	"fmt"
	"strings"
	"testing"
)

func TestText(t *testing.T) {
	for text, want := range map[string]string{
		"":                              "",
		"a line\n\tanother, größer …\n": "a line\n\tanother, größer …\n",
		"\x1b[31mred\x1b]0;title\a":     `\u001b[31mred\u001b]0;title\u0007`,
		"over\rwritten\b\x00\x7f":       `over\u000dwritten\u0008\u0000\u007f`,
		"\u009b31m":                     `\u009b31m`,        // an escape sequence in one character
		"\x9b31m and \xff":              `\x9b31m and \xff`, // and in one byte
		"\u202egnp.exe":                 `\u202egnp.exe`,    // from right to left
		"\U000e0041":                    `\U000e0041`,
		"a\u00a0b":                      "a\u00a0b",
	} {
		if got := Text(text); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
		var out strings.Builder
		if n, err := fmt.Fprint(Writer{&out}, text); n != len(text) || err != nil || out.String() != want {
			t.Errorf("%q: wrote %q, %d, %v", text, out.String(), n, err)
		}
	}
}
