// Random pointers of all kinds, and arguments of all the forms that cgo tells apart. take
// does not look at what it gets; escaped makes Go objects go to the heap.

package main

/*
#include <stdlib.h>
typedef struct node { struct node *next; int a; } node;
typedef struct opaque opaque;
static char memory[1 << 16];
static void *c(void) { return memory; }
static void take(void *p) { (void)p; }
static void takenode(node *p) { (void)p; }
static void takepointers(void **p) { (void)p; }
static void takeopaque(opaque *p) { (void)p; }
static void takeopaques(opaque **p) { (void)p; }
extern void back(void);
static void calls(void *p) { (void)p; back(); }
*/
import "C"

import (
	"fmt"
	"math/rand"
	"os"
	"runtime"
	"runtime/debug"
	"unsafe"

	"example.com/m/shadows"
)

//export back
func back() {}

//go:linkname check runtime.cgoCheckPointer
//go:noescape
func check(p, a any)

func panics(f func()) (text string) {
	defer func() {
		if e := recover(); e != nil {
			text = fmt.Sprint(e)
		}
	}()
	f()
	return "passes"
}

var (
	escaped any
	global  = &struct {
		p *int
		n [100]int
	}{p: new(int)}
	data      = [4]*int{new(int)} // with pointers, initialized
	bss       [4]*int
	noPointer = [4]int{1}
	zero      [4]int
	pinned    runtime.Pinner
	filled    = struct{ a, b int }{1, 2}
)

// pointer returns a pointer of a random kind, and the kind.
func pointer(r *rand.Rand) (p unsafe.Pointer, kind string) {
	size := 1 + r.Intn(1<<uint(r.Intn(17)))
	at := func(p unsafe.Pointer, n int) unsafe.Pointer { return unsafe.Add(p, r.Intn(n)) }
	switch r.Intn(16) {
	case 0:
		return nil, "nil"
	case 1:
		b := make([]byte, size)
		escaped = b
		return at(unsafe.Pointer(&b[0]), size), "bytes"
	case 2:
		b := make([]*int, size)
		if r.Intn(2) == 0 {
			b[r.Intn(size)] = new(int)
		}
		escaped = b
		return at(unsafe.Pointer(&b[0]), 8*size), "pointers"
	case 3:
		s := new(struct {
			a int
			p *int
		})
		escaped = s
		return at(unsafe.Pointer(s), 16), "struct with nil"
	case 4:
		s := &struct {
			a int
			p *int
		}{p: new(int)}
		escaped = s
		return at(unsafe.Pointer(s), 16), "struct with pointer"
	case 5:
		s := &struct {
			a int
			p unsafe.Pointer
		}{p: C.c()}
		escaped = s
		return at(unsafe.Pointer(s), 16), "struct with C pointer"
	case 6:
		s := &struct {
			a int
			p *int
		}{p: new(int)}
		pinned.Unpin()
		pinned.Pin(s.p)
		escaped = s
		return at(unsafe.Pointer(s), 16), "struct with pinned pointer"
	case 7:
		return at(C.c(), 1<<16), "C data"
	case 8:
		return at(C.malloc(1<<12), 1<<12), "C heap" // a few megabytes in all
	case 9:
		return at(unsafe.Pointer(&data), 32), "data"
	case 10:
		return at(unsafe.Pointer(&bss), 32), "bss"
	case 11:
		return at(unsafe.Pointer(&noPointer), 32), "noptrdata"
	case 12:
		return at(unsafe.Pointer(&zero), 32), "noptrbss"
	case 13:
		return at(unsafe.Pointer(unsafe.StringData("a string")), 8), "rodata"
	case 14:
		word := uintptr(r.Uint64() >> r.Intn(40))
		return *(*unsafe.Pointer)(unsafe.Pointer(&word)), "random"
	default:
		p := unsafe.Pointer(&escaped)
		word := uintptr(p)&^(1<<26-1) + uintptr(r.Intn(1<<27)) // near a moduledata's bounds
		return *(*unsafe.Pointer)(unsafe.Pointer(&word)), "near data"
	}
}

func random(n int) {
	debug.SetGCPercent(-1) // nothing is freed between two checks
	kinds := map[string][2]int{}
	r := rand.New(rand.NewSource(1))
	for range n {
		p, kind := pointer(r)
		count := kinds[kind]
		want, got := panics(func() { check(p, nil) }), panics(func() { C.take(p) })
		if got != want {
			fmt.Printf("%s, %p: got %q, want %q\n", kind, p, got, want)
			os.Exit(1)
		}
		if want == "passes" {
			count[0]++
		} else {
			count[1]++
		}
		kinds[kind] = count
		if r.Intn(1000) == 0 {
			runtime.GC()
		}
	}
	pinned.Unpin()
	for _, kind := range []string{"bytes", "pointers", "struct with nil", "struct with pointer", "struct with C pointer",
		"struct with pinned pointer", "C data", "C heap", "data", "bss", "noptrdata", "noptrbss", "rodata"} {
		fmt.Println(kind, kinds[kind][0] > 0, kinds[kind][1] > 0)
	}
}

type withPointer struct {
	p *int
	n int
}
type nested struct {
	a [2]struct{ n int }
	b withPointer
}

