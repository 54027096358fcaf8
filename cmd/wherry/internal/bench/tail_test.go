package bench

import (
	"strings"
	"testing"
)

func TestTailKeepsTheEnd(t *testing.T) {
	for _, lines := range []int{tailSize / 4, tailSize, 100 * tailSize} { // of five bytes
		var out tail
		for range lines {
			out.Write([]byte("line\n"))
		}
		if cap(out.buf) > 20*tailSize {
			t.Errorf("%d lines: %d bytes are kept, want a bound", lines, cap(out.buf))
		}
		out.Write([]byte("last\n"))
		got := out.quote()
		if len(got) > 2*tailSize || !strings.HasPrefix(got, "\n\t...\n\tline\n\tline\n") || !strings.HasSuffix(got, "\tline\n\tlast") {
			t.Errorf("%d lines: got %d bytes, %.20q to %q", lines, len(got), got, got[len(got)-20:])
		}
	}
}

func TestTailOfLittle(t *testing.T) {
	var out tail
	if got := out.quote(); got != "" {
		t.Errorf("got %q for no output, want nothing", got)
	}
	out.Write([]byte("one\ntwo"))
	if got, want := out.quote(), "\n\tone\n\ttwo"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	// One endless line is cut, too, but does not vanish.
	out.Write([]byte(strings.Repeat("x", 9*tailSize) + "\n"))
	if got := len(out.quote()); got < tailSize || got > 2*tailSize {
		t.Errorf("got %d bytes of a long line, want about %d", got, tailSize)
	}
}
