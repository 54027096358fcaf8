package tests

import "testing"

// A fault in C goes to the handler that C had before Go came, as under cgo; one in Go does not.
func TestFaultsAreHandedOn(t *testing.T) {
	onEach(t, func(t *testing.T, on target) {
		m := testdata(t, "handedon").on(on)
		m.must("go", "build", "-o", "plain")
		m.build("fast")
		plain, fast := m.program("./plain"), m.program("./fast")
		if plain.status != 0 || fast.status != 0 || fast.stdout != plain.stdout {
			t.Errorf("exit status %d, want %d; got %q, want %q\n%.2000s", fast.status, plain.status, fast.stdout, plain.stdout, fast.stderr)
		}
	})
}

// So does one in what package direct calls, in programs of wherry build and of plain go.
func TestBoundFaultsAreHandedOn(t *testing.T) {
	onEach(t, func(t *testing.T, on target) {
		m := testdata(t, "bound/faults").on(on)
		m.usesWherry()
		m.must("go", "build", "-o", "plain", ".")
		m.build("fast")
		for _, program := range []string{"./plain", "./fast"} {
			if got := m.mustProgram(program).stdout; got != "100\n" {
				t.Errorf("%s: got %q, want 100", program, got)
			}
		}
	})
}
