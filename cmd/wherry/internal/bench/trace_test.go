package bench

import (
	"strings"
	"testing"
)

func TestCrashHead(t *testing.T) {
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
			var out tail
			for rest := c.output; rest != ""; {
				n := min(size, len(rest))
				out.Write([]byte(rest[:n]))
				rest = rest[n:]
			}
			if got := out.trace.quote(); got != c.want {
				t.Errorf("%s, %d bytes at a time: got %.300q, want %q", name, size, got, c.want)
			}
		}
	}
	// One goroutine may be long, too.
	var out tail
	out.Write([]byte("fatal error: stack overflow\n\ngoroutine 1 [running]:\n" + strings.Repeat("main.deep()\n", 10000)))
	if got := out.trace.quote(); len(got) > 3*tailSize || !strings.HasPrefix(got, "\n\tfatal error: stack overflow\n") {
		t.Errorf("got %d bytes, %.40q", len(got), got)
	}
}
