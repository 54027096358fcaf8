package tests

import (
	"strings"
	"testing"
)

// C that remembers an address on its stack, and compares its stack pointer with one so far
// above, stays on that stack: where it calls back by itself and through a pointer.
func TestOwnStackLimit(t *testing.T) {
	onEach(t, func(t *testing.T, on target) {
		m := newModule(t, map[string]string{"main.go": `package main

/*
#include <stdint.h>
static struct runtime { uintptr_t top, size; } runtime;
__attribute__((noinline)) static void begin(void) {
	runtime.top = (uintptr_t)__builtin_frame_address(0);
	runtime.size = 256 * 1024;
}
extern long back(long);
static long (*volatile hidden)(long) = back;
__attribute__((noinline)) static int overflows(void) { return runtime.top - (uintptr_t)__builtin_frame_address(0) > runtime.size; }
static long shown(long n) { return overflows() ? -1 : back(n); }
static long through(long n) { return overflows() ? -1 : hidden(n); }
*/
import "C"

import (
	"fmt"
	"runtime"
)

//export back
func back(n C.long) C.long { return n + 1 }

func main() {
	runtime.LockOSThread()
	C.begin()
	wrong := 0
	for i := range C.long(1000) {
		if C.shown(i) != i+1 {
			wrong++
		}
		if C.through(i) != i+1 {
			wrong++
		}
	}
	fmt.Println("overflows", wrong)
}
`}).on(on)
		rep := m.build("fast")
		if r := m.program("./fast"); r.stdout != "overflows 0\n" {
			t.Errorf("got exit status %d, output %q\n%.1000s", r.status, r.stdout, r.stderr)
		}
		const says = "; overflows compares its stack pointer with an address in memory, so it cannot run on another stack"
		said := false
		for _, f := range rep.Packages[0].Kept {
			said = said || f.Function == "shown" && strings.Contains(f.Why, says)
		}
		if !said {
			t.Errorf("the report says of shown not %q: %+v", says, rep.Packages)
		}
		m.write("wherry.policy", "example.com/m shown reentrant\n") // the rule's promise is broken
		m.build("reentrant")
		if r := m.program("./reentrant"); r.stdout != "overflows 1000\n" {
			t.Errorf("on a C stack got output %q: the program does not test what it should", r.stdout)
		}
	})
}
