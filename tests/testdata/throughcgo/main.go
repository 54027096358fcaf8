package main

/*
#cgo CFLAGS: -D_GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <fcntl.h>
#include <stdint.h>
#include <unistd.h>
static int opens(void) { return open("/dev/null", O_WRONLY); }
typedef void (*visitor)(int);
extern void goVisit(int);
struct pair { int8_t a; long b; };
struct big { long at[10]; };
static visitor address(void) { return goVisit; }
static int bounds(void) { pthread_attr_t a; int r = pthread_getattr_np(pthread_self(), &a); pthread_attr_destroy(&a); return r; }
static void nothing(visitor f) { f(1); }
static long six(visitor f, long b, int c, int16_t d, uint8_t e, long *p) { f(1); return b + c + d + e + *p; }
static double floats(visitor f, double x, float y, int n, float z) { f(1); return x + y + n + z; }
static struct pair pairs(visitor f, struct pair p) { f(1); struct pair q = {p.a + 1, p.b + 2}; return q; }
static int fails(visitor f, int error) { f(1); errno = error; return error + 1; }
static long sum(visitor f, const long *p, int n) { f(1); long s = 0; while (n--) s += p[n]; return s; }
static long nine(visitor f, long a, long b, long c, long d, long e, long g, long h, long i) { f(1); return a + b + c + d + e + g + h + i; }
static struct big bigs(visitor f, struct big b) { f(1); b.at[3]++; return b; }
static long ten(visitor f, long n) { for (int i = 0; i < 10; i++) f(1); return n + 1; }
static void panics(visitor f) { f(-1); }
static int rarely(visitor f, int n) { if (n % 100 == 0) f(1); return n + 1; }
static int waits(int to) { return write(to, "x", 1) == 1; }
static int waits_rarely(int to, int n) { return n % 100 != 0 || write(to, "x", 1) == 1; }
static int half(visitor f, int n) { if (n % 2 == 0) f(1); return n + 1; }
*/
import "C"

import (
	"fmt"
	"os"
	"runtime"
	"strings"
)

var visits, throughCgo int

//export goVisit
func goVisit(n C.int) {
	visits++
	if n < 0 {
		panic("visited")
	}
	if visits%100 == 0 {
		grow(1000)
		runtime.GC()
	}
	var pcs [30]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(1, pcs[:])])
	for more := true; more; {
		var f runtime.Frame
		f, more = frames.Next()
		if f.Function == "runtime.cgocall" {
			throughCgo++
			break
		}
		if strings.HasPrefix(f.Function, "main.run") {
			break
		}
	}
}

func grow(n int) (s int) {
	var place [100]int
	if n > 0 {
		place[n%100] = grow(n - 1)
	}
	return place[n%100] + 1
}

// run makes calls on a goroutine of their own, whose stack is small.
func run(name string, calls int, call func(i int) (got, want any)) {
	visits, throughCgo = 0, 0
	done := make(chan bool)
	go func() {
		defer close(done)
		for i := range calls {
			if got, want := call(i); got != want {
				fmt.Println(name, "call", i, "got", got, "want", want)
				os.Exit(1)
			}
		}
	}()
	<-done
	fmt.Println(name, visits)
	fmt.Fprintln(os.Stderr, name, throughCgo)
}

// waits is run for C that waits, as it is counted by the runtime.
func waits(name string, calls int, call func(to, i C.int) C.int) {
	to, before := C.opens(), runtime.NumCgoCall()
	for i := range calls {
		if call(to, C.int(i)) != 1 {
			panic(name)
		}
	}
	fmt.Fprintln(os.Stderr, name, runtime.NumCgoCall()-before)
}

func main() {
	if C.bounds() != 0 {
		panic("bounds")
	}
	f := C.address()
	long := func(i int) C.long { return C.long(i) << 32 }
	run("nothing", 2000, func(i int) (any, any) { C.nothing(f); return nil, nil })
	run("six", 2000, func(i int) (any, any) {
		p := long(i)
		return C.six(f, long(i), C.int(i), -1, 255, &p), 2*long(i) + C.long(i) + 254
	})
	run("floats", 2000, func(i int) (any, any) {
		return C.floats(f, C.double(i), 0.5, C.int(i), 0.25), C.double(2*i) + 0.75
	})
	run("pairs", 2000, func(i int) (any, any) {
		return C.pairs(f, C.struct_pair{C.int8_t(i), long(i)}), C.struct_pair{C.int8_t(i) + 1, long(i) + 2}
	})
	run("fails", 2000, func(i int) (any, any) {
		n, err := C.fails(f, C.int(i%100))
		return fmt.Sprint(n, err != nil), fmt.Sprint(i%100+1, i%100 != 0)
	})
	run("sum", 2000, func(i int) (any, any) {
		list := []C.long{1, 2, C.long(i)}
		return C.sum(f, &list[0], 3), C.long(i) + 3
	})
	run("nine", 2000, func(i int) (any, any) { return C.nine(f, 1, 2, 3, 4, 5, 6, 7, long(i)), long(i) + 28 })
	run("bigs", 2000, func(i int) (any, any) {
		b := C.struct_big{[10]C.long{1, 2, 3, long(i), 9: 5}}
		want := b
		want.at[3]++
		return C.bigs(f, b), want
	})
	run("ten", 2000, func(i int) (any, any) { return C.ten(f, long(i)), long(i) + 1 })
	run("panics", 300, func(i int) (got, want any) {
		defer func() { got, want = recover(), "visited" }()
		C.panics(f)
		return nil, nil
	})
	run("rarely", 40000, func(i int) (any, any) { return C.rarely(f, C.int(i)), C.int(i + 1) })
	run("half", 2000, func(i int) (any, any) { return C.half(f, C.int(i)), C.int(i + 1) })
	waits("waits", 2000, func(to, i C.int) C.int { return C.waits(to) })
	waits("waits_rarely", 40000, func(to, i C.int) C.int { return C.waits_rarely(to, i) })
}
