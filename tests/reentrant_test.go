package tests

import (
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"
)

const reentrantHead = `package main

/*
#cgo LDFLAGS: -lpthread
#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <ucontext.h>

extern long goStep(long, long);
extern void goDo(int);
extern long goNest(long);
extern void goWait(void);

static long visit(long n, long what) { long s = 0; for (long i = 0; i < n; i++) s += goStep(i, what); return s; }
static void act(int what) { char pad[300]; pad[0] = (char)what; goDo(what); if (pad[0] != (char)what) abort(); }
static long nest(long n) { return n <= 0 ? 0 : goNest(n - 1) + 1; }
static int fails(int e) { goDo(0); errno = e; return -1; }
static int waitFor(int n) { for (int i = 0; i < n; i++) goWait(); return n; }
static int sameThread(void) { pthread_t before = pthread_self(); goWait(); return pthread_equal(before, pthread_self()); }
static int poke(long at) { return *(volatile int *)at; }
static int divide(int a, int b) { goDo(0); return a / b; }
static long plainVisit(long n) { return goStep(n, 0); }

// where tells on which stack C runs: near tells it from the thread's own.
static uintptr_t where(void) { goDo(0); return (uintptr_t)__builtin_frame_address(0); }
static uintptr_t whereDirect(void) { return (uintptr_t)__builtin_frame_address(0); }

static void *threadMain(void *arg) { *(long *)arg = goStep(*(long *)arg, 0); return arg; }
static long onThread(long n) {
	pthread_t t;
	if (pthread_create(&t, 0, threadMain, &n)) return -1;
	pthread_join(t, 0);
	return n;
}

// C that switches stacks itself, by ucontext, which musl does not have.
#ifdef __GLIBC__
static ucontext_t outer, fiber;
static long fiberSum;
static char fiberStack[64 << 10];
static void fiberMain(void) {
	for (int i = 0; i < 10; i++) {
		fiberSum += goStep(i, 1);
		swapcontext(&fiber, &outer);
	}
}
static long fibers(void) {
	fiberSum = 0;
	getcontext(&fiber);
	fiber.uc_stack.ss_sp = fiberStack;
	fiber.uc_stack.ss_size = sizeof fiberStack;
	fiber.uc_link = &outer;
	makecontext(&fiber, fiberMain, 0);
	for (int i = 0; i < 10; i++) swapcontext(&outer, &fiber);
	return fiberSum;
}
#else
static long fibers(void) { return -1; }
#endif

// And by hand: run calls f(arg) on another stack.
extern void *runOn(void (*f)(void *), void *arg, char *top);
__asm__(
#if defined(__x86_64__)
	".text\n.weak runOn\n.hidden runOn\n.type runOn, @function\nrunOn:\n"
	"pushq %rbx\nmovq %rsp, %rbx\nmovq %rdx, %rsp\nmovq %rdi, %rax\nmovq %rsi, %rdi\ncall *%rax\nmovq %rbx, %rsp\npopq %rbx\nret\n"
#elif defined(__aarch64__)
	".text\n.weak runOn\n.hidden runOn\n.type runOn, %function\nrunOn:\n"
	"stp x19, x30, [sp, #-16]!\nmov x19, sp\nmov sp, x2\nmov x9, x0\nmov x0, x1\nblr x9\nmov sp, x19\nldp x19, x30, [sp], #16\nret\n"
#endif
);
static void byHandMain(void *arg) { *(long *)arg += goStep(*(long *)arg, 1); }
static long byHand(long n) {
	char *stack = malloc(64 << 10);
	runOn(byHandMain, &n, stack + (64 << 10));
	free(stack);
	return n;
}

static int deep(int n) { volatile char pad[1000]; pad[0] = 1; goDo(0); return n ? deep(n - 1) + pad[0] : 0; }
static int deepLarge(int n) { return deep(n); }
static int deepHuge(int n) { return deep(n); }

// Counted by the pool itself; exact when nothing runs.
extern void _wherry_stack_count(long *, long *) __attribute__((weak, visibility("hidden")));
static long stacksInUse(void) {
	long mapped = -1, unused = 0;
	if (_wherry_stack_count) _wherry_stack_count(&mapped, &unused);
	return mapped - unused;
}
static long stacksMapped(void) {
	long mapped = -1, unused = 0;
	if (_wherry_stack_count) _wherry_stack_count(&mapped, &unused);
	return mapped;
}
*/
import "C"

import (
	"errors"
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"syscall"
	"time"
)

//export goStep
func goStep(i, what C.long) C.long {
	if what == 1 {
		return grow(int(i)%50) + i
	}
	return i
}

//export goNest
func goNest(n C.long) C.long { return C.nest(n) }

var do func()

//export goDo
func goDo(what C.int) {
	if what == 1 {
		do()
	}
}

// with runs f inside a callback, in C, in a reentrant call.
func with(f func()) { do = f; C.act(1) }

//go:noinline
func grow(n int) C.long {
	var pad [512]byte
	pad[n%512] = 1
	if n == 0 {
		return 0
	}
	return grow(n-1) + C.long(pad[n%512]) - 1
}

func check(ok bool, what string, args ...any) {
	if !ok {
		panic("does not hold: " + fmt.Sprintf(what, args...))
	}
}

func recovered(f func()) (r any) {
	defer func() { r = recover() }()
	f()
	return nil
}

func main() {
	runtime.GOMAXPROCS(4)
	scenarios[os.Args[1]]()
	if os.Args[1] != "limit" { // threads at rest hold no stack in use
		check(C.stacksInUse() == 0, "%d C stacks leaked", C.stacksInUse())
	}
	fmt.Println("ok")
}
`

