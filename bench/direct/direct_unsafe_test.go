//go:build linux && amd64

package direct

import (
	"cmp"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"unsafe"

	"github.com/ebitengine/purego"

	"github.com/wherrygo/wherry/bench/direct/c"
	"github.com/wherrygo/wherry/callback"
	wherry "github.com/wherrygo/wherry/direct"
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

// The loop is that of wherry bench's call/add.
func BenchmarkAdd(b *testing.B) {
	bound := wherry.MustBind[func(a, b int32) int32](address(b, "c_add"))
	byPurego := register[func(a, b int32) int32](b, "c_add")
	for _, way := range []struct {
		name string
		loop func(n int) int32
	}{
		// One loop for each: a func value in between would cost as much as a call.
		{"stub", func(n int) (s int32) {
			for range n {
				s = add(s, 1) & mask
			}
			return s
		}},
		{"bind", func(n int) (s int32) {
			f := bound
			for range n {
				s = f(s, 1) & mask
			}
			return s
		}},
		{"frame64k", func(n int) (s int32) {
			for range n {
				s = frameAdd(s, 1) & mask
			}
			return s
		}},
		{"cgo", func(n int) (s int32) {
			for range n {
				s = c.Add(s, 1) & mask
			}
			return s
		}},
		{"purego", func(n int) (s int32) {
			f := byPurego
			for range n {
				s = f(s, 1) & mask
			}
			return s
		}},
	} {
		b.Run("way="+way.name, func(b *testing.B) {
			if got, want := way.loop(b.N), int32(b.N&mask); got != want {
				b.Fatalf("got %d, want %d", got, want)
			}
		})
	}
}

// measure runs calls that all give the same result.
func measure[R comparable](b *testing.B, way string, want R, call func() R) {
	b.Run("way="+way, func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if got := call(); got != want {
				b.Fatalf("got %v, want %v", got, want)
			}
		}
	})
}

func BenchmarkSix(b *testing.B) {
	type f = func(a, b, c, d, e, f int64) int64
	bound, byPurego := wherry.MustBind[f](address(b, "c_six")), register[f](b, "c_six")
	measure(b, "stub", 21, func() int64 { return six(1, 2, 3, 4, 5, 6) })
	measure(b, "bind", 21, func() int64 { return bound(1, 2, 3, 4, 5, 6) })
	measure(b, "cgo", 21, func() int64 { return c.Six(1, 2, 3, 4, 5, 6) })
	measure(b, "purego", 21, func() int64 { return byPurego(1, 2, 3, 4, 5, 6) })
}

// BenchmarkTwo is BenchmarkAdd in the same loop as the others here.
func BenchmarkTwo(b *testing.B) {
	type f = func(a, b int32) int32
	bound, byPurego := wherry.MustBind[f](address(b, "c_add")), register[f](b, "c_add")
	measure(b, "stub", 3, func() int32 { return add(1, 2) })
	measure(b, "bind", 3, func() int32 { return bound(1, 2) })
	measure(b, "cgo", 3, func() int32 { return c.Add(1, 2) })
	measure(b, "purego", 3, func() int32 { return byPurego(1, 2) })
}

func BenchmarkEight(b *testing.B) {
	type f = func(a, b, c, d, e, f, g, h float64) float64
	bound, byPurego := wherry.MustBind[f](address(b, "c_eight")), register[f](b, "c_eight")
	measure(b, "stub", 36, func() float64 { return eight(1, 2, 3, 4, 5, 6, 7, 8) })
	measure(b, "bind", 36, func() float64 { return bound(1, 2, 3, 4, 5, 6, 7, 8) })
	measure(b, "cgo", 36, func() float64 { return c.Eight(1, 2, 3, 4, 5, 6, 7, 8) })
	measure(b, "purego", 36, func() float64 { return byPurego(1, 2, 3, 4, 5, 6, 7, 8) })
}

func BenchmarkText(b *testing.B) {
	bound := wherry.MustBind[func(string) int64](address(b, "c_text"))
	// purego copies a string to end it with NUL; this is the pointer instead.
	byPurego := register[func(p *byte, n int64) int64](b, "c_text")
	const s = "hello, world"
	measure(b, "stub", 116, func() int64 { return text(s) })
	measure(b, "bind", 116, func() int64 { return bound(s) })
	measure(b, "cgo", 116, func() int64 { return c.Text(s) })
	measure(b, "purego", 116, func() int64 { return byPurego(unsafe.StringData(s), int64(len(s))) })
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

// Memory that stays with a goroutine after one call.
func BenchmarkGoroutines(b *testing.B) {
	bound := wherry.MustBind[func(a, b int32) int32](address(b, "c_add"))
	for _, way := range []struct {
		name string
		add  func(a, b int32) int32
	}{{"stub", add}, {"bind", bound}, {"frame64k", frameAdd}, {"cgo", c.Add}} {
		b.Run("way="+way.name, func(b *testing.B) {
			const n = 10000
			for range b.N {
				runtime.GC()
				before := resident(b)
				var ready, done sync.WaitGroup
				release := make(chan bool)
				ready.Add(n)
				done.Add(n)
				for i := range int32(n) {
					go func() {
						defer done.Done()
						if way.add(i, 1) != i+1 {
							b.Error("wrong sum")
						}
						ready.Done()
						<-release
					}()
				}
				ready.Wait()
				b.ReportMetric(float64(resident(b)-before)/n, "B/goroutine")
				close(release)
				done.Wait()
			}
		})
	}
}

func resident(b *testing.B) int {
	text, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		b.Fatal(err)
	}
	n := 0
	for _, digit := range strings.Fields(string(text))[1] {
		n = 10*n + int(digit-'0')
	}
	return n * os.Getpagesize()
}
