// C whose types want more alignment than Go's stacks have: cgo's Go types do not show it.
package aligned

/*
#include <string.h>

typedef float four __attribute__((vector_size(16)));
typedef struct { four v; } vector;
typedef struct { _Alignas(32) unsigned char key[32]; unsigned long count; } state;
typedef struct { double x, y; } __attribute__((aligned(16))) pair;

static void vector_double(vector *v) { v->v = v->v + v->v; }
static void state_init(state *s) { memset(s, 0, sizeof *s); s->count = 1; }
static void state_copy(state *to, const state *from) { *to = *from; }
static unsigned state_next(state *s) { for (int i = 0; i < 32; i++) s->key[i] += i; return s->count++; }
static void pair_swap(pair *p) { pair q = {p->y, p->x}; *p = q; }

// Keeps cgo's frame: more numbers than registers.
static void pair_add(pair *p, int a, int b, int c, int d, int e, int f) { pair q = {p->x + a + b, p->y + c + d + e + f}; *p = q; }

// Whether a pointer is aligned as its type says.
static int vector_aligned(const vector *v) { return (long)v % 16 == 0; }
*/
import "C"

import (
	"fmt"
	"unsafe"
)

//go:noinline
func states(n int) (last C.uint) {
	var s, copied C.state
	C.state_init(&s)
	C.state_copy(&copied, &s)
	for range n {
		last = C.state_next(&copied)
	}
	return last
}

//go:noinline
func shifted(n int) C.uint { // the frame lies elsewhere
	var odd [3]byte
	odd[n%3] = 1
	return states(n) + C.uint(odd[n%3])
}

//go:noinline
func vectors() (float32, C.int) {
	var v C.vector
	*(*float32)(unsafe.Pointer(&v)) = 21
	C.vector_double(&v)
	return *(*float32)(unsafe.Pointer(&v)), C.vector_aligned(&v)
}

//go:noinline
func pairs() (C.double, C.double) {
	p := C.pair{1, 2}
	C.pair_swap(&p)
	C.pair_add(&p, 1, 2, 3, 4, 5, 6)
	return p.x, p.y
}

// Main is run by its name.
func Main() {
	fmt.Println(states(5), shifted(6))
	done := make(chan bool)
	for range 4 {
		go func() {
			fmt.Println(states(3), shifted(4))
			fmt.Println(vectors())
			fmt.Println(pairs())
			done <- true
		}()
		<-done
	}
}
