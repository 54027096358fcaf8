//go:build linux && amd64

package direct

import (
	"testing"
	"unsafe"

	wherry "github.com/wherrygo/wherry/direct"
	"github.com/wherrygo/wherry/lab/direct/c"
)

// floors are the codes of the ways in floor_amd64.s. Floating-point arguments are where C
// wants them, so their shapes take the way without arguments.
var floors [5]uintptr

const (
	withNone = iota
	withTwo
	withSix
	fourToTwo
	oneToTwo
)

// floor makes a func of a C function by the shortest way there is.
func floor[F any](tb testing.TB, way int, name string) F {
	value := &struct {
		code uintptr
		c    unsafe.Pointer
	}{floors[way], address(tb, name)}
	return *(*F)(unsafe.Pointer(&value))
}

// The shapes of calls that the rivals are not measured with. In a program that wherry
// build has made, cgo is wherry's call.
func BenchmarkNothing(b *testing.B) {
	calls := func(f func()) func(int) int {
		return func(n int) (s int) {
			for range n {
				f()
				s++
			}
			return s
		}
	}
	measure(b, func(n int) int { return n },
		way[int]{"cgo", func(n int) (s int) {
			for range n {
				c.Nothing()
				s++
			}
			return s
		}},
		way[int]{"bind", calls(wherry.MustBind[func()](address(b, "c_nothing")))},
		way[int]{"floor", calls(floor[func()](b, withNone, "c_nothing"))},
	)
}

func BenchmarkDouble(b *testing.B) {
	type double = func(a, b float64) float64
	calls := func(f double) func(int) float64 {
		return func(n int) (s float64) {
			for range n {
				s += f(1, 2)
			}
			return s
		}
	}
	measure(b, func(n int) float64 { return 3 * float64(n) },
		way[float64]{"cgo", func(n int) (s float64) {
			for range n {
				s += c.Double(1, 2)
			}
			return s
		}},
		way[float64]{"bind", calls(wherry.MustBind[double](address(b, "c_double")))},
		way[float64]{"floor", calls(floor[double](b, withNone, "c_double"))},
	)
}

func BenchmarkPair(b *testing.B) {
	type pair = func(p, q c.PairOf) c.PairOf
	calls := func(f pair) func(int) int64 {
		return func(n int) (s int64) {
			for range n {
				r := f(c.PairOf{X: 1, Y: 2}, c.PairOf{X: 2, Y: 1})
				s += r.X + r.Y
			}
			return s
		}
	}
	measure(b, func(n int) int64 { return 6 * int64(n) },
		way[int64]{"cgo", c.Pairs},
		way[int64]{"bind", calls(wherry.MustBind[pair](address(b, "c_pair")))},
		way[int64]{"floor", calls(floor[pair](b, fourToTwo, "c_pair"))},
	)
}

func BenchmarkErrno(b *testing.B) {
	bound, least := wherry.MustBind[func(int32) (int32, wherry.Errno)](address(b, "c_errno")),
		floor[func(int32) (int32, int64)](b, oneToTwo, "c_errno_pair")
	measure(b, func(n int) int32 { return 7 * int32(n) },
		way[int32]{"cgo", func(n int) (s int32) {
			for range n {
				if r, err := c.Errno(7); err == nil {
					s += r
				}
			}
			return s
		}},
		way[int32]{"bind", func(n int) (s int32) {
			for range n {
				if r, err := bound(7); err == 0 {
					s += r
				}
			}
			return s
		}},
		way[int32]{"floor", func(n int) (s int32) {
			for range n {
				if r, err := least(7); err == 0 {
					s += r
				}
			}
			return s
		}},
	)
}

func BenchmarkPointer(b *testing.B) {
	type pointer = func(unsafe.Pointer) int32
	bytes := []byte{9, 1}
	calls := func(f pointer) func(int) int32 {
		return func(n int) (s int32) {
			for range n {
				s += f(unsafe.Pointer(&bytes[0]))
			}
			return s
		}
	}
	measure(b, func(n int) int32 { return 9 * int32(n) },
		way[int32]{"cgo", func(n int) int32 { return c.Pointers(n, bytes) }},
		way[int32]{"bind", calls(wherry.MustBind[pointer](address(b, "c_pointer")))},
		way[int32]{"floor", calls(floor[pointer](b, withTwo, "c_pointer"))},
	)
}