const reentrantScenarios = reentrantHead + `
var scenarios = map[string]func(){
	"own stack": func() {
		distance := int64(C.where()) - int64(C.whereDirect())
		check(distance < -1<<16 || distance > 1<<16, "C runs on the thread's own stack: %d bytes away", distance)
	},
	"values": func() {
		check(C.visit(100, 0) == 4950, "visit(100)")
		for range 1000 {
			check(C.visit(100, 1) == 4950, "visit(100) with growing stacks")
		}
		_, err := C.fails(C.int(syscall.EDOM))
		check(err == syscall.EDOM, "errno %v", err)
	},
	"goroutines": func() {
		var all sync.WaitGroup
		for range 100 {
			all.Add(1)
			go func() {
				defer all.Done()
				for range 100 {
					check(C.visit(20, 1) == 190, "visit(20)")
				}
			}()
		}
		all.Wait()
	},
	"nested": func() {
		check(C.nest(900) == 900, "nest(900)")
		r := recovered(func() { C.nest(3000) })
		err, ok := r.(error)
		var limit interface{ CStackError() int }
		check(ok && errors.As(err, &limit) && limit.CStackError() == -1, "got %v, want an error of the depth", r)
		check(strings.Contains(err.Error(), "WHERRY_CSTACK_DEPTH"), "the error names no remedy: %v", err)
		check(C.nest(900) == 900, "nest(900) after the error")
	},
	"panics": func() {
		for i := range 1000 {
			r := recovered(func() { with(func() { grow(i % 100); panic(i) }) })
			check(r == i, "recovered %v, want %d", r, i)
		}
		// through several C frames and calls at once
		for i := range 100 {
			r := recovered(func() {
				with(func() { with(func() { recovered(func() { panic("inner") }); with(func() { panic(i) }) }) })
			})
			check(r == i, "recovered %v, want %d", r, i)
		}
		// Faults in Go are panics as ever: in a callback, and after it.
		var p *int
		for range 100 {
			r := recovered(func() { with(func() { *p = 1 }) })
			check(r != nil && strings.Contains(fmt.Sprint(r), "nil pointer"), "recovered %v", r)
			r = recovered(func() { C.visit(1, 0); *p = 1 })
			check(r != nil && strings.Contains(fmt.Sprint(r), "nil pointer"), "recovered %v", r)
		}
		// Recovered in the callback itself, C goes on.
		hits := 0
		with(func() { recovered(func() { panic(1) }); hits++ })
		check(hits == 1, "C did not go on")
	},
	"goexit": func() {
		for range 100 {
			done := make(chan bool)
			go func() {
				defer close(done)
				with(func() { with(runtime.Goexit) })
			}()
			<-done
		}
	},
	"blocking": func() {
		var all sync.WaitGroup
		work := make(chan int)
		var mutex sync.Mutex
		sum := 0
		waiting = func() { n := <-work; time.Sleep(time.Microsecond); mutex.Lock(); sum += n; mutex.Unlock() }
		for range 50 {
			all.Add(1)
			go func() {
				defer all.Done()
				check(C.waitFor(20) == 20, "wait")
			}()
		}
		for i := range 1000 {
			work <- i
		}
		all.Wait()
		check(sum == 499500, "sum %d", sum)
	},
	"everything": func() {
		with(func() {
			done := make(chan int)
			go func() { done <- int(C.visit(10, 1)) }()
			check(<-done == 45, "a goroutine started in a callback")
			runtime.GC()
			grow(2000) // a megabyte
			runtime.GC()
			runtime.LockOSThread()
			time.Sleep(time.Millisecond)
			runtime.UnlockOSThread()
			c := make(chan os.Signal, 1)
			signal.Notify(c, syscall.SIGUSR1)
			syscall.Kill(os.Getpid(), syscall.SIGUSR1)
			<-c
			signal.Stop(c)
			time.Sleep(20 * time.Millisecond) // preempted
			for start := time.Now(); time.Since(start) < 30*time.Millisecond; {
			}
			check(C.plainVisit(7) == 7, "plain cgo with a callback, from a callback")
			check(C.onThread(8) == 8, "a C thread calls Go meanwhile")
			check(C.visit(10, 1) == 45, "reentrant again")
		})
		// the goroutine is free to leave its thread again
		thread := syscall.Gettid()
		moved := false
		for range 10000 {
			runtime.Gosched()
			time.Sleep(10 * time.Microsecond)
			if syscall.Gettid() != thread {
				moved = true
				break
			}
			go func() { for start := time.Now(); time.Since(start) < time.Millisecond; { } }()
		}
		check(moved, "the goroutine never left its thread")
	},
	"locked": func() {
		runtime.LockOSThread() // stays locked after the call
		thread := syscall.Gettid()
		with(func() { time.Sleep(time.Millisecond); check(syscall.Gettid() == thread, "another thread in a callback") })
		for range 100 {
			time.Sleep(10 * time.Microsecond)
			check(syscall.Gettid() == thread, "a locked goroutine left its thread")
		}
	},
	"same thread": func() {
		var all sync.WaitGroup
		waiting = func() { time.Sleep(50 * time.Microsecond) }
		for range 20 {
			all.Add(1)
			go func() {
				defer all.Done()
				for range 50 {
					check(C.sameThread() == 1, "C continued on another thread")
				}
			}()
		}
		all.Wait()
	},
	"traces": func() {
		with(func() {
			for _, text := range []string{string(debug.Stack()), allStacks()} {
				check(strings.Contains(text, "main.goDo") && strings.Contains(text, "main.with") && strings.Contains(text, "main.main()"), "the trace lacks Go callers:\n%s", text)
			}
			var pcs [50]uintptr
			frames, found := runtime.CallersFrames(pcs[:runtime.Callers(0, pcs[:])]), false
			for more := true; more; {
				var f runtime.Frame
				f, more = frames.Next()
				found = found || f.Function == "main.main"
			}
			check(found, "runtime.Callers stops before main.main")
		})
	},
	"fibers": func() {
		for range 100 {
			check(C.fibers() == 45, "fibers")
			check(C.byHand(20) == 40, "byHand")
		}
	},
	"c thread": func() {
		for i := range 20 {
			check(C.onThread(C.long(i)) == C.long(i), "onThread(%d)", i)
		}
		check(C.plainVisit(3) == 3, "plainVisit")
	},
	"idle": func() { // stacks go back when calls are over
		C.nest(900)
		before := C.stacksMapped()
		check(before < 200, "%d stacks stay mapped", before)
	},
	"sizes": func() { // by class, in turn and nested
		for range 3 {
			C.deepLarge(800)
			check(C.visit(3, 1) == 3, "visit")
			with(func() { C.deepLarge(800); with(func() { C.deepLarge(800); C.nest(20) }) })
			C.deepHuge(6000)
		}
		C.nest(900)
		var all sync.WaitGroup
		for range 8 {
			all.Add(1)
			go func() { defer all.Done(); with(func() { runtime.Gosched(); C.deepLarge(800) }) }()
		}
		all.Wait()
		before := C.stacksMapped()
		check(before < 200, "%d stacks stay mapped", before)
	},
	"limit": func() {
		r := recovered(func() { C.nest(100) })
		err, ok := r.(error)
		var limit interface{ CStackError() int }
		check(ok && errors.As(err, &limit) && limit.CStackError() == -2, "got %v, want an error of the limit", r)
	},
	"overflow": func() { C.deep(100000) },
	"settings": func() { C.deep(500); C.deep(500) },
	"crash":    func() { with(func() { panic("in a callback") }) },
	"segv":     func() { defer func() { fmt.Println("recovered", recover()) }(); C.poke(8) },
	"fpe":      func() { defer func() { fmt.Println("recovered", recover()) }(); C.divide(1, C.int(len(os.Args)-2)) },
}

func allStacks() string { b := make([]byte, 1<<20); return string(b[:runtime.Stack(b, true)]) }

var waiting func()

//export goWait
func goWait() { waiting() }
`

