// C that writes numbers where Go sees pointers: handles, small and large.
package handles

/*
typedef void *handle;
typedef struct { handle h; int n; } info;
struct opaque;
typedef struct { struct opaque *o; } holder;

static int next = 1;
static int info_open(info *i) { i->h = (handle)(long)next++; i->n = 7; return 0; }
static int info_sum(info *i) { return (int)(long)i->h + i->n; }
static void holder_open(holder *h, int a, int b, int c, int d, int e, int f) { h->o = (struct opaque *)(long)(a + b + c + d + e + f); }
static int holder_number(holder *h) { return (int)(long)h->o; }
static void number(handle *h) { *h = (handle)3; }
*/
import "C"

import (
	"fmt"
	"unsafe"

	"example.com/m/stack"
)

func infos() int {
	var i C.info
	C.info_open(&i)
	stack.Grow(2000)
	return int(C.info_sum(&i))
}

func holders() int {
	var h C.holder
	C.holder_open(&h, 1, 2, 3, 4, 5, 6)
	stack.Grow(2000)
	return int(C.holder_number(&h))
}

func numbers() int {
	var h C.handle
	C.number(&h)
	stack.Grow(2000)
	return int(uintptr(unsafe.Pointer(h)))
}

// Main is run by its name.
func Main() {
	results := make(chan int)
	for _, f := range []func() int{infos, holders, numbers, infos} {
		go func() { results <- f() }()
		fmt.Println(<-results)
	}
}
