//go:build linux && amd64

package direct

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

	"github.com/ebitengine/purego"

	"github.com/wherrygo/wherry/callback"
	wherry "github.com/wherrygo/wherry/direct"
	"github.com/wherrygo/wherry/lab/direct/c"
)

func address(tb testing.TB, name string) unsafe.Pointer {
	p, err := c.Lookup(name)
	if err != nil {
		tb.Fatal(err)
	}
	return p
}

// register is purego's RegisterLibFunc, of an address.
func register[F any](tb testing.TB, name string) (f F) {
	purego.RegisterFunc(&f, uintptr(address(tb, name)))
	return f
}

const mask = 0xffff

// A way is a loop of calls: a func value in between would cost as much as a call. The ways
// that call through a func value anyway share a loop.
type way[R comparable] struct {
	name string
	loop func(n int) R
}

// measure runs the ways, and checks what they computed.
func measure[R comparable](b *testing.B, want func(n int) R, ways ...way[R]) {
	for _, w := range ways {
		b.Run("way="+w.name, func(b *testing.B) {
			b.ReportAllocs()
			if got, want := w.loop(b.N), want(b.N); got != want {
				b.Fatalf("got %v, want %v", got, want)
			}
		})
	}
}

func BenchmarkAdd(b *testing.B) {
	type add = func(a, b int32) int32
	calls := func(f add) func(int) int32 {
		return func(n int) (s int32) {
			for range n {
				s = f(s, 1) & mask
			}
			return s
		}
	}
	measure(b, func(n int) int32 { return int32(n & mask) },
		way[int32]{"bind", calls(wherry.MustBind[add](address(b, "c_add")))},
		way[int32]{"cgo", func(n int) (s int32) {
			for range n {
				s = c.Add(s, 1) & mask
			}
			return s
		}},
		way[int32]{"purego", calls(register[add](b, "c_add"))},
		way[int32]{"floor", calls(floor[add](b, withTwo, "c_add"))},
	)
}

func BenchmarkSix(b *testing.B) {
	type six = func(a, b, c, d, e, f int64) int64
	calls := func(f six) func(int) int64 {
		return func(n int) (s int64) {
			for range n {
				s += f(1, 2, 3, 4, 5, 6)
			}
			return s
		}
	}
	measure(b, func(n int) int64 { return 21 * int64(n) },
		way[int64]{"floor", calls(floor[six](b, withSix, "c_six"))},
		way[int64]{"bind", calls(wherry.MustBind[six](address(b, "c_six")))},
		way[int64]{"cgo", func(n int) (s int64) {
			for range n {
				s += c.Six(1, 2, 3, 4, 5, 6)
			}
			return s
		}},
		way[int64]{"purego", calls(register[six](b, "c_six"))},
	)
}

func BenchmarkEight(b *testing.B) {
	type eight = func(a, b, c, d, e, f, g, h float64) float64
	calls := func(f eight) func(int) float64 {
		return func(n int) (s float64) {
			for range n {
				s += f(1, 2, 3, 4, 5, 6, 7, 8)
			}
			return s
		}
	}
	measure(b, func(n int) float64 { return 36 * float64(n) },
		way[float64]{"floor", calls(floor[eight](b, withNone, "c_eight"))},
		way[float64]{"bind", calls(wherry.MustBind[eight](address(b, "c_eight")))},
		way[float64]{"cgo", c.Eights},
		way[float64]{"purego", calls(register[eight](b, "c_eight"))},
	)
}

func BenchmarkText(b *testing.B) {
	bound := wherry.MustBind[func(string) int64](address(b, "c_text"))
	// purego copies a string to end it with NUL; this is the pointer instead.
	byPurego := register[func(p *byte, n int64) int64](b, "c_text")
	const text12 = "hello, world" // c_text gives 116
	measure(b, func(n int) int64 { return 116 * int64(n) },
		way[int64]{"bind", func(n int) (s int64) {
			for range n {
				s += bound(text12)
			}
			return s
		}},
		way[int64]{"cgo", func(n int) (s int64) {
			for range n {
				s += c.Text(text12)
			}
			return s
		}},
		way[int64]{"purego", func(n int) (s int64) {
			for range n {
				s += byPurego(unsafe.StringData(text12), int64(len(text12)))
			}
			return s
		}},
	)
}

// A million ints, sorted by qsort with a Go func. "none" is a comparison in C.
func BenchmarkQsort(b *testing.B) {
	type compare = func(a, b *int32) int32
	f := compare(func(a, b *int32) int32 { return int32(cmp.Compare(*a, *b)) })
	own, err := callback.New(f)
	if err != nil {
		b.Fatal(err)
	}
	defer own.Release()
	theirs := purego.NewCallback(func(a, b *int32) int { return int(f(a, b)) })
	sort := wherry.MustReentrant[func(data *int32, n, size int64, f unsafe.Pointer)](address(b, "c_sort"))
	byPurego := register[func(data *int32, n, size int64, f uintptr)](b, "c_sort")
	random := rand.New(rand.NewPCG(1, 2))
	data, sorted := make([]int32, 1000000), make([]int32, 1000000)
	for i := range data {
		data[i] = int32(random.Uint32())
	}
	want := slices.Sorted(slices.Values(data))
	for _, way := range []struct {
		name string
		sort func()
	}{
		{"wherry", func() { sort(&sorted[0], int64(len(sorted)), 4, own.Pointer()) }},
		{"cgo", func() { c.Sort(sorted) }},
		{"purego", func() { byPurego(&sorted[0], int64(len(sorted)), 4, theirs) }},
		{"none", func() { c.SortInC(sorted) }},
	} {
		b.Run("way="+way.name, func(b *testing.B) {
			for range b.N {
				b.StopTimer()
				copy(sorted, data)
				b.StartTimer()
				way.sort()
			}
			if !slices.Equal(sorted, want) {
				b.Fatal("not sorted")
			}
		})
	}
}

func BenchmarkNewAndRelease(b *testing.B) {
	b.Run("way=wherry", func(b *testing.B) {
		for b.Loop() {
			f, err := callback.New(func(x int64) int64 { return x })
			if err != nil {
				b.Fatal(err)
			}
			f.Release()
		}
	})
}
