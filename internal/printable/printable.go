// Package printable keeps text of others, such as names, comments and messages of tools, from
// controlling the terminal on which it is shown.
package printable

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// Text returns text in which only lines, tabs and characters that can be seen are left as they
// are. The others are escaped as in JSON, so that JSON stays what it was.
func Text(text string) string {
	if !strings.ContainsFunc(text, hidden) && utf8.ValidString(text) {
		return text
	}
	var out strings.Builder
	for len(text) > 0 {
		r, n := utf8.DecodeRuneInString(text)
		switch {
		case r == utf8.RuneError && n == 1:
			fmt.Fprintf(&out, `\x%02x`, text[0])
		case !hidden(r):
			out.WriteString(text[:n])
		case r > 0xffff:
			high, low := utf16.EncodeRune(r)
			fmt.Fprintf(&out, `\u%04x\u%04x`, high, low)
		default:
			fmt.Fprintf(&out, `\u%04x`, r)
		}
		text = text[n:]
	}
	return out.String()
}

// Line returns text as Text does, and as one line without tabs: it ends no line, and no column
// of a table.
func Line(text string) string { return inLine.Replace(Text(text)) }

var inLine = strings.NewReplacer("\n", `\n`, "\t", `\t`)

func hidden(r rune) bool { return r != '\n' && r != '\t' && !strconv.IsGraphic(r) }

// A Writer writes what is written to it as Text returns it.
type Writer struct{ To io.Writer }

func (w Writer) Write(text []byte) (int, error) {
	if _, err := io.WriteString(w.To, Text(string(text))); err != nil {
		return 0, err
	}
	return len(text), nil
}