func reentrantModule(t *testing.T, on target) *module {
	return newModule(t, map[string]string{"main.go": reentrantScenarios,
		"wherry.policy": "example.com/m * reentrant\nexample.com/m deepLarge reentrant=1M\nexample.com/m deepHuge reentrant=8M\nexample.com/m plainVisit cgo\nexample.com/m onThread cgo\nexample.com/m stacks* cgo\nexample.com/m whereDirect cgo\n"}).on(on)
}

// What Go code may do in a callback, and what is left when it is over.
func TestReentrantCalls(t *testing.T) {
	onEach(t, func(t *testing.T, on target) {
		m := reentrantModule(t, on)
		m.build("fast")
		for _, name := range []string{"own stack", "values", "goroutines", "nested", "panics", "goexit", "blocking", "everything",
			"locked", "same thread", "traces", "fibers", "c thread", "idle", "sizes"} {
			if name == "fibers" && on.runner == nil && strings.Contains(os.Getenv("CC"), "musl") {
				t.Log("fibers: musl has no ucontext")
				continue
			}
			r := m.program("./fast", name)
			if r.status != 0 || r.stdout != "ok\n" {
				t.Errorf("%s: exit status %d, output %q\n%.2000s", name, r.status, r.stdout, r.stderr)
			}
		}
	})
}

