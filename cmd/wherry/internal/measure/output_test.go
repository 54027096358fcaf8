package measure

import (
	"strings"
	"testing"
)

func TestOutputKeepsTheEnd(t *testing.T) {
	for _, bytes := range []int{shownOutput, 5 * shownOutput, 5 * keptOutput} {
		var out output
		lines := []byte(strings.Repeat("line\n", 1000))
		for n := 0; n < bytes; n += len(lines) {
			out.Write(lines)
		}
		if len(out.text) > 2*keptOutput {
			t.Errorf("%d bytes: %d are kept, want a bound", bytes, len(out.text))
		}
		out.Write([]byte("last\n"))
		got := out.end()
		if len(got) > 2*shownOutput || !strings.HasPrefix(got, "\n\t...\n\tline\n\tline\n") || !strings.HasSuffix(got, "\tline\n\tlast") {
			t.Errorf("%d bytes: got %d, %.20q to %q", bytes, len(got), got, got[len(got)-20:])
		}
	}
}

func TestLittleOutput(t *testing.T) {
	var out output
	if got := out.end(); got != "" {
		t.Errorf("got %q for no output, want nothing", got)
	}
	out.Write([]byte("one\ntwo"))
	if got, want := out.end(), "\n\tone\n\ttwo"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	// One endless line is cut, too, but does not vanish.
	out.Write([]byte(strings.Repeat("x", 9*shownOutput) + "\n"))
	if got := len(out.end()); got < shownOutput || got > 2*shownOutput {
		t.Errorf("got %d bytes of a long line, want about %d", got, shownOutput)
	}
}

func TestCrash(t *testing.T) {
	const (
		head   = "panic: runtime error: index out of range [3]\n[signal SIGSEGV: x]\n\ngoroutine 1 [running]:\nmain.f()\n\t/a.go:3\n"
		others = "\ngoroutine 2 [select]:\nmain.g()\n\ngoroutine 3 [select]:\nmain.h()\n"
	)
	quoted := strings.ReplaceAll("\n"+strings.TrimSpace(head), "\n", "\n\t") + "\n\t..."
	for name, c := range map[string]struct{ output, want string }{
		"nothing":         {"", ""},
		"no trace":        {"PASS\nok\n", ""},
		"a word of it":    {"panic: is what I was told to print\nPASS\n", ""},
		"a trace":         {strings.Repeat("line\n", 5000) + head + strings.Repeat(others, 1000), quoted},
		"without others":  {head, quoted},
		"a later one":     {"fatal error: old\n\ngoroutine 9 [running]:\nmain.old()\n\nback to work\n" + head + others, quoted},
		"after much":      {"panic: a word\n" + strings.Repeat("line\n", 5000) + head + others, quoted},
		"with its reason": {"runtime: too early\nline\nwherry: C.f calls back\n" + head + others, "\n\twherry: C.f calls back" + quoted},
	} {
		for _, size := range []int{1, 7, 1 << 20} {
			var out output
			for rest := c.output; rest != ""; {
				n := min(size, len(rest))
				out.Write([]byte(rest[:n]))
				rest = rest[n:]
			}
			if got := out.crash(); got != c.want {
				t.Errorf("%s, %d bytes at a time: got %.300q, want %q", name, size, got, c.want)
			}
		}
	}
	// One goroutine may be long, too.
	var out output
	out.Write([]byte("fatal error: stack overflow\n\ngoroutine 1 [running]:\n" + strings.Repeat("main.deep()\n", 10000)))
	if got := out.crash(); len(got) > 3*shownOutput || !strings.HasPrefix(got, "\n\tfatal error: stack overflow\n") {
		t.Errorf("got %d bytes, %.40q", len(got), got)
	}
}
