package main

/*
#include <stddef.h>

// One function for each way to call it; they differ in nothing else. That
// called declared is declared to cgo neither to call back nor to keep its
// arguments.
#define WAYS(define) define(cgo) define(fast)
#define EMPTY(way) static int empty_##way(void) { return 1; }
#define ADD(way) static int add_##way(int a, int b) { return a + b; }
#define SIX(way) static int six_##way(int a, int b, int c, int d, int e, int f) { return a + b + c + d + e + f; }
#define HALF(way) static double half_##way(double x) { return x / 2; }
#define LAST(way) static int last_##way(const char *s, size_t n) { return s[n - 1]; }
WAYS(EMPTY)
WAYS(ADD)
ADD(declared)
WAYS(SIX)
WAYS(HALF)
WAYS(LAST)
#define BUSY(way) static unsigned busy_##way(unsigned x) { \
	for (int i = 0; i < 700; i++) x = x * 1664525u + 1013904223u; \
	return x ^ x >> 16; }
BUSY(cgo)
BUSY(fast)

// Package direct binds those of cgo.
#define ADDRESS(name) static void *address_##name(void) { return (void *)name##_cgo; }
ADDRESS(empty)
ADDRESS(add)
ADDRESS(six)
ADDRESS(half)
ADDRESS(last)

#cgo noescape add_declared
#cgo nocallback add_declared
*/
import "C"

import (
	"slices"
	"unsafe"

	"github.com/wherrygo/wherry/direct"
	"github.com/wherrygo/wherry/internal/measure/probe"
)

// What package direct binds are the functions of variant cgo.
var (
	boundEmpty = direct.MustBind[func() int32](C.address_empty())
	boundAdd   = direct.MustBind[func(a, b int32) int32](C.address_add())
	boundSix   = direct.MustBind[func(a, b, c, d, e, f int32) int32](C.address_six())
	boundHalf  = direct.MustBind[func(float64) float64](C.address_half())
	boundLast  = direct.MustBind[func(string) int32](C.address_last())
)

// Fast is what they are anyway, unless WHERRY_DEFAULT says otherwise.
//wherry:cgo *_cgo *_declared
//wherry:fast *_fast malloc free

// calls are the ways to call a function, by the shape of its arguments; all of them for
// two ints. The loops are written out, so that no call through a func value is measured.
var calls = slices.Concat(
	shape("call/empty", "no argument",
		way{"cgo", func(n int) bool {
			s := 0
			for range n {
				s += int(C.empty_cgo())
			}
			return s == n
		}},
		way{"fast", func(n int) bool {
			s := 0
			for range n {
				s += int(C.empty_fast())
			}
			return s == n
		}},
		way{"bind", func(n int) bool {
			f := boundEmpty
			s := 0
			for range n {
				s += int(f())
			}
			return s == n
		}},
	),
	shape("call/add", "two ints",
		way{"go-inline", func(n int) bool {
			s := int32(0)
			for range n {
				s = addInline(s, 1) & mask
			}
			return s == int32(n&mask)
		}},
		way{"go", func(n int) bool {
			s := int32(0)
			for range n {
				s = add(s, 1) & mask
			}
			return s == int32(n&mask)
		}},
		way{"go-func-value", func(n int) bool {
			s := int32(0)
			for range n {
				s = addValue(s, 1) & mask
			}
			return s == int32(n&mask)
		}},
		way{"cgo", func(n int) bool {
			s := C.int(0)
			for range n {
				s = C.add_cgo(s, 1) & mask
			}
			return s == C.int(n&mask)
		}},
		way{"cgo-declared", func(n int) bool {
			s := C.int(0)
			for range n {
				s = C.add_declared(s, 1) & mask
			}
			return s == C.int(n&mask)
		}},
		way{"fast", func(n int) bool {
			s := C.int(0)
			for range n {
				s = C.add_fast(s, 1) & mask
			}
			return s == C.int(n&mask)
		}},
		way{"bind", func(n int) bool {
			f := boundAdd
			s := int32(0)
			for range n {
				s = f(s, 1) & mask
			}
			return s == int32(n&mask)
		}},
	),
	shape("call/six", "six ints",
		way{"cgo", func(n int) bool {
			s := C.int(0)
			for range n {
				s = C.six_cgo(s, 1, 2, 3, 4, 5) & mask
			}
			return s == C.int(15*n&mask)
		}},
		way{"fast", func(n int) bool {
			s := C.int(0)
			for range n {
				s = C.six_fast(s, 1, 2, 3, 4, 5) & mask
			}
			return s == C.int(15*n&mask)
		}},
		way{"bind", func(n int) bool {
			f := boundSix
			s := int32(0)
			for range n {
				s = f(s, 1, 2, 3, 4, 5) & mask
			}
			return s == int32(15*n&mask)
		}},
	),
	// x/2 + 1 is 2 for 2, but the compiler must not know.
	shape("call/double", "a double",
		way{"cgo", func(n int) bool {
			x := C.double(two)
			for range n {
				x = C.half_cgo(x) + 1
			}
			return x == 2
		}},
		way{"fast", func(n int) bool {
			x := C.double(two)
			for range n {
				x = C.half_fast(x) + 1
			}
			return x == 2
		}},
		way{"bind", func(n int) bool {
			f := boundHalf
			x := two
			for range n {
				x = f(x) + 1
			}
			return x == 2
		}},
	),
	shape("call/string", "a string's bytes and length",
		way{"cgo", func(n int) bool {
			s := 0
			for i := range n {
				t := texts[i&1]
				s += int(C.last_cgo((*C.char)(unsafe.Pointer(unsafe.StringData(t))), C.size_t(len(t))))
			}
			return s == sumOfLast(n)
		}},
		way{"fast", func(n int) bool {
			s := 0
			for i := range n {
				t := texts[i&1]
				s += int(C.last_fast((*C.char)(unsafe.Pointer(unsafe.StringData(t))), C.size_t(len(t))))
			}
			return s == sumOfLast(n)
		}},
		way{"bind", func(n int) bool {
			f := boundLast
			s := 0
			for i := range n {
				s += int(f(texts[i&1]))
			}
			return s == sumOfLast(n)
		}},
	),
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
)

// A way is one variant of a call.
type way struct {
	variant string
	run     func(n int) bool
}

func shape(bench, what string, ways ...way) (scenarios []probe.Scenario) {
	for _, w := range ways {
		scenarios = append(scenarios, probe.Scenario{Bench: bench, Variant: w.variant, What: what, Run: w.run})
	}
	return scenarios
}
