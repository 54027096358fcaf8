//go:build linux && cgo && (amd64 || arm64)

package event

import (
	"fmt"
	"testing"
	"time"

	"github.com/wherrygo/wherry/event/internal/cthread"
)

// manySteps is more than a post has steps.
const manySteps = 12

// Threads end before every step of a post, four times as many as the ring has
// cells. The others go on; at most the record in hand is lost.
func TestThreadsEndInMidPost(t *testing.T) {
	for i, mode := range []Full{Drop, Overwrite, Wait, Drop, Wait} {
		for _, how := range []int{cthread.Exit, cthread.Cancel} {
			lanes := []int{-1, 2}[i/3]
			t.Run(fmt.Sprintf("mode=%d,how=%d,lanes=%d", mode, how, lanes), func(t *testing.T) {
				q := newQueue(t, Options{Capacity: 4, Full: mode, Lanes: lanes})
				got := Chan(t.Context(), q, 100, Event.Clone)
				died := 0
				for round := range 4 * 4 {
					for step := range manySteps {
						number := uint64(round*manySteps + step)
						v, stopped := cthread.NewVictim(q.Pointer(), 1, number, step, how, 0)
						v.Wait()
						if stopped {
							died++
						}
						// A survivor's record comes through, and the victim's if it was complete.
						for result := cthread.Full; result != 0; {
							if result = post(q, number, "survivor"); result != 0 && result != cthread.Full {
								t.Fatalf("round %d, step %d: post gives %d", round, step, result)
							}
						}
						for {
							e, ok := receive(t, got)
							if !ok {
								t.Fatalf("round %d, step %d: the queue is wedged: %+v", round, step, q.Stats())
							}
							if string(e.Data) == "survivor" {
								if e.Tag != number {
									t.Fatalf("got survivor %d, want %d", e.Tag, number)
								}
								break
							}
							if _, n, err := cthread.Parse(e.Tag, e.Data); err != nil || n != number && lanes < 0 || n > number {
								t.Fatalf("round %d, step %d: got record %d, %v", round, step, n, err)
							}
						}
					}
				}
				s := q.Stats()
				if died < 16*4 || s.Abandoned < 4*4 {
					t.Errorf("%d threads ended in mid-post, %+v", died, s)
				}
				t.Logf("%d threads ended in mid-post, %+v", died, s)
			})
		}
	}
}

func receive(t *testing.T, c <-chan Event) (Event, bool) {
	select {
	case e := <-c:
		return e, true
	case <-time.After(time.Minute): // a busy machine takes seconds
		return Event{}, false
	}
}

// Every cell is taken by a thread that is gone before anybody looks.
func TestAllCellsAbandoned(t *testing.T) {
	for _, mode := range []Full{Drop, Overwrite, Wait} {
		t.Run(fmt.Sprint(mode), func(t *testing.T) {
			q := newQueue(t, Options{Capacity: 4, Full: mode, Lanes: -1})
			for i := range 4 {
				for step := manySteps; ; step-- { // the last step before the record is ready
					full := q.shared.cell(uint64(i)).state.Load()&kindMask != free
					if full {
						break
					}
					v, _ := cthread.NewVictim(q.Pointer(), 1, 0, 3, cthread.Exit, 0)
					v.Wait()
				}
			}
			for i := range uint64(4) {
				if kind := q.shared.cell(i).state.Load() & kindMask; kind != writing {
					t.Fatalf("cell %d is %d", i, kind)
				}
			}
			if result := cthread.Post(q.Pointer(), 0, nil, 0, cthread.NoWait); result != cthread.Full {
				t.Errorf("a ring of dead threads' cells takes a record: %d", result)
			}
			got := Chan(t.Context(), q, 100, Event.Clone)
			result := make(chan int)
			go func() {
				r := cthread.Full
				for r == cthread.Full {
					r = post(q, 7, "x")
				}
				result <- r
			}()
			if e, ok := receive(t, got); !ok || e.Tag != 7 || <-result != 0 {
				t.Errorf("got %v, %v; %+v", e, ok, q.Stats())
			}
			// The last one when somebody posts behind it, the others when the kernel says that
			// their threads are gone, which may be after they were waited for.
			for deadline := time.Now().Add(10 * time.Second); q.Stats().Abandoned < 3; time.Sleep(time.Millisecond) {
				if time.Now().After(deadline) {
					t.Fatalf("got %+v", q.Stats())
				}
			}
		})
	}
}

