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
	bound, least := wherry.MustBind[func()](address(b, "c_nothing")), floor[func()](b, withNone, "c_nothing")
	measure(b, func(n int) int { return n },
		way[int]{"cgo", func(n int) (s int) {
			for range n {
				c.Nothing()
				s++
			}
			return s
		}},
		way[int]{"bind", func(n int) (s int) {
			f := bound
			for range n {
				f()
				s++
			}
			return s
		}},
		way[int]{"floor", func(n int) (s int) {
			f := least
			for range n {
				f()
				s++
			}
			return s
		}},
	)
}

func BenchmarkDouble(b *testing.B) {
	bound, least := wherry.MustBind[func(a, b float64) float64](address(b, "c_double")),
		floor[func(a, b float64) float64](b, withNone, "c_double")
	measure(b, func(n int) float64 { return 3 * float64(n) },
		way[float64]{"cgo", func(n int) (s float64) {
			for range n {
				s += c.Double(1, 2)
			}
			return s
		}},
		way[float64]{"bind", func(n int) (s float64) {
			f := bound
			for range n {
				s += f(1, 2)
			}
			return s
		}},
		way[float64]{"floor", func(n int) (s float64) {
			f := least
			for range n {
				s += f(1, 2)
			}
			return s
		}},
	)
}

func BenchmarkPair(b *testing.B) {
	bound, least := wherry.MustBind[func(p, q c.PairOf) c.PairOf](address(b, "c_pair")),
		floor[func(p, q c.PairOf) c.PairOf](b, fourToTwo, "c_pair")
	measure(b, func(n int) int64 { return 6 * int64(n) },
		way[int64]{"cgo", c.Pairs},
		way[int64]{"bind", func(n int) (s int64) {
			f := bound
			for range n {
				r := f(c.PairOf{X: 1, Y: 2}, c.PairOf{X: 2, Y: 1})
				s += r.X + r.Y
			}
			return s
		}},
		way[int64]{"floor", func(n int) (s int64) {
			f := least
			for range n {
				r := f(c.PairOf{X: 1, Y: 2}, c.PairOf{X: 2, Y: 1})
				s += r.X + r.Y
			}
			return s
		}},
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
			f := bound
			for range n {
				if r, err := f(7); err == 0 {
					s += r
				}
			}
			return s
		}},
		way[int32]{"floor", func(n int) (s int32) {
			f := least
			for range n {
				if r, err := f(7); err == 0 {
					s += r
				}
			}
			return s
		}},
	)
}

func BenchmarkPointer(b *testing.B) {
	bound, least := wherry.MustBind[func(unsafe.Pointer) int32](address(b, "c_pointer")),
		floor[func(unsafe.Pointer) int32](b, withTwo, "c_pointer")
	bytes := []byte{9, 1}
	measure(b, func(n int) int32 { return 9 * int32(n) },
		way[int32]{"cgo", func(n int) int32 { return c.Pointers(n, bytes) }},
		way[int32]{"bind", func(n int) (s int32) {
			f := bound
			for range n {
				s += f(unsafe.Pointer(&bytes[0]))
			}
			return s
		}},
		way[int32]{"floor", func(n int) (s int32) {
			f := least
			for range n {
				s += f(unsafe.Pointer(&bytes[0]))
			}
			return s
		}},
	)
}
