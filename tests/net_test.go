package tests

import (
	"runtime"
	"strings"
	"testing"
)

// wherry net runs the program, passes its output and status on, and reports.
func TestNet(t *testing.T) {
	t.Parallel()
	m := newModule(t, map[string]string{"go.mod": "module example.com/m\n\ngo 1.24\n"})
	for _, args := range []string{"", "-interval 0s -- true", "-nonsense -- true"} {
		if r := m.run(wherry, append([]string{"net"}, strings.Fields(args)...)...); r.status != 2 || !strings.HasPrefix(r.stderr, "wherry: net: ") {
			t.Errorf("net %s: status %d, %q; want wrong usage", args, r.status, r.stderr)
		}
	}
	r := m.run(wherry, "net", "--", "sh", "-c", "echo out; exit 3")
	if runtime.GOOS != "linux" || strings.Contains(r.stderr, "sockdiag: ") {
		if r.status != 1 {
			t.Errorf("not available: status %d, %q", r.status, r.stderr)
		}
		t.Skip(r.stderr)
	}
	if r.status != 3 || r.stdout != "out\n" || !strings.Contains(r.stderr, "no TCP connection") {
		t.Errorf("got status %d, %q, %q", r.status, r.stdout, r.stderr)
	}
	if r := m.run(wherry, "net", "-json", "--", "true"); r.status != 0 || r.stderr != "{\"connections\":[]}\n" {
		t.Errorf("-json: status %d, %q", r.status, r.stderr)
	}
	if r := m.run(wherry, "net", "--", "./missing"); r.status != 1 || !strings.Contains(r.stderr, "missing") {
		t.Errorf("a missing program: status %d, %q", r.status, r.stderr)
	}
}
