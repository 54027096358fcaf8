package tests

import "testing"

// A host's handler makes a fault good that C of a library has, on a C stack. What calls
// back then is still a call that may call back.
func TestCallbackAfterRepairedFault(t *testing.T) {
	onEach(t, func(t *testing.T, on target) {
		m := testdata(t, "repairedfault").on(on)
		m.usesWherry()
		m.must(on.cc(), "-o", "host", "host.c", "-ldl")
		m.must("go", "build", "-buildmode=c-shared", "-o", "plain.so", ".")
		m.build("fast.so", "-buildmode=c-shared")
		for _, library := range []string{"./plain.so", "./fast.so"} {
			if got := m.mustProgram("./host", library).stdout; got != "20\n" {
				t.Errorf("%s: got %q, want 20", library, got)
			}
		}
	})
}
