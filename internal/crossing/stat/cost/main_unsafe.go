//go:build ignore

// A program that wherry stat builds and runs to learn what a crossing of each
// kind costs on this machine. It prints nanoseconds.
package main

/*
static int by_cgo(int a, int b) { return a + b; }
static int fast(int a, int b) { return a + b; }
extern int back(int, int);
static int by_reentrant(int n) { int sum = 0; for (int i = 0; i < n; i++) sum += back(i, n); return sum; }
typedef struct handle handle;
static char memory[16];
static void *own(void) { return memory; }
static int fast_pointer(void *p, int b) { return b + (p != 0); }
static int fast_handle(handle *p, int b) { return b + (p != 0); }
static int back_by_cgo(int n) { int sum = 0; for (int i = 0; i < n; i++) sum += back(i, n); return sum; }
*/
import "C"

import (
	"fmt"
	"time"
	"unsafe"
)

//wherry:cgo by_cgo back_by_cgo
//wherry:fast fast fast_pointer fast_handle
//wherry:reentrant by_reentrant

//export back
func back(i, n C.int) C.int { return i ^ n }

// check is the runtime's, which cgo calls; with wherry a short one of the package's own
// stands before it.
//
//go:linkname check runtime.cgoCheckPointer
//go:noescape
func check(pointer, of any)

var sink C.int

const calls = 2000

func main() {
	bytes, memory, handle := make([]byte, 16), C.own(), (*C.handle)(C.own())
	works := []struct {
		name string
		work func()
	}{
		{"cgo", func() {
			for i := range C.int(calls) {
				sink += C.by_cgo(i, 2)
			}
		}},
		{"fast", func() {
			for i := range C.int(calls) {
				sink += C.fast(i, 2)
			}
		}},
		{"reentrant", func() {
			for range C.int(calls) {
				sink += C.by_reentrant(0)
			}
		}},
		{"check_slice", func() {
			for i := range calls {
				check(unsafe.Pointer(&bytes[i&7]), bytes)
			}
		}},
		{"fast_slice", func() {
			for i := range C.int(calls) {
				sink += C.fast_pointer(unsafe.Pointer(&bytes[i&7]), i)
			}
		}},
		{"check_memory", func() {
			for range calls {
				check(memory, nil)
			}
		}},
		{"fast_memory", func() {
			for i := range C.int(calls) {
				sink += C.fast_pointer(memory, i)
			}
		}},
		{"check_handle", func() {
			for range calls {
				check(handle, nil)
			}
		}},
		{"fast_handle", func() {
			for i := range C.int(calls) {
				sink += C.fast_handle(handle, i)
			}
		}},
		{"callback_cgo", func() { sink += C.back_by_cgo(calls) }},
		{"callback_reentrant", func() { sink += C.by_reentrant(calls) }},
	}
	least := make([]time.Duration, len(works))
	for round := 0; round < 100; round++ {
		for i, w := range works { // interleaved: what disturbs one disturbs all
			begin := time.Now()
			w.work()
			if took := time.Since(begin); round == 0 || took < least[i] {
				least[i] = took
			}
		}
	}
	for i, w := range works {
		fmt.Println(w.name, float64(least[i].Nanoseconds())/calls)
	}
}
