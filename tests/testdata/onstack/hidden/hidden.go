// C that is passed a part of a variable, and knows the whole: objects that begin with their
// base, contexts as bytes.
package hidden

/*
#include <string.h>

typedef struct { int kind; } base;
typedef struct { base base; void *handle; } named;  // whose handle is a number
typedef struct { base base; _Alignas(16) float v[4]; } vector;
typedef struct { base base; int n; } small;
enum { NAMED = 1, VECTOR };

static void base_init(base *b) {
	if (b->kind == NAMED)
		((named *)b)->handle = (void *)1;
	if (b->kind == VECTOR) {
		float *v = ((vector *)b)->v;
		for (int i = 0; i < 4; i++)
			v[i] = i;
	}
}
static int base_number(const base *b) { return b->kind == NAMED ? (int)(long)((const named *)b)->handle : 0; }
static int base_aligned(const base *b) { return b->kind != VECTOR || (long)b % 16 == 0; }
static void start(char *context) { memset(context, 0, sizeof(named)); ((named *)context)->handle = (void *)2; }
static void restart(unsigned char *context) { ((named *)context)->handle = (void *)3; }
static void kind_set(int *kind, int n) { *kind = n; ((named *)kind)->handle = (void *)4; }
static void short_set(short *s) { ((named *)s)->handle = (void *)5; }
static void float_set(float *f) { ((named *)f)->handle = (void *)6; }
static void small_set(small *s) { ((named *)s)->handle = (void *)7; }
*/
import "C"

import (
	"fmt"
	"unsafe"

	"example.com/m/stack"
)

func number(n *C.named) int {
	stack.Grow(2000)
	return int(uintptr(n.handle))
}

func converted() int {
	var n C.named
	n.base.kind = C.NAMED
	C.base_init((*C.base)(unsafe.Pointer(&n)))
	return number(&n)
}

func interior() int {
	var n C.named
	n.base.kind = C.NAMED
	C.base_init(&n.base)
	return number(&n)
}

func bytes() int {
	var n C.named
	C.start((*C.char)(unsafe.Pointer(&n)))
	return number(&n)
}

// restart passes on what its caller has.
//
//go:noinline
func restart(b []byte) { C.restart((*C.uchar)(unsafe.Pointer(&b[0]))) }

func slice() int {
	var n C.named
	restart(unsafe.Slice((*byte)(unsafe.Pointer(&n)), unsafe.Sizeof(n)))
	return number(&n)
}

func local() int {
	var n C.named
	kind := &n.base.kind
	other := kind
	C.kind_set(other, C.NAMED)
	return number(&n)
}

// In Go's types: a variable that holds the pointer, and methods of it.
type view struct{ p *C.short }

func field() int {
	var n C.named
	v := view{(*C.short)(unsafe.Pointer(&n))}
	C.short_set(v.p)
	return number(&n)
}

func cast[T, S any](p *S) *T { return (*T)(unsafe.Pointer(p)) }

func generic() int {
	var n C.named
	C.float_set(cast[C.float](&n))
	return number(&n)
}

type renamed C.named

func defined() int {
	var n renamed
	C.small_set((*C.small)(unsafe.Pointer(&n)))
	return number((*C.named)(&n))
}

//go:noinline
func aligned(n int) (C.int, C.float) {
	var odd [3]byte
	odd[n%3] = 1
	var v C.vector
	v.base.kind = C.VECTOR + C.int(odd[n%3]) - 1
	C.base_init(&v.base)
	return C.base_aligned((*C.base)(unsafe.Pointer(&v))), v.v[3]
}

// Main is run by its name.
func Main() {
	results := make(chan int)
	for _, f := range []func() int{converted, interior, bytes, slice, local, field, generic, defined} {
		go func() { results <- f() }()
		fmt.Println(<-results)
	}
	done := make(chan bool)
	go func() {
		for i := range 3 {
			fmt.Println(aligned(i))
			func() { fmt.Println(aligned(i + 1)) }()
		}
		done <- true
	}()
	<-done
}
