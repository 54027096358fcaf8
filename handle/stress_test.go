package handle_test

import (
	"errors"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/wherrygo/wherry/handle"
)

// hammer runs f on n goroutines that start at once, on half as many Ps.
func hammer(t *testing.T, n int, f func(id int)) {
	t.Helper()
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(max(2, n/2)))
	var wg sync.WaitGroup
	start := make(chan bool)
	for id := range n {
		wg.Add(1)
		go func() {
			defer wg.Done()
			<-start
			f(id)
		}()
	}
	close(start)
	wg.Wait()
}

type owned struct{ owner, n int }

// TestStress has goroutines that create, read, hand over and delete handles,
// while others use old and invented ones.
func TestStress(t *testing.T) {
	n := 100_000
	if testing.Short() {
		n = 5_000
	}
	handle.LeakCheck(t)
	var stale atomic.Pointer[[256]atomic.Uintptr]
	stale.Store(new([256]atomic.Uintptr))
	passed := make(chan handle.Handle, 64)
	var issued, misuses, found atomic.Int64

	// The world is stopped and Ps come and go, with the slots that they have.
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	var end atomic.Bool
	var storm sync.WaitGroup
	storm.Add(1)
	go func() {
		defer storm.Done()
		var stats runtime.MemStats
		for n := 0; !end.Load(); n++ {
			runtime.ReadMemStats(&stats)
			runtime.GOMAXPROCS(1 + n%8)
			time.Sleep(100 * time.Microsecond)
		}
	}()
	hammer(t, 8, func(id int) {
		var mine []handle.Handle
		for i := range n {
			switch {
			case id == 7: // misuse
				h := handle.Handle(stale.Load()[i%256].Load())
				if i%3 == 0 {
					h ^= 1 << (i % 28)
				}
				if v, ok := h.Lookup(); ok {
					// Only a flipped bit can lead to a live handle, or an old
					// one that its owner has not deleted yet.
					found.Add(1)
					if v.(owned).n < 0 {
						t.Errorf("%#x has a value that nobody gave", h)
					}
				} else {
					misuses.Add(1)
				}
			case i%4 != 3:
				h := handle.NewHandle(owned{id, i})
				issued.Add(1)
				mine = append(mine, h)
			default:
				for _, h := range mine {
					if v := h.Value().(owned); v.owner != id || v.n > i {
						t.Errorf("goroutine %d has %v", id, v)
					}
				}
				select {
				case passed <- mine[0]: // to be deleted elsewhere
				case h := <-passed:
					h.Value()
					h.Delete()
					stale.Load()[i%256].Store(uintptr(h))
					mine[0].Delete()
				}
				for _, h := range mine[1:] {
					h.Delete()
					stale.Load()[(i+id)%256].Store(uintptr(h))
					if e := panicOf(h.Delete); !errors.Is(e, handle.ErrDeleted) {
						t.Errorf("second Delete of %#x: %v", h, e)
					}
				}
				mine = mine[:0]
			}
		}
		for _, h := range mine {
			h.Delete()
		}
	})
	end.Store(true)
	storm.Wait()
	close(passed)
	for h := range passed {
		h.Delete()
	}
	if p := handle.CheckLists(); p != "" {
		t.Error(p)
	}
	t.Logf("%d handles, %d misuses, %d finds", issued.Load(), misuses.Load(), found.Load())
}

func panicOf(f func()) (e error) {
	defer func() { e, _ = recover().(error) }()
	f()
	return nil
}