// An overflow of a C stack says so, and dies as a fault in C does.
func TestReentrantFaults(t *testing.T) {
	onEach(t, func(t *testing.T, on target) {
		m := reentrantModule(t, on)
		m.build("fast")
		for _, test := range []struct {
			name string
			env  string
			want []string
		}{
			{"overflow", "", []string{"wherry: C stack overflow in the reentrant call of deep: it has 262144 bytes; set WHERRY_CSTACK_SIZE", "SIGSEGV", "main.main()"}},
			{"segv", "", []string{"SIGSEGV", "main.main()"}},
			{"fpe", "", []string{"SIGFPE", "main.main()"}},
			{"crash", "GOTRACEBACK=crash", []string{"panic: in a callback", "main.goDo", "main.with", "main.main()"}},
		} {
			if test.name == "fpe" && (on.name != "native" || runtime.GOARCH != "amd64") {
				continue // arm64 divides by zero in silence
			}
			m.env = append(m.env, test.env)
			r := m.program("./fast", test.name)
			if r.status == 0 || strings.Contains(r.stdout, "recovered") {
				t.Errorf("%s: got exit status %d, output %q", test.name, r.status, r.stdout)
			}
			contains(t, test.name, r.stderr, test.want...)
			if test.name == "segv" && strings.Contains(r.stderr, "wherry:") {
				t.Errorf("an ordinary fault is taken for an overflow:\n%.500s", r.stderr)
			}
		}
	})
}

