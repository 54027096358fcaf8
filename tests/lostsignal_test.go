package tests

import "testing"

// A signal of the runtime's can be lost with the C thread that it was for. The runtime takes it
// as still to come and sends no other, so the next thread of that m was not asked to stop while
// C ran in a call of its callback, and a collection waited for ever.
func TestSignalLostWithItsThread(t *testing.T) {
	onEach(t, func(t *testing.T, on target) {
		m := testdata(t, "lostsignal").on(on)
		m.must("go", "build", "-o", "plain")
		m.must(wherry, "build", "-o", "fast")
		for _, name := range []string{"./plain", "./fast"} {
			if got := m.mustProgram(name).stdout; got != "ok\n" {
				t.Errorf("%s: got %q", name, got)
			}
		}
	})
}
