package inflight

// #include "calls.h"
import "C"

import (
	"slices"
	"syscall"
)

// A crossing is one kind of call: calls makes n of them, each of which calls back so many
// times, if not 0, and reports whether the results are right.
type crossing struct {
	name  string
	each  int
	calls func(n int) bool
}

func crossings() []crossing {
	var values, sorted [1000]C.int
	for i := range values {
		values[i] = C.int(i * 7919 % 1000)
	}
	return append(inside(), []crossing{
		{"add", 0, func(n int) bool {
			x := C.int(0)
			for range n {
				x = C.add(x, 1)
			}
			return int(x) == n
		}},
		{"struct", 0, func(n int) bool {
			p := C.pair{3, 4}
			for range n {
				p = C.exchange(p)
			}
			return p.a+C.long(p.b) == 7
		}},
		{"errno-0", 0, func(n int) bool {
			for range n {
				if _, err := C.fails(0); err != nil {
					return false
				}
			}
			return true
		}},
		{"errno", 0, func(n int) bool {
			for range n {
				if _, err := C.fails(C.int(syscall.EAGAIN)); err != syscall.EAGAIN {
					return false
				}
			}
			return true
		}},
		{"callback", 1, func(n int) bool {
			for range n {
				C.call_back(1)
			}
			return true
		}},
		{"callbacks10", 10, func(n int) bool {
			for range n {
				C.call_back(10)
			}
			return true
		}},
		{"hidden-callback", 1, func(n int) bool {
			f := C.go_visitor()
			for range n {
				C.visit(f, 1)
			}
			return true
		}},
		{"hidden-callbacks10", 10, func(n int) bool {
			f := C.go_visitor()
			for range n {
				C.visit(f, 10)
			}
			return true
		}},
		{"sort1000", 0, func(n int) bool {
			for range n {
				sorted = values
				C.sort_ints(&sorted[0], C.int(len(sorted)))
			}
			return slices.IsSorted(sorted[:]) && sorted[999] == 999
		}},
		{"rare-callback", 0, func(n int) bool { // one call of 1,000
			for i := range n {
				if int(C.rarely(C.int(i))) != i {
					return false
				}
			}
			return true
		}},
	}...)
}

// inside are things that C does in a call: many times in one, and once in each.
func inside() (list []crossing) {
	for what := C.int(0); what < C.INSIDE; what++ {
		name := C.GoString(C.inside_name(what))
		list = append(list, crossing{name + "-many", 0, func(n int) bool { return C.inside(what, C.int(n)) == 0 }},
			crossing{name, 0, func(n int) bool {
				failed := C.int(0)
				for range n {
					failed += C.inside(what, 1)
				}
				return failed == 0
			}})
	}
	return list
}
