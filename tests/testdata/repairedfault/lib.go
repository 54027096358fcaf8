package main

/*
#include <stddef.h>
#include <sys/mman.h>
struct pair { long a, b; };
typedef long (*back)(struct pair, long, long, long, long, long, long, long);
static char *page;
static char *mapped(void) { return page = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0); }
static long visit(void *f) {
	struct pair p = {1, 2};
	long n = ((back)f)(p, 1, 2, 3, 4, 5, 6, 7);
	page[5] = 1;
	return n + ((back)f)(p, 1, 2, 3, 4, 5, 6, 7);
}
*/
import "C"

import (
	"unsafe"

	"github.com/wherrygo/wherry/callback"
)

//wherry:reentrant visit

type pair struct{ a, b int64 }

var back, _ = callback.New(func(p pair, a, b, c, d, e, f, g int64) int64 { return p.a + p.b + g })

//export prepare
func prepare() unsafe.Pointer { return unsafe.Pointer(C.mapped()) }

//export run
func run() C.long { return C.visit(back.Pointer()) }

func main() {}
