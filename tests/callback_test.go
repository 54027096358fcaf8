package tests

import "testing"

// A function of which nothing is said may call back, as through plain cgo. Where #cgo
// nocallback or a policy says that it does not, a callback is the panic that plain
// cgo makes of it, before any Go code runs in it.
func TestCallbackThatNobodySpokeOf(t *testing.T) {
	onEach(t, func(t *testing.T, on target) {
		const noCallback = "#cgo nocallback back\n#cgo nocallback backAfterSleep\n"
		for _, line := range []string{"", noCallback} {
			m := testdata(t, "callback").on(on)
			m.replace("main.go", "/*\n", "/*\n"+line)
			for _, policy := range []string{"", "example.com/m back* nocallback\n"} {
				m.write("wherry.policy", policy)
				if rep := m.build("fast"); rep.fast() != "back backAfterSleep plain" {
					t.Fatalf("got fast functions %q", rep.fast())
				}
				oracle, want := m, "in Go 1\nand back 1\nrecovered: <nil>\n"
				if line+policy != "" {
					want = "recovered: runtime: function marked with #cgo nocallback called back into Go\n"
				}
				if line == "" && policy != "" {
					oracle = testdata(t, "callback").on(on)
					oracle.replace("main.go", "/*\n", "/*\n"+noCallback)
				}
				oracle.must("go", "build", "-o", "plain")
				for _, state := range []string{"cold", "warm"} {
					for _, when := range []string{"at once", "after a sleep"} {
						if plain := oracle.mustProgram("./plain", state, when); plain.stdout != want {
							t.Errorf("plain cgo, %s, %s: got output\n%swant\n%s", state, when, plain.stdout, want)
						}
						r := m.mustProgram("./fast", state, when)
						if r.stdout != want {
							t.Errorf("%s, %s, %q %q: got output\n%swant\n%s", state, when, line, policy, r.stdout, want)
						}
						if line+policy == "" && r.stderr != "" {
							t.Errorf("%s: it complains: %q", state, r.stderr)
						} else if line+policy != "" {
							function, says := "back", "#cgo nocallback"
							if when != "at once" {
								function = "backAfterSleep"
							}
							if line == "" {
								says = "the line \"example.com/m back* nocallback\" of wherry.policy"
							}
							want := "wherry: C." + function + " of example.com/m calls back into Go, though " + says + " says that it does not\n"
							if r.stderr != want {
								t.Errorf("%s, %s: got %q, want %q", state, when, r.stderr, want)
							}
						}
					}
				}
			}
		}
	})
}