// The size and number of C stacks can be set, and a wrong setting is told.
func TestReentrantSettings(t *testing.T) {
	needsFastPath(t)
	m := reentrantModule(t, native)
	m.build("fast")
	for _, test := range []struct{ scenario, env, want string }{
		{"overflow", "WHERRY_CSTACK_SIZE=1000000", "it has 1003520 bytes"},
		{"settings", "WHERRY_CSTACK_SIZE=2000000", ""},
		{"settings", "WHERRY_CSTACK_SIZE=12", "wherry: WHERRY_CSTACK_SIZE=12: want a number of at least 16384; 262144 is used"},
		{"limit", "WHERRY_CSTACK_LIMIT=50", ""},
		{"settings", "WHERRY_CSTACK_DEBUG=1 WHERRY_CSTACK_SIZE=2000000", "wherry: C stack high-water mark: "},
	} {
		m.env = strings.Fields(test.env)
		r := m.program("./fast", test.scenario)
		if test.want == "" && r.status != 0 {
			t.Errorf("%s with %s: exit status %d\n%.500s", test.scenario, test.env, r.status, r.stderr)
		}
		contains(t, test.env, r.stderr, test.want)
	}
}

// The modes of building in which the objects are compiled and linked in other
// ways.
func TestReentrantBuilds(t *testing.T) {
	needsFastPath(t)
	m := reentrantModule(t, native)
	for _, test := range []struct {
		flags string
		env   string
	}{
		{"-buildmode=pie -trimpath", ""},
		{"-gcflags=all=-N\x00-l", ""},
		{"-ldflags=-s\x00-w", "CGO_CFLAGS=-O0"},
		{"", "CC=clang"},
	} {
		if cc, ok := strings.CutPrefix(test.env, "CC="); ok {
			if _, err := exec.LookPath(cc); err != nil {
				t.Logf("%s is not installed: one build less is tested", cc)
				continue
			}
		}
		m.env = strings.Fields(test.env)
		flags := strings.Fields(test.flags)
		for i := range flags {
			flags[i] = strings.ReplaceAll(flags[i], "\x00", " ")
		}
		rep := m.build("fast", flags...)
		if !strings.Contains(rep.direct(), "visit") {
			t.Errorf("%q %s: visit is not reentrant: %s", flags, test.env, rep.why("visit"))
		}
		for _, name := range []string{"own stack", "values", "panics", "everything", "fibers", "traces"} {
			if r := m.program("./fast", name); r.status != 0 || r.stdout != "ok\n" {
				t.Errorf("%q %s, %s: exit status %d, output %q\n%.2000s", flags, test.env, name, r.status, r.stdout, r.stderr)
			}
		}
	}
}

