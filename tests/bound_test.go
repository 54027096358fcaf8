package tests

import (
	"strings"
	"testing"
)

// C that waits until so many threads are in it, or until Go says go on: only a call
// that became a cgo call while it ran ever ends.
const boundC = `package main

/*
#cgo LDFLAGS: -lpthread
#include <errno.h>
#include <pthread.h>
#include <stddef.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int inside, most, opened;
static volatile int stop;

// waits returns when open has been called.
static void waits(void) {
	pthread_mutex_lock(&lock);
	if (++inside > most)
		most = inside;
	pthread_cond_broadcast(&changed);
	while (!opened)
		pthread_cond_wait(&changed, &lock);
	inside--;
	pthread_mutex_unlock(&lock);
}
static void await(int n) { // n threads wait
	pthread_mutex_lock(&lock);
	while (inside < n)
		pthread_cond_wait(&changed, &lock);
	pthread_mutex_unlock(&lock);
}
static void set(int open) {
	pthread_mutex_lock(&lock);
	opened = open;
	pthread_cond_broadcast(&changed);
	pthread_mutex_unlock(&lock);
}
static int gate(int n) { waits(); return n + 1; }
static int spins(int n) { while (!stop) ; return n + 1; }
static void stops(void) { stop = 1; }
static int fails(int error) { waits(); errno = error; return -1; }
extern int goBack(int);
static int calls(int n) { int s = 0; for (int i = 0; i < n; i++) s += goBack(i); return s; }

static long sum(const unsigned char *p, long n) { long s = 0; while (n--) s += *p++; return s; }
static long one(const unsigned char *p, int n) { waits(); return sum(p, n); }
static long last(int a, double x, long b, long c, long d, const unsigned char *p) {
	waits(); return a + (long)x + b + c + d + sum(p, 1000); }
static long mixed(signed char a, const unsigned char *p, long n, short b, const unsigned char *q, long m) {
	waits(); return a + b + sum(p, n) + sum(q, m); }
static long ninth(long a, long b, long c, long d, long e, long f, long g, const unsigned char *p, long n) {
	waits(); return a + b + c + d + e + f + g + sum(p, n); }
struct pair { const unsigned char *p; long n; };
static long paired(struct pair s) { waits(); return sum(s.p, s.n); }
static long stubbed(unsigned char *p, long n) { waits(); return sum(p, n); }
static void *address(int i) {
	void *all[] = {gate, spins, fails, calls, one, last, mixed, ninth, paired, stubbed};
	return all[i];
}
*/
import "C"

import (
	"runtime"
	"unsafe"
)

func at(i int) unsafe.Pointer { return C.address(C.int(i)) }
func open(is bool)            { n := 0; if is { n = 1 }; C.set(C.int(n)) }
func await(n int)             { C.await(C.int(n)) }
func stops()                  { C.stops() }

//export goBack
func goBack(n C.int) C.int {
	if n%100 == 0 {
		deep(300)
		runtime.GC()
	}
	return n
}

//go:noinline
func deep(n int) int {
	var room [300]byte
	room[n%300] = 1
	if n == 0 {
		return int(room[0])
	}
	return deep(n-1) + int(room[1])
}
`

