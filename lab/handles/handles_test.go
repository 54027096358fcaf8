//go:build unix

package handles

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"runtime/cgo"
	"sync"
	"syscall"
	"testing"
	"time"

	pointer "github.com/mattn/go-pointer"

	"github.com/wherrygo/wherry/handle"
)

// Every benchmark checks what it gets, and is written once for each table,
// with direct calls: through an interface or a type parameter the calls
// would cost as much as some of the tables. The check is a type assertion, as
// in a callback.

// cycles do n cycles of New, Value and Delete.
var cycles = []struct {
	name string
	run  func(b *testing.B, x *int, n int)
}{
	{"wherry", func(b *testing.B, x *int, n int) {
		for range n {
			h := handle.NewHandle(x)
			check(b, h.Value().(*int) == x)
			h.Delete()
		}
	}},
	{"cgo", func(b *testing.B, x *int, n int) {
		for range n {
			h := cgo.NewHandle(x)
			check(b, h.Value().(*int) == x)
			h.Delete()
		}
	}},
	{"go-pointer", func(b *testing.B, x *int, n int) {
		for range n {
			h := pointer.Save(x)
			check(b, pointer.Restore(h).(*int) == x)
			pointer.Unref(h)
		}
	}},
	{"cl600875", func(b *testing.B, x *int, n int) {
		for range n {
			h := reference.New(x)
			check(b, reference.Value(h).(*int) == x)
			reference.Delete(h)
		}
	}},
}

func BenchmarkCycle(b *testing.B) {
	for _, t := range cycles {
		b.Run("table="+t.name, func(b *testing.B) { t.run(b, new(int), b.N) })
	}
}

func check(b *testing.B, ok bool) {
	if !ok {
		b.Fatal("wrong value")
	}
}

// BenchmarkArticle is the benchmark of the article on CL 600875: it boxes an
// int and does not look at the value. "concurrent" reports handles/s too, as
// the article's table does.
func BenchmarkArticle(b *testing.B) {
	for _, t := range []struct {
		name  string
		cycle func(v int)
	}{
		{"wherry", func(v int) { h := handle.NewHandle(v); _ = h.Value(); h.Delete() }},
		{"cgo", func(v int) { h := cgo.NewHandle(v); _ = h.Value(); h.Delete() }},
		{"go-pointer", func(v int) { h := pointer.Save(v); _ = pointer.Restore(h); pointer.Unref(h) }},
		{"cl600875", func(v int) { h := reference.New(v); _ = reference.Value(h); reference.Delete(h) }},
	} {
		b.Run("work=non-concurrent/table="+t.name, func(b *testing.B) {
			for i := range b.N {
				t.cycle(i)
			}
		})
		b.Run("work=concurrent/table="+t.name, func(b *testing.B) {
			b.RunParallel(func(pb *testing.PB) {
				var v int
				for pb.Next() {
					t.cycle(v)
				}
			})
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "handles/s")
		})
	}
}

func BenchmarkValue(b *testing.B) {
	x := new(int)
	b.Run("table=wherry", func(b *testing.B) {
		h := handle.NewHandle(x)
		for range b.N {
			check(b, h.Value().(*int) == x)
		}
		h.Delete()
	})
	b.Run("table=cgo", func(b *testing.B) {
		h := cgo.NewHandle(x)
		for range b.N {
			check(b, h.Value().(*int) == x)
		}
		h.Delete()
	})
	b.Run("table=go-pointer", func(b *testing.B) {
		h := pointer.Save(x)
		for range b.N {
			check(b, pointer.Restore(h).(*int) == x)
		}
		pointer.Unref(h)
	})
	b.Run("table=cl600875", func(b *testing.B) {
		h := reference.New(x)
		for range b.N {
			check(b, reference.Value(h).(*int) == x)
		}
		reference.Delete(h)
	})
}

// tables are for work that costs more than a call through a func.
var tables = []struct {
	name   string
	new    func(any) uintptr
	value  func(uintptr) any
	delete func(uintptr)
}{
	{"wherry", wherry{}.New, wherry{}.Value, wherry{}.Delete},
	{"cgo", Cgo{}.New, Cgo{}.Value, Cgo{}.Delete},
	{"go-pointer", GoPointer{}.New, GoPointer{}.Value, GoPointer{}.Delete},
	{"cl600875", CL600875{}.New, CL600875{}.Value, CL600875{}.Delete},
}

