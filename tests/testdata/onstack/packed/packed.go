// C that relies on more alignment than the types of its arguments say: a compiler that takes a
// member's type at its word in a packed struct, and bytes that C casts to another type.
package packed

/*
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef float four __attribute__((vector_size(16)));
typedef struct { char c; four v; } with_vector;
typedef struct { with_vector v; char c; } __attribute__((packed)) packed;
typedef struct { _Alignas(16) unsigned char key[32]; unsigned long count; } context;

static __attribute__((noinline)) with_vector make(int n) { return (with_vector){n, {n, 2, 3, 4}}; }
static int packed_set(packed *p, int n) { p->v = make(n); p->c = n; return n; }
static float packed_sum(const packed *p) { return p->v.v[0] + p->v.v[3] + p->c; }

static void context_start(unsigned char *bytes) { context *c = (context *)bytes; *c = (context){.count = 1}; }
static unsigned context_next(unsigned char *bytes) {
	context *c = (context *)bytes;
	four *key = (four *)c->key;
	key[0] += (four){1, 2, 3, 4};
	key[1] = key[0] * key[0];
	return (unsigned)key[1][3] + c->count++;
}
static void doubled(unsigned char *bytes, int n) { // n is a multiple of 4
	four *v = (four *)bytes;
	for (int i = 0; i < n / 4; i++)
		v[i] = v[i] + v[i];
}
*/
import "C"

import (
	"fmt"
	"unsafe"
)

//go:noinline
func members(n int) (float32, float32) {
	var odd [7]byte
	odd[n%7] = 1
	var a C.packed
	var even [5]byte
	even[n%5] = 1
	var b C.packed
	C.packed_set(&a, C.int(n)*C.int(odd[n%7]))
	C.packed_set(&b, C.int(n)*C.int(even[n%5]))
	return float32(C.packed_sum(&a)), float32(C.packed_sum(&b))
}

//go:noinline
func contexts(n int) (last C.uint) {
	var odd [7]byte
	odd[n%7] = 1
	var a [64]byte
	var even [3]byte
	even[n%3] = 1
	var b [64]byte
	C.context_start((*C.uchar)(&a[0]))
	C.context_start((*C.uchar)(&b[0]))
	for range n {
		last = C.context_next((*C.uchar)(&a[0])) + C.context_next((*C.uchar)(&b[0]))
	}
	return last * C.uint(odd[n%7]) * C.uint(even[n%3])
}

//go:noinline
func floats(n int) byte {
	var odd [7]byte
	odd[n%7] = 1
	var f [48]byte
	f[3] = 0x40 // 2
	C.doubled((*C.uchar)(&f[0]), C.int(unsafe.Sizeof(f)/4))
	return f[2] * odd[n%7]
}

// Main is run by its name.
func Main() {
	done := make(chan bool)
	for n := range 4 {
		go func() {
			fmt.Println(members(n + 1))
			fmt.Println(contexts(n + 2))
			fmt.Println(floats(n))
			func() { fmt.Println(floats(n + 1)) }()
			done <- true
		}()
		<-done
	}
}