const arguments = `package main

/*
extern void goHook(void);
static int read(int *p) { goHook(); return *p; }
static int frame(int *p, int *q) { goHook(); return *p + *q; }
struct two { int *a; int *b; };
static int inside(struct two t) { goHook(); return *t.a + *t.b; }
*/
import "C"

import (
	"fmt"
	"runtime"
)

var hook func()

//export goHook
func goHook() { hook() }

//go:noinline
func grow(n int) int {
	var pad [1024]byte
	if n == 0 {
		return int(pad[0])
	}
	return grow(n-1) + int(pad[n%1024])
}

// churn makes the stack move, frees what is not reachable, and writes over it.
func churn() {
	grow(500)
	for range 3 {
		runtime.GC()
		for range 2000 {
			sink = new(C.int)
			*sink = -1
		}
	}
}

var sink *C.int

//go:noinline
func value(n int) *C.int {
	p := new(C.int)
	*p = C.int(n)
	return p
}

func main() {
	hook = churn
	for i := range 20 {
		if got := C.read(value(i)); got != C.int(i) {
			panic(fmt.Sprint("read: ", got))
		}
		var local C.int = 7
		if got := C.read(&local); got != 7 {
			panic(fmt.Sprint("read of a local variable: ", got))
		}
		if got, err := C.frame(value(i), value(2)); got != C.int(i+2) || err != nil {
			panic(fmt.Sprint("frame: ", got, err))
		}
		if got := C.inside(C.struct_two{value(i), value(3)}); got != C.int(i+3) {
			panic(fmt.Sprint("inside: ", got))
		}
	}
	fmt.Println("ok")
}
`

// What pointer arguments point at stays where it is, and lives, while a
// callback moves the stack and collects.
func TestReentrantArgumentsLive(t *testing.T) {
	needsFastPath(t)
	m := newModule(t, map[string]string{"main.go": arguments, "wherry.policy": "example.com/m * reentrant\n"})
	m.env = []string{"GODEBUG=clobberfree=1,cgocheck=0"}
	m.build("fast")
	if r := m.program("./fast"); r.status != 0 || r.stdout != "ok\n" {
		t.Errorf("exit status %d, output %q\n%.2000s", r.status, r.stdout, r.stderr)
	}
}

const fresh = `package main

/*
#define active 3
#include <errno.h>
extern void goHook(void);
static long add(long a, long b) { errno = 0; return a + b; }
struct pair { long a, b; };
static struct pair two(long a, long b) { struct pair p = {a, b}; return p; }
static void hook(void) { goHook(); }
*/
import "C"

import "fmt"

//export goHook
func goHook() {}

//go:noinline
func down(n int, bad *int) int {
	var pad [8]byte
	pad[n%8] = byte(n)
	if r, err := C.add(C.long(n), 1); int(r) != n+1 || err != nil {
		*bad++
	}
	if p := C.two(C.long(n), 7); int(p.a) != n || p.b != 7 {
		*bad++
	}
	if n == 0 {
		C.hook()
		return int(pad[0])
	}
	return down(n-1, bad) + int(pad[n%8])
}

func main() {
	bad := 0
	for i := 0; i < 2000; i++ {
		done := make(chan bool)
		go func() { down(200+i%97, &bad); close(done) }()
		<-done
	}
	fmt.Println("bad", bad)
}
`

// Calls that keep cgo's frame, at every depth of a new goroutine's stack: it
// grows in the middle of some of them.
func TestReentrantOnFreshStacks(t *testing.T) {
	onEach(t, func(t *testing.T, on target) {
		m := newModule(t, map[string]string{"main.go": fresh, "wherry.policy": "example.com/m * reentrant\n"}).on(on)
		if rep := m.build("fast"); rep.direct() != "add hook two" {
			t.Fatalf("got reentrant functions %q", rep.direct())
		}
		if r := m.mustProgram("./fast"); r.stdout != "bad 0\n" {
			t.Errorf("got %q", r.stdout)
		}
	})
}

// Packages with exports build as by plain cgo: with a plugin's flags, and with
// C flags that keep their functions on cgo.
func TestExportsUnderOtherFlags(t *testing.T) {
	needsFastPath(t)
	m := newModule(t, map[string]string{"main.go": fresh})
	contains(t, "plugin", m.must(wherry, "build", "-buildmode=plugin", "-o", "p.so").stderr, "plain build: -buildmode=plugin")
	if runtime.GOARCH == "amd64" {
		m.env = []string{"CGO_CFLAGS=-O2 -masm=intel"}
		m.build("fast")
		if got := m.must("./fast").stdout; got != "bad 0\n" {
			t.Errorf("-masm=intel: got %q", got)
		}
	}
}
