//go:build linux && (amd64 || arm64) && cgo

package callback_test

import (
	"bytes"
	"math/rand/v2"
	"os"
	"runtime"
	"runtime/pprof"
	"sync"
	"testing"
	"time"

	"github.com/wherrygo/wherry/callback"
	"github.com/wherrygo/wherry/callback/internal/cexample"
)

// storm stops the world over and over and changes the number of processors, until
// the func that it gives is called.
func storm() (end func()) {
	procs := runtime.GOMAXPROCS(0)
	stop, done := make(chan bool), make(chan bool)
	go func() {
		defer close(done)
		var stats runtime.MemStats
		for n := 0; ; n++ {
			select {
			case <-stop:
				runtime.GOMAXPROCS(procs)
				return
			case <-time.After(20 * time.Microsecond):
				runtime.ReadMemStats(&stats)
				if n%100 == 0 {
					runtime.GOMAXPROCS(1 + rand.IntN(8))
				}
			}
		}
	}()
	return func() { close(stop); <-done }
}

// Callbacks that do all that Go may do, on many goroutines, with the collector
// and the profiler at work. WHERRY_STRESS sets how long.
func TestStress(t *testing.T) {
	limit := 3 * time.Second
	if text := os.Getenv("WHERRY_STRESS"); text != "" {
		var err error
		if limit, err = time.ParseDuration(text); err != nil {
			t.Fatal(err)
		}
	}
	var profile bytes.Buffer
	if err := pprof.StartCPUProfile(&profile); err != nil {
		t.Fatal(err)
	}
	defer pprof.StopCPUProfile()
	defer storm()()
	end := time.Now().Add(limit)
	var wg sync.WaitGroup
	for w := range 8 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			random := rand.New(rand.NewPCG(uint64(w), 1))
			for time.Now().Before(end) && !t.Failed() {
				done := make(chan bool)
				go func() { // on a small stack
					defer close(done)
					kept := make([]*int64, 10)
					f := func(x int64) int64 {
						p := new(int64)
						*p = x
						kept[x%10] = p
						switch random.IntN(300) {
						case 0:
							grow(random.IntN(200))
						case 1:
							runtime.GC()
						case 2:
							time.Sleep(time.Microsecond)
						case 3:
							runtime.Gosched()
						case 4:
							runtime.Stack(make([]byte, 2000), random.IntN(10) == 0)
						case 5:
							if random.IntN(5) == 0 {
								panic("out")
							}
						}
						return *kept[x%10]
					}
					c, err := callback.New(f)
					if err != nil {
						t.Error(err)
						return
					}
					defer c.Release()
					defer func() { recover() }()
					if got := apply(c.Pointer(), 200); got != 19900 {
						t.Errorf("got %d, want 19900", got)
					}
					if random.IntN(20) == 0 {
						// No panics out of a C thread.
						calm, _ := callback.New(func(x int64) int64 { grow(int(x)); return x })
						defer calm.Release()
						if got := cexample.OnThread(calm.Pointer(), 10); got != 45 {
							t.Errorf("thread: got %d, want 45", got)
						}
					}
				}()
				<-done
			}
		}()
	}
	wg.Wait()
}

func BenchmarkReentrant(b *testing.B) {
	f := made(b, func(x int64) int64 { return 2 * x })
	b.ResetTimer()
	apply(f, int64(b.N))
}

func BenchmarkCgo(b *testing.B) {
	f := made(b, func(x int64) int64 { return 2 * x })
	b.ResetTimer()
	cexample.Apply(f, int64(b.N))
}

func BenchmarkNewAndRelease(b *testing.B) {
	for b.Loop() {
		c, _ := callback.New(func(x int64) int64 { return x })
		c.Release()
	}
}
