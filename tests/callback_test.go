package tests

import (
	"strings"
	"testing"
)

const callingBack = `package main

/*
extern void reached(void);
static void back(void) { reached(); }
static void plain(void) {}
*/
import "C"

import (
	"fmt"
	"os"
)

//export reached
func reached() { fmt.Println("in Go") }

func main() {
	defer func() { fmt.Println("recovered:", recover()) }()
	if os.Args[1] == "warm" { // leaves other state behind in the runtime
		C.plain()
	}
	C.back()
	fmt.Println("and back")
}
`

// A function that was named direct by mistake and calls back stops the
// process before any Go code runs in it; nothing is corrupted, nothing hangs.
func TestCallbackFromDirectCallStops(t *testing.T) {
	onEach(t, func(t *testing.T, on target) {
		m := newModule(t, map[string]string{"main.go": callingBack, "wherry.policy": "example.com/m back direct\nexample.com/m plain cgo\n"}).on(on)
		if rep := m.build("fast"); rep.direct() != "back" {
			t.Fatalf("got direct functions %q", rep.direct())
		}
		for _, state := range []string{"cold", "warm"} {
			r := m.program("./fast", state)
			if r.status != 2 || strings.Contains(r.stdout, "in Go") || strings.Contains(r.stdout, "recovered") {
				t.Errorf("%s: got exit status %d, output %q", state, r.status, r.stdout)
			}
			if !strings.Contains(r.stderr, "fatal error: exitsyscall") && !strings.Contains(r.stderr, "SIGSEGV") {
				t.Errorf("%s: neither a fault nor the runtime's error in\n%s", state, r.stderr)
			}
			contains(t, state, r.stderr, "main._Cfunc_back")
		}
	})
}