// Threads end after they claimed a cell and before they moved the tail, until they
// hold every cell of the ring, and nobody else moves it: the next post does, and
// the receiver clears up.
func TestTailOfDeadThreads(t *testing.T) {
	for _, mode := range []Full{Drop, Overwrite} {
		q := newQueue(t, Options{Capacity: 4, Lanes: -1, Full: mode})
		Chan(t.Context(), q, 100, Event.Clone)
		for i := range 4 { // it looks at i cells that are taken, looks, claims
			v, stopped := cthread.NewVictim(q.Pointer(), 1, 0, i+2, cthread.Exit, 0)
			if v.Wait(); !stopped {
				t.Fatalf("thread %d did not stop", i)
			}
		}
		held := 0
		for i := range uint64(4) {
			if q.shared.cell(i).state.Load()&kindMask == writing && q.shared.tail.Load() == 0 {
				held++
			}
		}
		if held != 4 {
			t.Fatalf("mode %d: dead threads hold %d cells behind the tail, want 4", mode, held)
		}
		result := cthread.Full
		for start := time.Now(); result == cthread.Full && time.Since(start) < time.Minute; {
			v, _ := cthread.NewVictim(q.Pointer(), 1, 0, -1, cthread.Stay, 0) // a thread like those
			result = v.Wait()
		}
		if result != 0 {
			t.Errorf("mode %d: a post returned %d, %+v", mode, result, q.Stats())
		}
	}
}

// A thread that stops in mid-post, at any step, holds nobody up, and its record
// comes when it goes on, before what it posts next.
func TestSlowThread(t *testing.T) {
	for i, mode := range []Full{Drop, Overwrite, Wait, Drop} {
		lanes := []int{-1, 2}[i/3]
		for step := range manySteps {
			t.Run(fmt.Sprintf("mode=%d,step=%d,lanes=%d", mode, step, lanes), func(t *testing.T) {
				q := newQueue(t, Options{Capacity: 8, Full: mode, Lanes: lanes})
				got := Chan(t.Context(), q, 100, Event.Clone)
				v, _ := cthread.NewVictim(q.Pointer(), 1, 1, step, cthread.Stay, 0)
				seen := 0
				one := func(want uint64) {
					for {
						e, ok := receive(t, got)
						if !ok {
							t.Fatalf("record %d does not come: %+v", want, q.Stats())
						}
						if e.Tag>>48 == 1 {
							seen++
							continue
						}
						if e.Tag != want {
							t.Fatalf("got %#x, want %d", e.Tag, want)
						}
						return
					}
				}
				for i := range uint64(100) { // many laps
					for post(q, i, "x") == cthread.Full {
					}
					one(i)
				}
				v.Go()
				if result := v.Wait(); result != 0 {
					t.Errorf("the slow thread's post gives %d", result)
				}
				post(q, 100, "x")
				one(100)
				if seen == 0 && lanes > 0 { // lanes come in no order
					if e, ok := receive(t, got); ok && e.Tag>>48 == 1 {
						seen++
					}
				}
				if seen != 1 {
					t.Errorf("the slow thread's record came %d times", seen)
				}
				if s := q.Stats(); s.Abandoned != 0 || s.Received != 102 {
					t.Errorf("got %+v", s)
				}
			})
		}
	}
}

