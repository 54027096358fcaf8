package main

/*
#cgo LDFLAGS: -lpthread
#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
struct big { long a[12]; void *p; };
struct pair { int *a; int b; };
typedef int (*function)(void *, int);
extern int goPlain(void *, int);
extern void goNone(void);
static void hook0(void) {}
static void (*volatile hook)(void) = hook0;
static int fill(int *p) { *p = 1; return 0; }
static int fillUnknown(int *p) { hook(); *p = 1; return 0; }
static int fill7(int *a, int *b, int *c, int *d, int *e, int *f, int *g) { hook(); *a = *b = *c = *d = *e = *f = *g = 1; return 0; }
static struct big bigs(struct big b, void *p) { hook(); b.p = p; return b; }
static int pairs(struct pair p) { hook(); return *p.a + p.b; }
static int fails(int *p) { hook(); errno = EAGAIN; return *p; }
static void *gives(void *p, size_t n) { hook(); return p; }
static int each(function f, void *p, int n) { int s = 0; for (int i = 0; i < n; i++) s += f(p, i); return s; }
static int back(void *p, int n) { return each(goPlain, p, n); }
static void nones(int n) { while (n--) goNone(); }
static function address(void) { return goPlain; }
static int waits(int *p) { usleep(1); return *p; }
extern int goMany(char *, size_t, void *, double, int, int, int, int, int);
static int many(void *p) { return goMany("text", 4, p, 1.5, 1, 2, 3, 4, 5); }
static void *threadMain(void *n) { for (int i = 0; i < *(int *)n; i++) goNone(); return 0; }
static void thread(int n) { pthread_t t; pthread_create(&t, 0, threadMain, &n); pthread_join(t, 0); }
static double mixed(double x, const char *s, int n, float f, int8_t c) { hook(); return x + strlen(s) + n + f + c; }
static const char *name(void) { hook(); return "some name"; }
static void out(char **s, size_t *n) { hook(); *s = strdup("text"); *n = 4; }
extern int goBig(struct big);
struct data { int n; struct data *next; };
static struct data theData = {7};
static struct data *current(void) { hook(); return &theData; }
static struct data *byName(const char *name, int n) { hook(); return name[n] ? &theData : 0; }
static struct data *tries(int n) { hook(); errno = n; return &theData; }
static int callBig(int n) { struct big b = {{n}}; return goBig(b); }
*/
import "C"

import (
	"fmt"
	"runtime/cgo"
	"testing"
	"unsafe"
)

//export goPlain
func goPlain(p unsafe.Pointer, n C.int) C.int { return n + 1 }

//export goNone
func goNone() {}

//export goMany
func goMany(s *C.char, n C.size_t, p unsafe.Pointer, x C.double, a, b, c, d, e C.int) C.int {
	text := C.GoStringN(s, C.int(n))
	defer func() { recover() }()
	f := func() C.int { return a + b + c + d + e + C.int(len(text)) }
	return f()
}

//export goBig
func goBig(b C.struct_big) C.int { return C.int(b.a[0]) }

type object struct {
	n C.int
	b [16]byte
}

var sink any

