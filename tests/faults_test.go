package tests

import (
	"fmt"
	"os"
	"sort"
	"strings"
	"testing"
)

const faultyPolicy = `
example.com/m visit         reentrant
example.com/m act           reentrant
example.com/m leaps         reentrant
example.com/m *AfterCallback reentrant
`

// Whatever fails around a crossing ends as with plain cgo: the same output, the
// same exit status, and for a death the same reason.
func TestFaults(t *testing.T) {
	onEach(t, func(t *testing.T, on target) {
		m := testdata(t, "faults").on(on)
		if rep := m.build("fast"); rep.mode("quit") != "fast" || rep.mode("quitAfterCallback") != "fast" {
			t.Fatalf("got fast functions %q", rep.fast())
		}
		m.write("wherry.policy", faultyPolicy)
		if rep := m.build("reentrant"); rep.mode("quitAfterCallback") != "reentrant" {
			t.Fatalf("got fast functions %q", rep.fast())
		}
		m.must("go", "build", "-o", "plain")
		m.must(on.cc(), "-shared", "-fPIC", "-x", "c", "-o", "library.so", "library.txt")
		for _, fault := range []struct {
			name, says string // on standard error, when it dies
			status     int
			native     bool // qemu-user does not imitate it
		}{
			{name: "no files"},
			{name: "too many threads", status: 2, says: "thread exhaustion"},
			{name: "no processes", status: 2, says: "pthread_create failed: Resource temporarily unavailable", native: true},
			{name: "storm", native: true},
			{name: "stopped"},
			{name: "fork"},
			{name: "exit", status: 5},
			{name: "_exit", status: 6},
			{name: "exit after a callback", status: 7},
			{name: "exit in a callback", status: 8},
			{name: "longjmp within C"},
			{name: "longjmp across Go", status: 2, says: "main.init"},
			{name: "C's own handler"},
			{name: "C's own handler, another fault", status: 2, says: "main.init"},
			{name: "library"},
			{name: "closed library", status: 2, says: "SIGSEGV: segmentation violation"},
			{name: "closed library after a callback", status: 2, says: "SIGSEGV: segmentation violation"},
			{name: "leaks"},
		} {
			if on.runner == nil && strings.Contains(os.Getenv("CC"), "musl") && strings.HasPrefix(fault.name, "closed library") {
				fault.status, fault.says = 0, "" // musl's dlclose unmaps nothing
			}
			t.Run(fault.name, func(t *testing.T) {
				if fault.native && on.runner != nil {
					t.Skipf("%s does not imitate this", on.runner[0])
				}
				plain := m.program("./plain", fault.name, m.path("library.so"))
				if plain.status != fault.status || !strings.Contains(plain.stderr, fault.says) {
					t.Errorf("plain cgo: exit status %d, want %d and %q\n%.3000s%.3000s", plain.status, fault.status, fault.says,
						plain.stdout, plain.stderr)
				}
				for _, program := range []string{"./fast", "./reentrant"} {
					fast := m.program(program, fault.name, m.path("library.so"))
					if fast.status != fault.status || !strings.Contains(fast.stderr, fault.says) {
						t.Errorf("%s: exit status %d, want %d and %q\n%.3000s%.3000s", program, fast.status, fault.status, fault.says,
							fast.stdout, fast.stderr)
					}
					if fast.stdout != plain.stdout {
						t.Errorf("%s prints\n%s\nplain\n%s", program, fast.stdout, plain.stdout)
					}
				}
			})
		}
	})
}

// Without memory for a C stack a call runs where it does through cgo, and on a C stack when
// there is memory again. The first one is there from the start.
func TestNoMemoryForCStack(t *testing.T) {
	t.Parallel()
	needsFastPath(t)
	m := testdata(t, "faults")
	m.write("wherry.policy", faultyPolicy)
	m.build("fast")
	if r := m.run("./fast", "no memory"); r.status != 0 || r.stdout != "ok\n" {
		t.Errorf("exit status %d, output %q\n%.3000s", r.status, r.stdout, r.stderr)
	}
}

// A fault in C goes to the handler that C had before Go came, as under cgo; one in Go does not.
func TestFaultsAreHandedOn(t *testing.T) {
	onEach(t, func(t *testing.T, on target) { testdata(t, "handedon").on(on).likePlain() })
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

// What a fault raises can be sent too: in bursts, and by sigqueue to C's handler that has interrupted C.
func TestSentFaults(t *testing.T) {
	onEach(t, func(t *testing.T, on target) {
		m := testdata(t, "sentfaults").on(on)
		if on.runner == nil { // qemu-user has plain go's program die
			m.likePlain("burst")
		}
		m.must("go", "build", "-o", "plain")
		for _, flags := range [][]string{nil, {"-ldflags=-extldflags=-static"}} {
			m.build("fast", flags...)
			plain, fast := m.program("./plain", "queued"), m.program("./fast", "queued")
			if fast.status != plain.status || !strings.HasPrefix(fast.stderr, "SIGSEGV: segmentation violation\n") {
				t.Errorf("queued, %s: exit status %d, want %d and SIGSEGV\n%.2000s", flags, fast.status, plain.status, fast.stderr)
			}
		}
	})
}

// What stands before Go's handler of a fault takes little of its stack, which may be C's own, and just
// large enough.
func TestFaultWithLittleRoom(t *testing.T) {
	t.Parallel()
	needsFastPath(t)
	m := testdata(t, "littleroom")
	m.must("go", "build", "-o", "plain")
	m.write("wherry.policy", "example.com/m * fast\n")
	if got := m.build("fast").fast(); got != "fault" {
		t.Fatalf("got fast functions %q", got)
	}
	const step, most = 64, 32 << 10
	least := func(program string) int {
		return step * sort.Search(most/step, func(n int) bool { return m.run(program, fmt.Sprint(n*step)).status == 2 })
	}
	plain, fast := least("./plain"), least("./fast")
	if plain >= most || fast > plain+3*step {
		t.Errorf("a fault ends the program as it should with %d bytes, plainly with %d", fast, plain)
	}
	t.Logf("%d bytes, plainly %d", fast, plain)
}
