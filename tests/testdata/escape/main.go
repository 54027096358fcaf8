package main

/*
#include <stddef.h>
static void fill(int *x) { *x = 42; }
struct pair { int *a; int b; };
static int both(struct pair p) { return *p.a + p.b; }
static int sum(const unsigned char *p, size_t n) { int s = 0; while (n--) s += *p++; return s; }
static void nothing(void) {}
static void (*volatile hook)(void) = nothing;
static void unknown(int *x) { hook(); *x = 42; } // may call back, as far as its code shows
static int unknownStruct(struct pair p) { hook(); return *p.a + p.b; }
*/
import "C"

import (
	"fmt"
	"testing"
	"unsafe"
)

func main() {
	fmt.Println("fill", testing.AllocsPerRun(100, func() {
		var x C.int
		C.fill(&x)
		if x != 42 {
			panic(x)
		}
	}))
	fmt.Println("struct", testing.AllocsPerRun(100, func() {
		var x C.int = 40
		if C.both(C.struct_pair{a: &x, b: 2}) != 42 {
			panic(x)
		}
	}))
	fmt.Println("errno", testing.AllocsPerRun(100, func() {
		var x C.int
		if _, err := C.fill(&x); err != nil || x != 42 {
			panic(err)
		}
	}))
	fmt.Println("slice", testing.AllocsPerRun(100, func() {
		var buffer [64]byte
		buffer[3] = 7
		if C.sum((*C.uchar)(unsafe.Pointer(&buffer[0])), 64) != 7 {
			panic("sum")
		}
	}))
	fmt.Println("unknown", testing.AllocsPerRun(100, func() {
		var x C.int
		C.unknown(&x)
		if x != 42 {
			panic(x)
		}
	}))
	fmt.Println("unknown struct", testing.AllocsPerRun(100, func() {
		var x C.int = 40
		if C.unknownStruct(C.struct_pair{a: &x, b: 2}) != 42 {
			panic(x)
		}
	}))
}