func main() {
	run := func(name string, f func()) {
		f()
		fmt.Printf("%s: %v\n", name, testing.AllocsPerRun(200, f))
	}
	run("fill", func() { var x C.int; C.fill(&x) })
	run("fillUnknown", func() { var x C.int; C.fillUnknown(&x) })
	run("field", func() { var o object; C.fillUnknown(&o.n) })
	run("field of pointer", func() { o := new(object); C.fillUnknown(&o.n) })
	run("element", func() { s := make([]C.int, 10); C.fillUnknown(&s[3]) })
	run("array", func() { var s [10]C.int; C.fillUnknown(&s[3]) })
	run("seven", func() {
		var a, b, c, d, e, f, g C.int
		C.fill7(&a, &b, &c, &d, &e, &f, &g)
	})
	run("bigs", func() { var x C.int; b := C.bigs(C.struct_big{}, unsafe.Pointer(&x)); _ = b })
	run("pairs", func() { var x C.int; C.pairs(C.struct_pair{a: &x, b: 2}) })
	run("errno", func() { var x C.int; _, err := C.fails(&x); _ = err })
	run("gives", func() { var x C.int; p := C.gives(unsafe.Pointer(&x), 4); _ = *(*C.int)(p) })
	run("slicedata", func() { b := []byte("hello"); C.gives(unsafe.Pointer(&b[0]), 5) })
	run("back", func() { var x C.int; C.back(unsafe.Pointer(&x), 3) })
	run("back none", func() { C.nones(5) })
	run("each", func() { var x C.int; C.each(C.address(), unsafe.Pointer(&x), 5) })
	run("handle", func() { h := cgo.NewHandle(5); C.back(unsafe.Pointer(&h), 3); h.Delete() })
	run("waits", func() { var x C.int; C.waits(&x) })
	run("mixed", func() { s := C.CString("abc"); C.mixed(1, s, 3, 4, 5); C.free(unsafe.Pointer(s)) })
	run("strings", func() { C.GoString(C.name()) })
	run("bytes", func() { p := C.CBytes([]byte("abc")); _ = C.GoBytes(p, 3); C.free(p) })
	run("out", func() {
		var s *C.char
		var n C.size_t
		C.out(&s, &n)
		_ = C.GoStringN(s, C.int(n))
		C.free(unsafe.Pointer(s))
	})
	run("big back", func() { C.callBig(3) })
	run("many", func() { var x C.int; C.many(unsafe.Pointer(&x)) })
	run("on a C thread", func() { C.thread(3) })
	run("on a C thread that holds its P", func() { C.thread(3000) })
	run("in a loop", func() {
		for i := range 5 {
			x := C.int(i)
			C.fillUnknown(&x)
		}
	})
	run("nested", func() { C.fillUnknown(func() *C.int { var y C.int; C.fillUnknown(&y); return &y }()) })
	run("closure", func() {
		var x C.int
		f := func() { C.fillUnknown(&x) }
		f()
		f()
	})
	run("deferred", func() { var x C.int; defer C.fillUnknown(&x) })
	run("method", func() { o := &wrapped{}; o.do(); o.do() })
	run("goroutine", func() { done := make(chan bool); go func() { var x C.int; C.fillUnknown(&x); close(done) }(); <-done })
	run("interface", func() { var x C.int; C.fillUnknown(&x); sink = x })
	run("string data", func() { s := "hello" + fmt.Sprint(1); C.gives(unsafe.Pointer(unsafe.StringData(s)), 5) })
	run("nil", func() { C.gives(nil, 5) })
	run("struct pointer", func() { b := &C.struct_big{}; C.gives(unsafe.Pointer(b), 5) })
	run("constructor", func() { must(currentData()) })
	text := C.CString("text")
	run("constructor with a pointer", func() { must(dataNamed(text)) })
	run("constructor with errno", func() { d, err := tryData(); must(d); _ = err })
	run("struct value", func() { b := C.struct_big{}; C.gives(unsafe.Pointer(&b), 5); b.a[1]++ })
}

// Constructors that the compiler can just inline, so that nothing is allocated. A call
// through cgo counts for 59 of 80 nodes of the syntax tree.
type data struct{ c *C.struct_data }

func cast[R, S any](s S) R { return *(*R)(unsafe.Pointer(&s)) }

func newData[S any](s S) *data { return &data{cast[*C.struct_data](s)} }

func currentData() *data { return newData(C.current()) }

func dataNamed(name *C.char) *data {
	return &data{C.byName(name, C.int(offset+offset+offset))}
}

func tryData() (*data, error) {
	d, err := C.tries(0)
	return &data{d}, err
}

var offset = 0

func must(d *data) {
	if d.c.n != 7 {
		panic("another")
	}
}

type wrapped struct{ o object }

func (w *wrapped) do() { var n C.int; C.fillUnknown(&n); w.o.n += n }
