package tests

import (
	"runtime"
	"strings"
	"testing"
)

const crashing = `package main

/*
#include <stdlib.h>
#include <signal.h>
static int peek(int *p) { return *p; }
static void stop(void) { abort(); }
static int divide(int a, int b) { return a / b; }
static void fault(void) { *(volatile int *)0 = 1; } // gcc may take it for a function without effects
*/
import "C"

import (
	"fmt"
	"os"
	"unsafe"
)

//go:noinline
func culprit(how string) {
	defer func() { fmt.Println("recovered:", recover()) }() // must not run
	switch how {
	case "segv":
		fmt.Println(C.peek((*C.int)(unsafe.Pointer(uintptr(8)))))
	case "abort":
		C.stop()
	case "fpe":
		fmt.Println(C.divide(1, C.int(len(os.Args)-2)))
	case "always":
		C.fault()
	case "always, with errno":
		_, err := C.fault()
		fmt.Println(err)
	case "go": // a fault in Go code is a panic as ever, after calls of C too
		x := C.int(len(os.Args))
		fmt.Println(C.peek(&x))
		var p *int
		fmt.Println(*p)
	}
}

func main() { culprit(os.Args[1]) }
`

// A fault inside C kills the process as with cgo: the same exit status, no
// recover, and a trace that shows the goroutine's Go functions.
func TestCrashInC(t *testing.T) {
	onEach(t, func(t *testing.T, on target) {
		m := newModule(t, map[string]string{"main.go": crashing}).on(on)
		if rep := m.build("fast"); rep.fast() != "divide fault peek stop" {
			t.Fatalf("got fast functions %q", rep.fast())
		}
		m.must("go", "build", "-o", "plain")
		faults := []string{"segv", "abort", "always", "always, with errno"}
		if on.name == "native" && runtime.GOARCH == "amd64" {
			faults = append(faults, "fpe") // arm64 divides by zero in silence
		}
		for _, how := range faults {
			plain, fast := m.program("./plain", how), m.program("./fast", how)
			if fast.status != plain.status || fast.status == 0 {
				t.Errorf("%s: got exit status %d, cgo's is %d\n%s", how, fast.status, plain.status, fast.stderr)
			}
			name, _, _ := strings.Cut(plain.stderr, "\n") // SIGSEGV: segmentation violation
			contains(t, how, fast.stderr, name, "goroutine 1", "main.culprit", "main.main()", "main.go:")
			if strings.Contains(fast.stdout, "recovered") {
				t.Errorf("%s: a fault in C was recovered", how)
			}
		}
		if r := m.program("./fast", "go"); !strings.Contains(r.stdout, "recovered: runtime error: invalid memory address") {
			t.Errorf("a fault in Go after a call of C: got %q, %s", r.stdout, r.stderr)
		}
	})
}