// BenchmarkParallel runs cycles on workers=N goroutines. Its ns/op are those
// of one processor: each does b.N cycles. cpu-ns/op is processor time, of all.
func BenchmarkParallel(b *testing.B) {
	p := runtime.GOMAXPROCS(0)
	for _, workers := range []int{1, p, 16 * p} {
		for _, t := range cycles {
			b.Run(fmt.Sprintf("workers=%d/table=%s", workers, t.name), func(b *testing.B) {
				var wg sync.WaitGroup
				n := max(1, b.N*min(workers, p)/workers)
				before := cpuTime()
				for range workers {
					wg.Add(1)
					go func() { defer wg.Done(); t.run(b, new(int), n) }()
				}
				wg.Wait()
				b.ReportMetric(float64(cpuTime()-before)/float64(n*workers), "cpu-ns/op")
			})
		}
	}
}

// BenchmarkHandOver creates handles on one goroutine and reads and deletes
// them on another, in batches of 128.
func BenchmarkHandOver(b *testing.B) {
	for _, t := range tables {
		b.Run("table="+t.name, func(b *testing.B) {
			full, empty := make(chan []uintptr, 8), make(chan []uintptr, 8)
			for range cap(empty) {
				empty <- make([]uintptr, 128)
			}
			x := new(int)
			go func() {
				for n := 0; n < b.N; {
					hs := <-empty
					for i := range hs {
						hs[i] = t.new(x)
					}
					n += len(hs)
					full <- hs
				}
				close(full)
			}()
			for hs := range full {
				for _, h := range hs {
					check(b, t.value(h).(*int) == x)
					t.delete(h)
				}
				empty <- hs
			}
		})
	}
}

// BenchmarkMillion has a million live handles, and replaces random ones. Bytes
// are those of the first fill, as the tables keep their memory.
func BenchmarkMillion(b *testing.B) {
	const live = 1_000_000
	replace := map[string]func(b *testing.B, rnd *rand.Rand, hs []uintptr, values []int){
		"wherry": func(b *testing.B, rnd *rand.Rand, hs []uintptr, values []int) {
			for range b.N {
				i := rnd.IntN(live)
				handle.Handle(hs[i]).Delete()
				h := handle.NewHandle(&values[i])
				check(b, h.Value().(*int) == &values[i])
				hs[i] = uintptr(h)
			}
		},
		"cgo": func(b *testing.B, rnd *rand.Rand, hs []uintptr, values []int) {
			for range b.N {
				i := rnd.IntN(live)
				cgo.Handle(hs[i]).Delete()
				h := cgo.NewHandle(&values[i])
				check(b, h.Value().(*int) == &values[i])
				hs[i] = uintptr(h)
			}
		},
		"go-pointer": func(b *testing.B, rnd *rand.Rand, hs []uintptr, values []int) {
			for range b.N {
				i := rnd.IntN(live)
				GoPointer{}.Delete(hs[i])
				h := pointer.Save(&values[i])
				check(b, pointer.Restore(h).(*int) == &values[i])
				hs[i] = uintptr(h)
			}
		},
		"cl600875": func(b *testing.B, rnd *rand.Rand, hs []uintptr, values []int) {
			for range b.N {
				i := rnd.IntN(live)
				reference.Delete(hs[i])
				h := reference.New(&values[i])
				check(b, reference.Value(h).(*int) == &values[i])
				hs[i] = h
			}
		},
	}
	for _, t := range tables {
		bytes := 0.0
		b.Run("table="+t.name, func(b *testing.B) {
			values := make([]int, live)
			hs := make([]uintptr, live)
			runtime.GC()
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			for i := range hs {
				hs[i] = t.new(&values[i])
			}
			runtime.GC()
			runtime.ReadMemStats(&after)
			if bytes == 0 {
				bytes = float64(after.HeapAlloc-before.HeapAlloc) / live
			}
			rnd := rand.New(rand.NewPCG(1, 2))
			b.ResetTimer()
			replace[t.name](b, rnd, hs, values)
			b.StopTimer()
			b.ReportMetric(bytes, "B/handle")
			for _, h := range hs {
				t.delete(h)
			}
		})
	}
}

// cpuTime is what all threads of this process have used. On a machine that
// others use too it says more about two goroutines than the clock on the wall.
func cpuTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
