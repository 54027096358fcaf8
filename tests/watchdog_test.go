package tests

import (
	"bytes"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const watched = `package main

/*
#include <errno.h>
#include <time.h>
#include <unistd.h>
static double spin(int us, double x) {
	struct timespec t, e;
	clock_gettime(CLOCK_MONOTONIC, &t);
	do clock_gettime(CLOCK_MONOTONIC, &e); while ((e.tv_sec - t.tv_sec) * 1000000 + (e.tv_nsec - t.tv_nsec) / 1000 < us);
	errno = ERANGE;
	return x + us;
}
static double guarded(int us) { return spin(us, 0); }
static int quick(int n) { return n + 1; }
static void forever(void) { for (;;) pause(); }
*/
import "C"

import (
	"fmt"
	"os"
	"runtime"
	"sync"
	"syscall"
	"time"
)

func caller(us int) {
	v := C.spin(C.int(us), 0.5) // in caller
	if v != C.double(us)+0.5 {
		panic(v)
	}
}

//go:noinline
func errno() {
	if v, err := C.spin(200000, 0.5); v != 200000.5 || err != syscall.ERANGE { // in errno
		panic(err)
	}
}

func main() {
	runtime.GOMAXPROCS(4) // so many long calls at once, on any machine
	switch os.Args[1] {
	case "long":
		caller(201000)
		errno()
		C.guarded(202000) // in main
		for range 1000 {
			C.quick(1)
		}
	case "forever":
		go func() { // it ends when the watchdog has told
			for range 600 {
				time.Sleep(100 * time.Millisecond)
				if told, _ := os.ReadFile(os.Getenv("WHERRY_WATCHDOG_FILE")); len(told) > 0 {
					os.Stderr.Write(told)
					os.Exit(3)
				}
			}
			os.Exit(4)
		}()
		C.forever() // in forever
	case "threads":
		var all sync.WaitGroup
		for range 20 {
			all.Add(1)
			go func() { defer all.Done(); caller(20000); C.quick(2) }()
		}
		all.Wait()
	}
	fmt.Println("ok")
}
`

// The watchdog names function, Go caller and duration of long direct calls, also
// of those that never return, and of no others.
func TestWatchdog(t *testing.T) {
	onEach(t, func(t *testing.T, on target) {
		m := newModule(t, map[string]string{"main.go": watched, "wherry.policy": "example.com/m * direct\nexample.com/m guarded guarded\n"}).on(on)
		m.build("fast", "-watchdog")
		line := func(mark string) string {
			before, _, _ := strings.Cut(watched, mark)
			return regexp.QuoteMeta("main.go:") + strconv.Itoa(strings.Count(before, "\n")+1)
		}
		m.env = append(m.env, "WHERRY_WATCHDOG=50ms", "WHERRY_TRIALS=0") // guarded is called once, directly
		r := m.mustProgram("./fast", "long")
		for _, want := range []string{
			`C\.spin \(example\.com/m\), called by main\.\w+ at \S.*` + line("// in caller") + `, has been running for \d+\.\d+ ms \(bound 50000 us\)`,
			`C\.spin \(example\.com/m\), called by main\.\w+ at \S.*` + line("// in caller") + `, took `,
			`C\.spin \(example\.com/m\), called by main\.errno at \S.*` + line("// in errno") + `, has been`,
			`C\.guarded \(example\.com/m\), called by main\.main at \S.*` + line("// in main") + `, has been`,
		} {
			if !regexp.MustCompile(want).MatchString(r.stderr) {
				t.Errorf("want %s in\n%s", want, r.stderr)
			}
		}
		// A busy machine can make one of a thousand long, which is told twice.
		if strings.Count(r.stderr, "C.quick") > 2 && on.runner == nil {
			t.Errorf("short calls are reported:\n%s", r.stderr)
		}
		plainly := m.env
		m.env = append(slices.Clone(m.env), "WHERRY_WATCHDOG_FILE="+m.path("found"))
		if r := m.program("./fast", "forever"); r.status != 3 || !regexp.MustCompile(`C\.forever .*called by main\.main at .*`+line("// in forever")+`, has been running`).MatchString(r.stderr) {
			t.Errorf("a call that never returns: exit status %d\n%s", r.status, r.stderr)
		}
		m.env = append(plainly, "WHERRY_WATCHDOG=10ms")
		// Each is told twice, until a function has its 20 reports.
		told := m.mustProgram("./fast", "threads").stderr
		running, took := strings.Count(told, "has been running"), strings.Count(told, "took")
		if running+took != 20 || took == 0 || !strings.Contains(told, "more calls of C.spin") {
			t.Errorf("20 long calls on many threads: %d reports while they ran, %d after\n%s", running, took, told)
		}
		m.env = append(m.env, "WHERRY_WATCHDOG=off")
		if r := m.mustProgram("./fast", "long"); r.stderr != "" {
			t.Errorf("off: %s", r.stderr)
		}
		m.env = append(m.env, "WHERRY_WATCHDOG=soon")
		contains(t, "a mistake", m.mustProgram("./fast", "none").stderr+m.mustProgram("./fast", "long").stderr, "WHERRY_WATCHDOG=soon: want a time of at least 1us such as 100us, or off; 100us is used")
	})
}

// Line tables of every Go, of other kinds of executables, and without symbols.
func TestWatchdogFindsCaller(t *testing.T) {
	onEachGo(t, func(t *testing.T, env string) {
		for _, flags := range [][]string{{"-trimpath", "-ldflags=-s"}, {"-buildmode=pie", "-trimpath"}} {
			m := newModule(t, map[string]string{"main.go": watched, "wherry.policy": "example.com/m * direct\n"})
			m.env = []string{env, "WHERRY_WATCHDOG=50ms"}
			m.build("fast", append(flags, "-watchdog")...)
			contains(t, strings.Join(flags, " "), m.must("./fast", "long").stderr, "called by main.errno at example.com/m/main.go:")
		}
	})
}

const first = `package main

/*
#include <time.h>
static void spin(int us) {
	struct timespec t, e;
	clock_gettime(CLOCK_MONOTONIC, &t);
	do clock_gettime(CLOCK_MONOTONIC, &e); while ((e.tv_sec - t.tv_sec) * 1000000 + (e.tv_nsec - t.tv_nsec) / 1000 < us);
}
*/
import "C"

import (
	"runtime"
	"sync"
	"sync/atomic"
)

func main() {
	runtime.GOMAXPROCS(2)
	var ready atomic.Int32
	var all sync.WaitGroup
	for range 2 {
		all.Add(1)
		go func() {
			defer all.Done()
			for ready.Add(1); ready.Load() < 2; {
			}
			C.spin(2000)
		}()
	}
	all.Wait()
}
`

// The first calls of a process are watched too, when two threads make theirs at
// the same time. A large environment makes one of them read its settings for long.
func TestWatchdogFromTheFirstCall(t *testing.T) {
	needsFastPath(t)
	m := newModule(t, map[string]string{"main.go": first, "wherry.policy": "example.com/m * direct\n"})
	m.build("fast", "-watchdog")
	m.env = append(m.env, "WHERRY_WATCHDOG=1ms")
	for i := range 3000 {
		m.env = append(m.env, fmt.Sprintf("NUMBER_%d=%d", i, i))
	}
	missed := 0
	for range 60 { // 8 are missed when what is not known yet counts as off
		missed += 2 - strings.Count(m.must("./fast").stderr, "took")
	}
	if missed != 0 {
		t.Errorf("%d of 120 calls were not told", missed)
	}
}

// surrounded calls a watched function from a callback. C has put no pointer into
// the register of frame pointers.
const surrounded = `package main

/*
extern void back(void);
static void calls(void) {
#if defined(__x86_64__)
	__asm__ volatile("push %%rbp\n\tmov %%rsp, %%rbx\n\tand $-16, %%rsp\n\tmov $1, %%rbp\n\tcall back\n\tmov %%rbx, %%rsp\n\tpop %%rbp"
		::: "rax", "rbx", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11", "memory", "cc");
#else
	__asm__ volatile("mov x19, x29\n\tmov x29, #1\n\tbl back\n\tmov x29, x19"
		::: "x0", "x1", "x2", "x3", "x4", "x5", "x6", "x7", "x8", "x9", "x10", "x11", "x12", "x13", "x14", "x15", "x16", "x17", "x18", "x19", "x30", "memory", "cc");
#endif
}
static int spins(int n) { volatile int k = 0; while (k < n) k++; return k; }
*/
import "C"

var k C.int

//export back
func back() { k += C.spins(10_000_000) }

func main() {
	C.calls()
	println(k)
}
`

// The caller is found also where few Go frames lie between two of C.
func TestWatchdogBetweenFramesOfC(t *testing.T) {
	onEach(t, func(t *testing.T, on target) {
		for _, mode := range []string{"cgo", "reentrant"} {
			m := newModule(t, map[string]string{"main.go": surrounded, "wherry.policy": "example.com/m spins direct\nexample.com/m calls " + mode + "\n"}).on(on)
			m.build("fast", "-watchdog")
			contains(t, mode, m.mustProgram("./fast").stderr, "C.spins (example.com/m), called by ", "_back at ", "main.go:", "10000000\n")
		}
	})
}

// Arguments, results and everything else stay what they are under the watchdog.
func TestWatchdogUnderStress(t *testing.T) {
	onEach(t, func(t *testing.T, on target) {
		m := newModule(t, map[string]string{"main.go": stressed, "wherry.policy": stressPolicy}).on(on)
		m.build("fast", "-watchdog")
		m.env = append(m.env, "WHERRY_WATCHDOG_FILE="+m.path("found"), "WHERRY_WATCHDOG=20us")
		if r := m.program("./fast", "3s"); r.status != 0 || r.stdout != "done\n" {
			t.Errorf("exit status %d, %q\n%.3000s", r.status, r.stdout, r.stderr)
		}
	})
}

// wherry test -watchdog tells what it found, also of tests that pass. Without
// it nothing of the watchdog is in the program.
func TestWatchdogInTests(t *testing.T) {
	needsFastPath(t)
	m := newModule(t, map[string]string{"main.go": watched, "wherry.policy": "example.com/m * direct\n",
		"main_test.go": "package main\n\nimport \"testing\"\n\nfunc TestCaller(t *testing.T) { caller(20000) }\n"})
	for range 2 { // the second time from the cache
		r := m.must(wherry, "test", "-watchdog=10ms", ".")
		contains(t, "stderr", r.stderr, "wherry: watchdog: C.spin (example.com/m), called by ", "main.go:", "took ")
	}
	contains(t, "nothing found", m.must(wherry, "test", "-watchdog=10s", ".").stderr, "wherry: watchdog: no direct call exceeded the bound")
	contains(t, "a mistake", m.run(wherry, "test", "-watchdog=soon", ".").stderr, "-watchdog=soon: want -watchdog or a time of at least 1us")
	contains(t, "build", m.run(wherry, "build", "-watchdog=1ms", ".").stderr, "set WHERRY_WATCHDOG=1ms where the program runs")
	for flag, want := range map[string]bool{"-watchdog": true, "-v=false": false} {
		m.build("fast", flag)
		program, err := os.ReadFile(m.path("fast"))
		if err != nil {
			t.Fatal(err)
		}
		if got := bytes.Contains(program, []byte("_wherry_watch")); got != want {
			t.Errorf("%s: the watchdog is in the program: %v", flag, got)
		}
	}
}
