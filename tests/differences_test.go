package tests

import (
	"strings"
	"testing"
)

const different = `package main

/*
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern void goDo(void);
extern void crosscall2(void (*)(void *), void *, int, uintptr_t);
extern void _cgo_panic(void *);

static int add(int a, int b) { return a + b; }
static void reCall(void) { goDo(); }
static int peek(int *p) { return *p; }
static int rePeek(int *p) { return *p; }
static void rePanic(void) { struct { const char *text; } a = {"by crosscall2"}; crosscall2(_cgo_panic, &a, sizeof a, 0); }

#cgo nocallback back
static void back(void) { goDo(); }

static void say(int sig) { (void)sig; if (write(1, "C's handler\n", 12)) _exit(7); }
static void handle(void) { struct sigaction a; memset(&a, 0, sizeof a); a.sa_handler = say; a.sa_flags = SA_ONSTACK;
	sigaction(SIGSEGV, &a, 0); }
__attribute__((constructor)) static void before(void) { if (getenv("BEFORE_GO")) handle(); }

extern int hook(int);
static int callHook(int n) { return hook(n); }
static int huge(int n) {
	char b[3 << 20];
	memset(b, n, sizeof b);
	for (int i = 0; i < (int)sizeof b; i += 4096) n += ((volatile char *)b)[i];
	return n;
}
*/
import "C"

import (
	"fmt"
	"os"
	"runtime"
	"runtime/trace"
	"unsafe"

	"example.com/m/other"
)

var do = func() {}

//export goDo
func goDo() { do() }

func count(call func()) {
	before := runtime.NumCgoCall()
	for range 1000 {
		call()
	}
	fmt.Println(runtime.NumCgoCall() - before)
}

var wild = (*C.int)(unsafe.Pointer(uintptr(8)))

var scenarios = map[string]func(){
	"counts": func() {
		file, err := os.Create(os.Args[2])
		if err == nil {
			err = trace.Start(file)
		}
		if err != nil {
			panic(err)
		}
		count(func() { C.add(1, 2) })
		count(func() { C.reCall() })
		trace.Stop()
	},
	"fault":               func() { C.peek(wild) },
	"reentrant fault":     func() { C.rePeek(wild) },
	"later handler":       func() { C.reCall(); C.handle(); C.rePeek(wild) },
	"crosscall2":          func() { defer func() { fmt.Println(recover()) }(); C.rePanic() },
	"nocallback":          func() { do = func() { fmt.Println("in Go") }; C.back() },
	"another's allocator": func() { p := C.malloc(8); other.Arm(); C.free(p) },
	"another's function":  func() { fmt.Println(C.callHook(40), C.hook(1)) },
	"huge frame":          func() { fmt.Println(C.huge(1)) },
}

func main() {
	scenarios[os.Args[1]]()
	fmt.Println("ok")
}
`

// A package that takes the place of what package main was judged with.
var differentModule = map[string]string{
	"main.go": different,
	"hook.c":  "__attribute__((weak)) int hook(int n) { return n + 1; }\n",
	"other/other.go": `package other

/*
extern int armed;
static void arm(void) { armed = 1; }
*/
import "C"

import "fmt"

func Arm() { C.arm() }

//export goFromC
func goFromC() { fmt.Println("in Go") }
`,
	"other/other.c": `
extern void goFromC(void);
int armed;
void free(void *p) { (void)p; if (armed) { armed = 0; goFromC(); } }
int hook(int n) { if (n == 40) goFromC(); return n + 2; }
`,
}

// What SAFETY.md says is different from cgo, beside what plain cgo does.
func TestDifferencesFromCgo(t *testing.T) {
	t.Parallel()
	needsFastPath(t)
	m := newModule(t, differentModule)
	m.must("go", "build", "-o", "plain")
	rep := m.build("fast")
	for name, want := range map[string]string{"hook": "unresolved: hook", "callHook": "unresolved: callHook -> hook",
		"huge": "3145768 bytes of stack"} {
		if rep.mode(name) != "fast" || !strings.Contains(rep.why(name), want) {
			t.Errorf("without a policy %s is %q, because %q, want fast, and %q", name, rep.mode(name), rep.why(name), want)
		}
	}
	if want := "callback: rePanic -> crosscall2"; rep.mode("rePanic") != "" || !strings.Contains(rep.why("rePanic"), want) {
		t.Errorf("without a policy rePanic is %q, because %q, want cgo, and %q", rep.mode("rePanic"), rep.why("rePanic"), want)
	}
	m.write("wherry.policy", "example.com/m free    cgo\nexample.com/m huge    reentrant=4M\n")
	m.build("mended")
	const dies = "SIGSEGV: segmentation violation"
	const nocallback = "function marked with #cgo nocallback called back into Go"
	type end struct {
		status int
		stdout string
		stderr string // a part of it
	}
	for _, test := range []struct {
		name, env   string
		plain, fast end
	}{
		{"counts", "", end{0, "1000\n1000\nok\n", ""}, end{0, "0\n0\nok\n", ""}},
		{"fault", "", end{2, "", dies}, end{2, "", dies}},
		{"fault", "BEFORE_GO=1", end{7, "C's handler\n", ""}, end{2, "", dies}},
		{"reentrant fault", "BEFORE_GO=1", end{7, "C's handler\n", ""}, end{2, "", dies}},
		{"later handler", "", end{7, "C's handler\n", ""}, end{7, "C's handler\n", ""}},
		{"crosscall2", "", end{0, "by crosscall2\nok\n", ""}, end{0, "by crosscall2\nok\n", ""}},
		{"nocallback", "", end{2, "", nocallback}, end{2, "", nocallback}},
		{"another's allocator", "", end{0, "in Go\nok\n", ""}, end{2, "", nocallback}},
		{"another's function", "", end{0, "in Go\n42 3\nok\n", ""}, end{0, "in Go\n42 3\nok\n", ""}},
		{"huge frame", "", end{0, "769\nok\n", ""}, end{0, "769\nok\n", ""}},
	} {
		m.env = []string{test.env}
		for program, want := range map[string]end{"./plain": test.plain, "./fast": test.fast} {
			trace := m.path("trace of " + program[2:])
			r := m.run(program, test.name, trace)
			if r.status != want.status || r.stdout != want.stdout || !strings.Contains(r.stderr, want.stderr) {
				t.Errorf("%s, %s %s: exit status %d, output %q, want %+v\n%.2000s", program, test.name, test.env, r.status, r.stdout, want, r.stderr)
			}
			if test.name != "counts" {
				continue
			}
			// In a trace each call through cgo leaves Go's scheduler, as a system call does.
			events := strings.Count(m.must("go", "tool", "trace", "-d=wire", trace).stdout, "GoSyscallBegin")
			if left := events > 1900; left != (program == "./plain") {
				t.Errorf("%s: its trace shows %d calls that leave Go, of 2000", program, events)
			}
		}
		if test.plain.status == 0 && test.name != "counts" {
			if r := m.run("./mended", test.name); r.status != 0 || r.stdout != test.plain.stdout {
				t.Errorf("%s, with a line of its own: exit status %d, output %q, want %q", test.name, r.status, r.stdout, test.plain.stdout)
			}
		}
	}
}
