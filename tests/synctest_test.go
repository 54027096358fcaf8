package tests

import "testing"

// A call that is turned finds its frame wherever the runtime has been meanwhile: in a bubble
// of testing/synctest it leaves another stack pointer in g.sched.
func TestCallsInBubbles(t *testing.T) {
	t.Parallel()
	onEachGo(t, func(t *testing.T, env string) {
		if env == "GOTOOLCHAIN=go1.24.9" {
			t.Skip("Go 1.24 has testing/synctest only as an experiment")
		}
		m := testdata(t, "synctest")
		m.write("go.mod", "module example.com/m\n\ngo 1.25\n")
		m.env = append(m.env, env)
		m.must("go", "test", "-count=1", ".")
		m.must(wherry, "test", "-count=1", ".")
		m.env = append(m.env, "GOGC=1")
		m.must(wherry, "test", "-count=1", ".")
	})
}
