package main

// #include <stdlib.h>
import "C"

import (
	"unsafe"

	"github.com/wherrygo/wherry/internal/measure/probe"
	"github.com/wherrygo/wherry/internal/measure/program/kept"
)

// memory in C: malloc and free are fast in this package, as everywhere by
// default, and cgo calls in package kept.
var memory = []probe.Scenario{
	{Bench: "memory/malloc", Variant: "cgo", What: "C.malloc and C.free of 64 bytes", Run: all(func(int) bool { return kept.Malloc(64) })},
	{Bench: "memory/malloc", Variant: "fast", What: "C.malloc and C.free of 64 bytes", Run: all(func(int) bool { return malloc(64) })},
	{Bench: "memory/cstring", Variant: "cgo", What: "C.CString and C.free", Run: all(func(i int) bool { return kept.String(texts[i&1]) })},
	{Bench: "memory/cstring", Variant: "fast", What: "C.CString and C.free", Run: all(func(i int) bool { return cstring(texts[i&1]) })},
}

// all runs work n times, where a func value more does not count.
func all(work func(i int) bool) func(n int) bool {
	return func(n int) bool {
		right := true
		for i := range n {
			right = work(i) && right
		}
		return right
	}
}

func malloc(n int) bool {
	p := C.malloc(C.size_t(n))
	C.free(p)
	return p != nil
}

func cstring(s string) bool {
	p := C.CString(s)
	right := *(*byte)(unsafe.Add(unsafe.Pointer(p), len(s)-1)) == s[len(s)-1]
	C.free(unsafe.Pointer(p))
	return right
}
