//go:build linux && cgo && (amd64 || arm64)

package event

import (
	"context"
	"math/rand/v2"
	"runtime"
	"testing"
	"time"

	"github.com/wherrygo/wherry/event/internal/cthread"
)

// taken is how many lanes threads have taken.
func (q *Queue) taken() (n int) {
	for i := range q.header.threads {
		if q.header.threads[i].Load() != 0 {
			n++
		}
	}
	return n
}

// Each thread has a lane for itself while there are any, and later ones share the
// ring beside them, which stops none of the first when it is full.
func TestLanes(t *testing.T) {
	for range 20 {
		testLanes(t)
	}
}

func testLanes(t *testing.T) {
	const lanes, capacity = 4, 8
	q := newQueue(t, Options{Capacity: capacity, Lanes: lanes})
	var threads []*cthread.Victim
	// Other threads leave gaps between the memory of these, of which a thread's
	// first choice is made: so several choose the same lane first.
	other := newQueue(t, Options{Capacity: 64})
	var gaps []*cthread.Victim
	defer func() {
		for _, v := range gaps {
			v.Go()
			v.Wait()
		}
	}()
	for i := range lanes { // all alive at once, so that each has memory of its own
		for range rand.IntN(5) {
			v, _ := cthread.NewVictim(other.Pointer(), 0, 0, 0, cthread.Stay, 0)
			gaps = append(gaps, v)
		}
		v, stopped := cthread.NewVictim(q.Pointer(), i, 0, 0, cthread.Stay, 0)
		if !stopped {
			t.Fatal("the thread did not stop")
		}
		threads = append(threads, v)
		if got := q.taken(); got != i+1 {
			t.Fatalf("%d threads have %d lanes", i+1, got)
		}
	}
	// A fifth fills the shared ring, and no lane.
	r := cthread.Start(q.Pointer(), cthread.Job{Producer: lanes, Count: 100}).Wait()
	if r.Posted != capacity || r.Full != 100-capacity {
		t.Errorf("the fifth thread: %+v", r)
	}
	full := 0
	for _, v := range threads {
		v.Go()
		if v.Wait() == cthread.Full {
			full++
		}
	}
	if full != 0 {
		t.Errorf("%d of the first threads found their lanes full", full)
	}
	want := uint64(capacity + lanes)
	if s := q.Stats(); s.Posted != want || s.HighWater != capacity {
		t.Errorf("got %+v", s)
	}
	q.Close()
	c := newChecker(lanes+1, true)
	for e := range q.Events(t.Context()) {
		c.check(t, e)
	}
	if c.total != want {
		t.Errorf("%d received, want %d", c.total, want)
	}
}

// What a thread posts before its id is known goes to the shared ring, and comes
// before what it posts in its lane, whichever the receiver looks at first.
func TestSharedBeforeLane(t *testing.T) {
	for round := range uint64(8) {
		q := newQueue(t, Options{Capacity: 32, Lanes: 1})
		const early, count = 30, 50
		if r := cthread.Start(q.Pointer(), cthread.Job{Count: count, Early: early}).Wait(); r.Posted != count {
			t.Fatalf("got %+v", r)
		}
		if n := q.shared.tail.Load(); n != early {
			t.Fatalf("%d records in the shared ring, want %d", n, early)
		}
		q.turn = int(round % 2)
		c := newChecker(1, false)
		for e := range q.Events(t.Context()) {
			if c.check(t, e); c.total == count {
				break
			}
		}
	}
}

// A thread keeps the address of its lane. In a new queue at the address of one that
// is gone the lane may be another thread's.
func TestLaneOfFormerQueue(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	options := Options{Capacity: 64, Lanes: 1}
	former, err := New(options)
	if err != nil {
		t.Fatal(err)
	}
	at := former.Pointer()
	if result := post(former, 1, "x"); result != 0 || former.sides[1].tail.Load() != 64+1 {
		t.Fatalf("a post returned %d, and its lane has %d records", result, former.sides[1].tail.Load()-64)
	}
	former.Close()
	if err := former.Free(); err != nil {
		t.Fatal(err)
	}
	q := newQueue(t, options)
	if q.Pointer() != at {
		t.Skipf("the new queue lies at %p, not at %p", q.Pointer(), at)
	}
	const count = 20
	if r := cthread.Start(q.Pointer(), cthread.Job{Count: count}).Wait(); r.Posted != count {
		t.Fatalf("got %+v", r)
	}
	if result := post(q, 1<<48, "x"); result != 0 {
		t.Fatalf("a post returned %d", result)
	}
	if lane, shared := q.sides[1].tail.Load(), q.shared.tail.Load(); lane != 64+count || shared != 1 {
		t.Errorf("%d records in the other thread's lane, %d in the shared ring, want %d and 1", lane-64, shared, count)
	}
}

