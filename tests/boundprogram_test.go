package tests

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
static int (*back)(int) = goBack;
static void backBy(void *f) { back = f; }
static int calls(int n) { int i, s = 0; for (i = 0; i < n; i++) s += back(i); return s; }

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
static void *address(int i) {
	void *all[] = {gate, spins, fails, calls, one, last, mixed, ninth, paired};
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
func backBy(f unsafe.Pointer) { C.backBy(f) }

//export goBack
func goBack(n C.int) C.int { return C.int(goes(int32(n))) }

func goes(n int32) int32 {
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
	"slices"

	"github.com/wherrygo/wherry/callback"
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
	if slices.Contains(os.Args, "pointer") { // of package callback, instead of an exported function
		f, err := callback.New(goes)
		if err != nil {
			fmt.Println(err)
		}
		backBy(f.Pointer())
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
	fmt.Println("kept")
}
`