// TestStaleReadersStress is TestStaleReaders of interleave_test.go on real
// threads: readers keep handles that writers delete and replace.
func TestStaleReadersStress(t *testing.T) {
	n := 300_000
	if testing.Short() {
		n = 20_000
	}
	var current atomic.Uintptr
	var values sync.Map // handle to its value
	h := handle.NewHandle(-1)
	values.Store(h, -1)
	current.Store(uintptr(h))
	var end atomic.Bool
	var hits atomic.Int64

	hammer(t, 4, func(id int) {
		switch id {
		case 0: // the writer
			for i := 0; i < n || hits.Load() == 0 && i < 1000*n; i++ {
				old := handle.Handle(current.Load())
				old.Delete()
				h := handle.NewHandle(i)
				if i%64 == 0 {
					values.Clear()
				}
				values.Store(h, i)
				current.Store(uintptr(h))
			}
			end.Store(true)
		default:
			for !end.Load() {
				h := handle.Handle(current.Load())
				want, known := values.Load(h)
				for range 20 {
					got, ok := h.Lookup()
					if ok && known && got != want {
						t.Errorf("%#x is %v, want %v", h, got, want)
						return
					}
					if ok && known {
						hits.Add(1)
					}
				}
			}
		}
	})
	handle.Handle(current.Load()).Delete()
	if hits.Load() == 0 {
		t.Error("no reader found a value")
	}
}

// TestOneDeleteWins races Deletes of one handle.
func TestOneDeleteWins(t *testing.T) {
	n := 20_000
	if testing.Short() {
		n = 1_000
	}
	var h [4]handle.Handle
	for i := range h {
		h[i] = handle.NewHandle(i)
	}
	var wins atomic.Int64
	for range n {
		x := handle.NewHandle(0)
		var wg sync.WaitGroup
		for range 2 {
			wg.Add(1)
			go func() {
				defer wg.Done()
				if panicOf(x.Delete) == nil {
					wins.Add(1)
				}
			}()
		}
		wg.Wait()
	}
	if wins.Load() != int64(n) {
		t.Errorf("%d of %d handles were deleted", wins.Load(), n)
	}
	for i := range h {
		if h[i].Value() != i {
			t.Error("another handle changed")
		}
		h[i].Delete()
	}
	if p := handle.CheckLists(); p != "" {
		t.Error(p)
	}
}

// TestSlotsDoNotPileUp creates on one goroutine and deletes on another. The
// table must not grow with the handles that pass.
func TestSlotsDoNotPileUp(t *testing.T) {
	const inFlight = 16
	n := 2_000
	if testing.Short() {
		n = 200
	}
	before, _ := handle.Slots()
	batches := make(chan []handle.Handle, inFlight)
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		runtime.LockOSThread()
		for hs := range batches {
			for _, h := range hs {
				h.Delete()
			}
		}
	}()
	for range n {
		hs := make([]handle.Handle, handle.Batch)
		for i := range hs {
			hs[i] = handle.NewHandle(i)
		}
		batches <- hs
	}
	close(batches)
	wg.Wait()

	used, retired := handle.Slots()
	places := runtime.GOMAXPROCS(0)
	if !handle.Pinned {
		places = 64
	}
	limit := before + handle.Batch*(inFlight+3+5*places) + retired
	if used > limit {
		t.Errorf("%d slots after %d handles, want at most %d", used, n*handle.Batch, limit)
	}
}

// TestSharedListIsRarelyUsed counts what goes over the shared list.
func TestSharedListIsRarelyUsed(t *testing.T) {
	if !handle.Pinned || handle.Generations < 1000 {
		t.Skip("this build has no locals of a P, or retires slots all the time")
	}
	const n = 200_000
	before := handle.Moves()
	hammer(t, 4, func(int) {
		for range n {
			h := handle.NewHandle(nil)
			h.Delete()
		}
		var waves [handle.Batch]handle.Handle // both lists of a local are needed for these
		for round := range n / len(waves) {
			wave := waves[:1+round%len(waves)]
			for i := range wave {
				wave[i] = handle.NewHandle(nil)
			}
			for _, h := range wave {
				h.Delete()
			}
		}
	})
	// A goroutine that moves to another P in the middle of a cycle takes a
	// slot along; only then a batch may have to move, now and then.
	if moves := handle.Moves() - before; moves > 100 {
		t.Errorf("%d batches moved in %d cycles", moves, 4*n)
	}
}