// Where the kernel has no membarrier, threads have the barrier themselves.
func TestWithoutMembarrier(t *testing.T) {
	defer func(can func() bool) { canOrder = can }(canOrder)
	canOrder = func() bool { return false }
	q := newQueue(t, Options{Full: Wait})
	if q.header.sleep.Load() != fence {
		t.Error("threads do not know")
	}
	const count = 20000
	started := make(chan *cthread.Thread, 1)
	go func() {
		for q.header.sleep.Load()&asleep == 0 { // the first post has to wake the receiver
			time.Sleep(time.Millisecond)
		}
		started <- cthread.Start(q.Pointer(), cthread.Job{Count: count, Pause: 100})
	}()
	c := newChecker(1, false)
	for e := range q.Events(t.Context()) {
		if c.check(t, e); c.total == count {
			break
		}
	}
	if r := (<-started).Wait(); r.Posted != count || q.Stats().WakeUps == 0 {
		t.Errorf("got %+v, %+v", r, q.Stats())
	}
}

// A post to any lane wakes the receiver, and a slow or dead thread in one lane
// is looked after although others are busy.
func TestLanesAreAllServed(t *testing.T) {
	q := newQueue(t, Options{Capacity: 64, Lanes: 4, Full: Wait})
	got := Chan(t.Context(), q, 0, Event.Clone)
	busy := cthread.Start(q.Pointer(), cthread.Job{Producer: 0, Count: 1 << 40})
	dead, held := cthread.NewVictim(q.Pointer(), 1, 0, 3, cthread.Exit, 0)
	if dead.Wait(); !held {
		t.Fatal("the thread did not stop")
	}
	slow, _ := cthread.NewVictim(q.Pointer(), 2, 0, 3, cthread.Stay, 0)
	late := make(chan cthread.Result, 1)
	go func() {
		time.Sleep(20 * time.Millisecond)
		slow.Go()
		slow.Wait()
		late <- cthread.Start(q.Pointer(), cthread.Job{Producer: 3, Count: 1000}).Wait()
	}()
	seen := map[int]int{}
	deadline := time.After(time.Minute)
	for seen[2] < 1 || seen[3] < 1000 {
		select {
		case e := <-got:
			producer, _, err := cthread.Parse(e.Tag, e.Data)
			if err != nil {
				t.Fatal(err)
			}
			seen[producer]++
		case <-deadline:
			t.Fatalf("received %v, %+v", seen, q.Stats())
		}
	}
	if r := <-late; r.Posted != 1000 {
		t.Errorf("got %+v", r)
	}
	q.Close()
	for range got {
	}
	if r := busy.Wait(); r.Other != 1 {
		t.Errorf("got %+v", r)
	}
	if s := q.Stats(); s.Abandoned != 1 {
		t.Errorf("got %+v, want that the dead thread's cell was found", s)
	}
}

// A record that is posted after the receiver looked and before it says that it sleeps wakes nobody;
// the last look finds it, whichever lane's turn it is.
func TestPostBeforeSleep(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1)) // then there is no lingering
	defer func() { beforeSleep = func() {} }()
	const lanes = 4
	q := newQueue(t, Options{Lanes: lanes})
	runtime.LockOSThread() // one thread, one lane
	defer runtime.UnlockOSThread()
	for turn := range lanes {
		q.turn = turn
		posted := false
		beforeSleep = func() {
			if !posted {
				posted = true
				post(q, uint64(turn), "x")
			}
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		if events, err := q.Batch(ctx); err != nil || len(events) != 1 || events[0].Tag != uint64(turn) {
			t.Errorf("turn %d: got %v, %v", turn, events, err)
		}
		if s := q.Stats(); s.WakeUps != 0 {
			t.Errorf("turn %d: got %+v, want no wake-up", turn, s)
		}
		cancel()
	}
}