const boundGo = `package main

import (
	"fmt"
	"os"
	"runtime"
	"strings"
	"unsafe"

	"github.com/wherrygo/wherry/direct"
)

var sink any

// bytes are n numbers x, which nobody but the caller knows.
//
//go:noinline
func bytes(n int, x byte) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = x
	}
	return b
}

type pair struct {
	p *byte
	n int64
}

// during runs f while its call waits in C, and collects all garbage meanwhile.
func during(name string, want int64, f func() int64) {
	open(false)
	result := make(chan int64)
	go func() { result <- f() }()
	await(1)
	for range 3 {
		runtime.GC()
		for n := 1000; n < 1100; n++ { // takes up what was freed
			sink = bytes(n, 77)
		}
	}
	open(true)
	if got := <-result; got != want {
		fmt.Println(name, "got", got, "want", want)
	}
}

func main() {
	if err := bindCalls(func(string) (unsafe.Pointer, error) { return at(9), nil }); err != nil {
		fmt.Println(err)
	}
	if len(os.Args) > 1 {
		stubCallsBack()
	}
	gate := direct.MustBind[func(int32) int32](at(0))
	const many = 20
	done := make(chan int32)
	for i := range int32(many) {
		go func() { done <- gate(i) }()
	}
	await(many)
	open(true)
	sum := int32(0)
	for range many {
		sum += <-done
	}
	fmt.Println("all waited at once", sum)

	spins := direct.MustBind[func(int32) int32](at(1))
	go func() { done <- spins(1) }()
	for range 3 {
		runtime.GC()
	}
	stops()
	fmt.Println("collected beside C", <-done)

	calls := direct.MustBind[func(int32) int32](at(3))
	for range 10 {
		sum = calls(201)
	}
	again := direct.MustReentrant[func(int32) int32](at(3))
	for range 10 {
		sum += again(201)
	}
	fmt.Println("called back", sum)

	during("errno", 42, func() int64 {
		_, e := direct.MustBind[func(int32) (int32, direct.Errno)](at(2))(42)
		return int64(e)
	})
	during("one", 2000, func() int64 { return direct.MustBind[func(*byte, int32) int64](at(4))(&bytes(1000, 2)[0], 1000) })
	during("reentrant", 2000, func() int64 {
		return direct.MustReentrant[func(*byte, int32) int64](at(4))(&bytes(1000, 2)[0], 1000)
	})
	during("reentrant with errno", 43, func() int64 {
		_, e := direct.MustReentrant[func(int32) (int32, direct.Errno)](at(2))(43)
		return int64(e)
	})
	during("last", 3015, func() int64 {
		return direct.MustBind[func(int32, float64, int64, int64, int64, *byte) int64](at(5))(1, 2, 3, 4, 5, &bytes(1000, 3)[0])
	})
	during("mixed", 2000+5000-3, func() int64 {
		return direct.MustBind[func(int8, []byte, int16, string) int64](at(6))(-1, bytes(1000, 2), -2, string(bytes(1000, 5)))
	})
	during("ninth", 4028, func() int64 {
		return direct.MustBind[func(a, b, c, d, e, f, g int64, p []byte) int64](at(7))(1, 2, 3, 4, 5, 6, 7, bytes(1000, 4))
	})
	during("paired", 6000, func() int64 { return direct.MustBind[func(pair) int64](at(8))(pair{&bytes(1000, 6)[0], 1000}) })
	during("stubbed", 7000, func() int64 { return stubbed(bytes(1000, 7)) })
	during("on the stack", 30, func() int64 { b := [10]byte{3, 3, 3, 3, 3, 3, 3, 3, 3, 3}; return stubbed(b[:]) })
	fmt.Println("kept")
}

func stubCallsBack() {
	bindCalls(func(string) (unsafe.Pointer, error) { return at(3), nil })
	defer func() { fmt.Println("panics", strings.Contains(fmt.Sprint(recover()), "nocallback")); os.Exit(0) }()
	number(3)
	fmt.Println("called back by a stub")
}
`

const boundStubs = `//go:build ignore

package main

//wherry:bind stubbed
func stubbed(p []byte) int64

//wherry:bind calls
func number(n int32) int32
`

// In a program that wherry builds, what package direct and stubs call may wait, run long
// and call back. What a call was given is kept for as long as C runs.
func TestBoundCallsTurn(t *testing.T) {
	onEach(t, func(t *testing.T, on target) {
		bound(t).on(on).boundTurns()
	})
}

func TestBoundCallsTurnOnEachGo(t *testing.T) {
	t.Parallel()
	onEachGo(t, func(t *testing.T, env string) {
		sparesThisGo(t, env, "TestBoundCallsTurn/native")
		m := bound(t)
		m.env = append(m.env, env)
		m.boundTurns()
	})
}

func bound(t *testing.T) *module {
	m := newModule(t, map[string]string{"main.go": boundGo, "c.go": boundC, "calls.go": boundStubs})
	m.usesWherry()
	m.must(wherry, "gen", "calls.go")
	return m
}

