package printable

import (
	"encoding/json"
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
		"\U000e0041":                    `\udb40\udc41`,
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

// JSON stays JSON, and says the same.
func TestJSON(t *testing.T) {
	for _, text := range []string{"\x1b[31m\u009b\u202e", "a tag \U000e0041, \U0010ffff and \U0001f980"} {
		written, err := json.Marshal(text)
		if err != nil {
			t.Fatal(err)
		}
		var got string
		if err := json.Unmarshal([]byte(Text(string(written))), &got); err != nil || got != text {
			t.Errorf("%q: got %q, %v", text, got, err)
		}
	}
}

func TestLine(t *testing.T) {
	if got, want := Line("a\tb\nwherry: c\x1b"), `a\tb\nwherry: c\u001b`; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