//go:noinline
func forms() {
	bytes, ints, words := make([]byte, 8), make([]int32, 8), make([]uintptr, 8)
	pointers, nils, mixed := []*int{new(int), nil}, make([]*int, 4), make([]withPointer, 3)
	mixed[2].p = new(int)
	array, arrayOf := new([8]int), &[2]*int{nil, new(int)}
	structs, plain := &nested{b: withPointer{new(int), 1}}, &filled
	n, s, text, face := new(int), "text", []string{"a"}, any(1)
	node, full := new(C.node), &C.node{next: new(C.node)}
	escaped = []any{bytes, ints, words, pointers, nils, mixed, array, arrayOf, structs, n, &s, text, &face, node, full}
	var empty []byte
	var none *int
	for i, f := range []func(){
		func() { C.take(unsafe.Pointer(&bytes[0])) },
		func() { C.take(unsafe.Pointer(&ints[3])) },
		func() { C.take(unsafe.Pointer(&words[3])) },
		func() { C.take(unsafe.Pointer(&pointers[0])) },
		func() { C.take(unsafe.Pointer(&pointers[1])) },
		func() { C.take(unsafe.Pointer(&nils[1])) },
		func() { C.take(unsafe.Pointer(&mixed[0])) },
		func() { C.take(unsafe.Pointer(&mixed[0].n)) },
		func() { C.take(unsafe.Pointer(&mixed[:2][0])) },
		func() { C.take(unsafe.Pointer(&array[0])) },
		func() { C.take(unsafe.Pointer(&array[7])) },
		func() { C.take(unsafe.Pointer(array)) },
		func() { C.take(unsafe.Pointer(&arrayOf[0])) },
		func() { C.take(unsafe.Pointer(&arrayOf[1])) },
		func() { C.take(unsafe.Pointer(arrayOf)) },
		func() { C.take(unsafe.Pointer(structs)) },
		func() { C.take(unsafe.Pointer(&structs.a)) },
		func() { C.take(unsafe.Pointer(&structs.a[1])) },
		func() { C.take(unsafe.Pointer(&structs.a[1].n)) },
		func() { C.take(unsafe.Pointer(&structs.b)) },
		func() { C.take(unsafe.Pointer(&structs.b.n)) },
		func() { C.take(unsafe.Pointer(&structs.b.p)) },
		func() { C.take(unsafe.Pointer(structs.b.p)) },
		func() { C.take(unsafe.Pointer(plain)) },
		func() { C.take(unsafe.Pointer(&filled)) },
		func() { C.take(unsafe.Pointer(&filled.b)) },
		func() { C.take(unsafe.Pointer(&data)) },
		func() { C.take(unsafe.Pointer(&data[1])) },
		func() { C.take(unsafe.Pointer(&zero[1])) },
		func() { C.take(unsafe.Pointer(n)) },
		func() { C.take(unsafe.Pointer(&n)) },
		func() { C.take(unsafe.Pointer(&s)) },
		func() { C.take(unsafe.Pointer(unsafe.StringData(s))) },
		func() { C.take(unsafe.Pointer(unsafe.SliceData(bytes))) },
		func() { C.take(unsafe.Pointer(&text[0])) },
		func() { C.take(unsafe.Pointer(&face)) },
		func() { C.take(unsafe.Pointer(&empty)) },
		func() { C.take(unsafe.Pointer(none)) },
		func() { C.take(nil) },
		func() { C.take(unsafe.Pointer(node)) },
		func() { C.takenode(node) },
		func() { C.takenode(full) },
		func() { C.takenode(&C.node{}) },
		func() { C.takenode(&C.node{next: full}) },
		func() { C.takenode((*C.node)(C.c())) },
		func() { C.takepointers((*unsafe.Pointer)(unsafe.Pointer(&nils[0]))) },
		func() { C.takepointers((*unsafe.Pointer)(unsafe.Pointer(&pointers[0]))) },
		func() { p := C.c(); C.takepointers(&p) },
		func() { p := unsafe.Pointer(n); C.takepointers(&p) },
		func() { C.takeopaque(nil) },
		func() { C.takeopaque((*C.opaque)(C.c())) },
		func() { C.takeopaque((*C.opaque)(unsafe.Pointer(full))) },
		func() { C.takeopaque((*C.opaque)(unsafe.Pointer(&arrayOf[0]))) },
		func() { p := (*C.opaque)(C.c()); C.takeopaques(&p) },
		func() { C.takeopaques((**C.opaque)(unsafe.Pointer(&pointers[0]))) },
		func() { C.calls(unsafe.Pointer(&bytes[0])) },
		func() { C.calls(unsafe.Pointer(&pointers[0])) },
		func() { C.calls(unsafe.Pointer(&n)) },
		func() { defer C.take(unsafe.Pointer(&bytes[0])) },
		func() { defer C.take(unsafe.Pointer(&pointers[0])) },
		func() {
			_, err := C.take(unsafe.Pointer(&bytes[0]))
			if err != nil {
				panic(err)
			}
		},
		func() {
			_, err := C.take(unsafe.Pointer(&pointers[0]))
			if err != nil {
				panic(err)
			}
		},
		func() { C.take(unsafe.Pointer(&empty[0])) },
		func() { escaped = shadows.Take(0) },
		func() { escaped = shadows.Take(1) },
		func() { escaped = shadows.Take(2) },
		func() { number := C.int(5); C.take(unsafe.Pointer(&number)); escaped = number },
		func() { C.take(unsafe.Pointer(&[]C.double{1, 2}[1])) },
		func() { C.take(unsafe.Pointer(&[]C.node{{next: full}}[0])) },
	} {
		fmt.Println(i, panics(f))
	}
}

func main() {
	if len(os.Args) > 1 { // dies
		pointers := []*int{new(int)}
		C.take(unsafe.Pointer(&pointers[0]))
	}
	forms()
	random(20000)
}