// A post that runs while the queue is closed and drained either comes through
// or returns an error; Close waits a while for one that has a cell.
func TestCloseInMidPost(t *testing.T) {
	defer func(d time.Duration) { closeWait = d }(closeWait)
	for step := range manySteps {
		for _, late := range []bool{false, true} {
			for _, lanes := range []int{-1, 4} {
				closeWait = time.Minute
				if late {
					closeWait = 20 * time.Millisecond
				}
				q := newQueue(t, Options{Capacity: 8, Lanes: lanes})
				v, _ := cthread.NewVictim(q.Pointer(), 1, 1, step, cthread.Stay, 0)
				held := false
				for _, side := range q.sides {
					held = held || side.cell(0).state.Load()&kindMask == writing ||
						side.lane && side.tail.Load() == 8+1 && !side.isRecord(side.cell(8).state.Load(), 8)
				}
				post(q, 0, "before")
				q.Close()
				told := make(chan struct{})
				if late {
					close(told)
				} else {
					go func() { time.Sleep(5 * time.Millisecond); v.Go(); close(told) }()
				}
				seen := 0
				for e := range q.Events(t.Context()) {
					if e.Tag != 0 {
						seen++
					}
				}
				<-told // Wait frees v
				v.Go()
				result := v.Wait()
				if (result == 0) != (seen == 1) || result != 0 && result != cthread.Closed {
					t.Errorf("step %d, %d lanes: the post gives %d, and its record came %d times", step, lanes, result, seen)
				}
				if held && (result != 0) != late {
					t.Errorf("step %d, %d lanes: a post with a cell gives %d, with Close waiting %v", step, lanes, result, closeWait)
				}
			}
		}
	}
}

// A post that goes on after Close has given up waiting for it says that its
// record is lost, also while the queue is still being taken out of use.
func TestPostOutlastsClose(t *testing.T) {
	defer func(d time.Duration) { closeWait = d }(closeWait)
	closeWait = time.Millisecond
	for i, mode := range []Full{Drop, Overwrite, Wait, Drop} {
		options := Options{Capacity: 8, Full: mode, Lanes: []int{-1, 1}[i/3]}
		q := newQueue(t, options)
		begun := func() bool {
			s := q.sides[len(q.sides)-1]
			return s.cell(0).state.Load()&kindMask == writing || s.lane && s.tail.Load() == 8+1
		}
		v, _ := cthread.NewVictim(q.Pointer(), 1, 1, 0, cthread.Stay, 0)
		for step := 1; !begun(); step++ {
			v.Go()
			v.Wait()
			q = newQueue(t, options)
			v, _ = cthread.NewVictim(q.Pointer(), 1, 1, step, cthread.Stay, 0)
		}
		q.header.wakers.Store(1) // so that taking it out of use takes 100 ms
		q.Close()
		result := make(chan int)
		go func() {
			for !q.finished.Load() {
				time.Sleep(time.Millisecond)
			}
			v.Go()
			result <- v.Wait()
		}()
		for range q.Events(t.Context()) {
			t.Errorf("mode %d: a record of a post that has not ended", mode)
		}
		if got := <-result; got != cthread.Closed {
			t.Errorf("mode %d: the post gives %d, and its record did not come", mode, got)
		}
		if s := q.Stats(); s != (Stats{HighWater: s.HighWater}) {
			t.Errorf("mode %d: got %+v, want that nothing was posted", mode, s)
		}
	}
}

// A thread that is about to write to the descriptor keeps it from being closed,
// and so from being another file's when it writes.
func TestCloseKeepsDescriptorOfThread(t *testing.T) {
	onWakers(t, func(t *testing.T) {
		for _, threads := range []int32{0, 1} {
			q := newQueue(t, Options{Capacity: 8})
			q.header.wakers.Store(threads)
			q.Close()
			for range q.Events(t.Context()) {
			}
			if err := q.waker.read.SetReadDeadline(time.Time{}); (err == nil) != (threads == 1) {
				t.Errorf("%d threads about to write: %v", threads, err)
			}
			q.header.wakers.Store(0)
		}
	})
}