// With a Go that is not tested the same is true of plain programs: all calls are slow, by
// the runtime's cgo call.
func TestBoundCallsWithNewerGo(t *testing.T) {
	t.Parallel()
	needsFastPath(t)
	m := bound(t)
	m.must("go", "build", "-tags", "go1.28", "-o", "program", ".")
	m.boundWorks()
}

func (m *module) boundTurns() {
	m.t.Helper()
	m.build("program")
	m.boundWorks()
	m.env = append(m.env, "WHERRY_DEFAULT=cgo")
	m.build("program")
	m.boundWorks()
}

func (m *module) boundWorks() {
	m.t.Helper()
	m.env = append(m.env, "GODEBUG=clobberfree=1", "GOMAXPROCS=2")
	want := "all waited at once 210\ncollected beside C 2\ncalled back 221100\nkept\n"
	if got := m.mustProgram("./program").stdout; got != want {
		m.t.Errorf("got\n%swant\n%s", got, want)
	}
	r := m.program("./program", "stub")
	if !strings.Contains(r.stdout, "panics true") && !strings.Contains(r.stderr, "nocallback") {
		m.t.Errorf("a stub's function calls back: got status %d\n%s%s", r.status, r.stdout, r.stderr)
	}
}

// C that computes for long each time, among goroutines that are to run, comes to be called
// through cgo, and a func of direct.Reentrant's is called on a C stack from the first on.
// On each way C with variable arguments gets them.
func TestBoundCallsGoBackToCgo(t *testing.T) {
	t.Parallel()
	needsFastPath(t)
	m := newModule(t, map[string]string{"main.go": `package main

/*
#include <stdarg.h>
extern const char _wherry_turn_first[] __attribute__((weak, visibility("hidden")));
extern const char _wherry_on_stack[] __attribute__((weak, visibility("hidden")));
static const void *first(void) { return _wherry_turn_first; }
static const void *onStack(void) { return _wherry_on_stack; }

// C with variable arguments looks into a register for how many floating-point ones there are.
static double spin(long n, ...) {
	volatile long x = 0;
	for (long i = 0; i < n; i++)
		x += i;
	va_list more;
	va_start(more, n);
	double a = va_arg(more, double), b = va_arg(more, double);
	va_end(more);
	return a / b;
}
static void *address(void) { return spin; }
*/
import "C"

import (
	"fmt"
	"time"
	"unsafe"

	"github.com/wherrygo/wherry/direct"
)

// target is what a bound func calls: internal/crossing/inflight has the layout.
func target(f *func(int64, float64, float64) float64) unsafe.Pointer {
	type data struct{ returns, target unsafe.Pointer }
	return (**(**struct {
		code uintptr
		data *data
	})(unsafe.Pointer(f))).data.target
}

func main() {
	spin := direct.MustBind[func(int64, float64, float64) float64](C.address())
	if target(&spin) != C.address() {
		fmt.Println("is not called fast at first")
	}
	go func() {
		for {
			time.Sleep(time.Microsecond)
		}
	}()
	for i := 0; target(&spin) != unsafe.Pointer(C.first()); i++ {
		if i == 1000 {
			fmt.Println("never goes back to cgo")
			return
		}
		if got := spin(1e7, 1, 4); got != 0.25 {
			fmt.Println("in flight: got", got)
		}
	}
	again := direct.MustReentrant[func(int64, float64, float64) float64](C.address())
	fmt.Println(target(&again) == unsafe.Pointer(C.onStack()), spin(10, 1, 8), again(10, 1, 16), again(10, 1, 32))
}
`})
	m.usesWherry()
	m.env = append(m.env, "GOMAXPROCS=1")
	m.build("program")
	if got := m.mustProgram("./program").stdout; got != "true 0.125 0.0625 0.03125\n" {
		t.Errorf("got %swant true 0.125 0.0625 0.03125", got)
	}
}

// Package direct's own tests pass in a program that wherry built too, where another
// assembly calls C.
func TestDirectByWherry(t *testing.T) {
	t.Parallel()
	needsFastPath(t)
	m := &module{t: t, dir: ".."}
	m.must(wherry, "test", "-short", "-count=1", "./direct", "./callback")
}
