package tests

import (
	"slices"
	"testing"
)

// Go's assembly that C calls through a pointer enters Go by crosscall2, as purego's callbacks
// do: from calls in flight, turned ones, on C stacks, and from a C thread.
func TestAssemblyEntersGo(t *testing.T) {
	onEach(t, func(t *testing.T, on target) {
		m := testdata(t, "assembly").on(on)
		m.must("go", "build", "-o", "plain")
		want := m.mustProgram("./plain").stdout
		builds := []struct {
			mode, policy string
			flags        []string
		}{
			{"fast", "", nil},
			{"reentrant", "example.com/m * reentrant\n", nil},
			{"fast", "example.com/m * fast\nexample.com/m thread cgo\n", []string{"-ldflags=-extldflags=-static"}},
		}
		for _, b := range builds {
			m.write("wherry.policy", b.policy)
			if got := m.build("./fast", b.flags...).mode("once"); got != b.mode {
				t.Errorf("%v: once is %q", b, got)
			}
			env := m.env
			for _, way := range []string{"", "WHERRY_CSTACK_LIMIT=1", "GODEBUG=asyncpreemptoff=1"} {
				m.env = append(slices.Clip(env), way)
				if r := m.program("./fast"); r.stdout != want {
					t.Errorf("%v %s: got status %d, %q, want %q as through plain cgo\n%.2000s", b, way, r.status, r.stdout, want, r.stderr)
				}
			}
			m.env = env
		}
	})
}
