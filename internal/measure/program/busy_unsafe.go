package main

/*
#define BUSY(way) static unsigned busy_##way(unsigned x) { \
	for (int i = 0; i < 700; i++) x = x * 1664525u + 1013904223u; \
	return x ^ x >> 16; }
BUSY(cgo)
BUSY(fast)
static void *address_busy(void) { return (void *)busy_cgo; }
*/
import "C"

import (
	"unsafe"

	"github.com/wherrygo/wherry/direct"
	"github.com/wherrygo/wherry/internal/measure/program/stubs"
)

var (
	busyAddress = unsafe.Pointer(C.address_busy())
	boundBusy   = direct.MustBind[func(uint32) uint32](busyAddress)
)

// busyCalls are of something that takes longer than a call. Checked at the end: the
// last result depends on all.
var busyCalls = shape("call/microsecond", "about 1 us of work",
	way{"go", func(n int) bool {
		x := uint32(n)
		for range n {
			x = busy(x)
		}
		return x == busyAll(n)
	}},
	way{"cgo", func(n int) bool {
		x := C.uint(n)
		for range n {
			x = C.busy_cgo(x)
		}
		return uint32(x) == busyAll(n)
	}},
	way{"fast", func(n int) bool {
		x := C.uint(n)
		for range n {
			x = C.busy_fast(x)
		}
		return uint32(x) == busyAll(n)
	}},
	way{"bind", func(n int) bool {
		f := boundBusy
		x := uint32(n)
		for range n {
			x = f(x)
		}
		return x == busyAll(n)
	}},
	way{"stub", func(n int) bool {
		x := uint32(n)
		for range n {
			x = stubs.Busy(x)
		}
		return x == busyAll(n)
	}},
)
