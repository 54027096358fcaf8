//go:build linux && cgo && (amd64 || arm64)

package event

import (
	"context"
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"
	"time"

	"github.com/wherrygo/wherry/event/internal/cthread"
)

// A checker sees what comes out: each producer's numbers rise, by one unless
// records may be missing, and every byte is the one that was posted.
type checker struct {
	next  []uint64
	gaps  bool
	total uint64
}

func newChecker(producers int, gaps bool) *checker {
	return &checker{next: make([]uint64, producers), gaps: gaps}
}

func (c *checker) check(t *testing.T, e Event) {
	producer, number, err := cthread.Parse(e.Tag, e.Data)
	switch {
	case err != nil:
		t.Fatal(err)
	case producer >= len(c.next):
		t.Fatalf("there is no producer %d", producer)
	case number < c.next[producer]:
		t.Fatalf("producer %d: record %d once more, or late; want %d", producer, number, c.next[producer])
	case number > c.next[producer] && !c.gaps:
		t.Fatalf("producer %d: records %d to %d are missing", producer, c.next[producer], number-1)
	}
	c.next[producer] = number + 1
	c.total++
}

// records is how many records a test posts: WHERRY_EVENT_RECORDS, by default few.
func records(t *testing.T, few uint64) uint64 {
	if text := os.Getenv("WHERRY_EVENT_RECORDS"); text != "" {
		n, err := strconv.ParseUint(text, 10, 64)
		if err != nil {
			t.Fatalf("WHERRY_EVENT_RECORDS: %v", err)
		}
		return n
	}
	if testing.Short() {
		return few / 10
	}
	return few
}

// Eight producers, random sizes and pauses, a ring that is full most of the
// time, receivers that come and go: nothing lost, nothing twice, order kept.
func TestSequence(t *testing.T) {
	const producers = 8
	for _, test := range []struct {
		name    string
		options Options
		again   bool
		flags   uint
	}{
		{"drop", Options{Lanes: -1, Capacity: 64, MaxSize: 300}, true, 0},
		{"drop-and-count", Options{Lanes: -1, Capacity: 64, MaxSize: 300}, false, 0},
		{"drop-two-cells", Options{Lanes: -1, Capacity: 2, MaxSize: 300}, true, 0},
		{"drop-large", Options{Lanes: -1, Capacity: 1 << 14, MaxSize: 300}, true, 0},
		{"nowake", Options{Lanes: -1, Capacity: 64, MaxSize: 300, Poll: time.Millisecond}, true, cthread.NoWake},
		{"overwrite", Options{Lanes: -1, Capacity: 64, MaxSize: 300, Full: Overwrite}, true, 0},
		{"overwrite-two-cells", Options{Lanes: -1, Capacity: 2, MaxSize: 300, Full: Overwrite}, true, 0},
		{"wait", Options{Lanes: -1, Capacity: 64, MaxSize: 300, Full: Wait}, false, 0},
		{"wait-two-cells", Options{Lanes: -1, Capacity: 2, MaxSize: 300, Full: Wait}, false, 0},
		{"drop-lanes", Options{Capacity: 64, MaxSize: 300, Lanes: 8}, true, 0},
		{"lanes-and-count", Options{Capacity: 64, MaxSize: 300}, false, 0},
		{"lanes-nowake", Options{Capacity: 64, MaxSize: 300, Poll: time.Millisecond, Lanes: 4}, true, cthread.NoWake},
		{"lanes-two-cells", Options{Capacity: 2, MaxSize: 300, Lanes: 4}, true, 0},
		{"lanes-large", Options{Capacity: 1 << 14, MaxSize: 300, Timestamps: true}, true, 0},
		{"wait-lanes", Options{Capacity: 64, MaxSize: 300, Full: Wait, Lanes: 2}, false, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			n := records(t, 300_000) / producers
			if test.flags != 0 || test.options.Capacity == 2 && test.options.Full == Wait {
				n /= 10 // the timer's pace; the scheduler's
			}
			q := newQueue(t, test.options)
			mayMiss := test.options.Full == Overwrite || !test.again && test.options.Full == Drop
			c := newChecker(producers, mayMiss)
			var threads []*cthread.Thread
			for i := range producers {
				threads = append(threads, cthread.Start(q.Pointer(), cthread.Job{
					Producer: i, Count: n, Max: 300, Pause: 20000, Again: test.again, Flags: test.flags,
				}))
			}
			done := make(chan uint64)
			var results cthread.Result
			go func() {
				for _, thread := range threads {
					r := thread.Wait()
					results.Posted += r.Posted
					results.Full += r.Full
					results.Other += r.Other + r.Errno
				}
				q.Close()
				close(done)
			}()
			for receiver := 0; !c.receive(t, q, receiver); receiver++ {
			}
			<-done
			s := q.Stats()
			t.Logf("%d received, %+v", c.total, s)
			if test.flags == cthread.NoWake && s.WakeUps != 0 {
				t.Errorf("%d wake-ups, want none", s.WakeUps)
			}
			if results.Other != 0 {
				t.Errorf("%d posts failed otherwise, or changed errno", results.Other)
			}
			if c.total+s.Overwritten != results.Posted || s.Posted != results.Posted ||
				s.Received != c.total || s.Dropped != results.Full || s.Abandoned != 0 {
				t.Errorf("%d received, threads say %+v, Stats %+v", c.total, results, s)
			}
			if !mayMiss && results.Posted != n*producers {
				t.Errorf("%d posted, want %d", results.Posted, n*producers)
			}
		})
	}
}

// age makes a queue look as if each lane had taken so many records.
func (q *Queue) age(position uint64) {
	for _, side := range q.sides {
		r := side.ring
		r.limit.Store(position)
		r.tail.Store(position)
		r.head.Store(position)
		side.scan = position
		side.scanned.Store(position)
		r.space.Store(math.MaxUint32)
		for i := range r.mask + 1 {
			state := r.freeFrom(i, position)
			if side.lane { // consumed in the lap before
				state = state - 1<<lapShift | ready
			}
			r.cell(i).state.Store(state)
		}
	}
}

// Laps count modulo 2^39: a ring of two is there after 2^40 records.
func TestLapsWrap(t *testing.T) {
	n := records(t, 3_000)
	for _, mode := range []Full{Drop, Overwrite, Wait} {
		for _, capacity := range []int{2, 64} {
			for i, before := range []uint64{0, 1, 5, 1000, 0, 5} { // records before the end
				lanes := i/4*2 - 1
				t.Run(fmt.Sprintf("mode=%d,cells=%d,lanes=%d,before=%d", mode, capacity, lanes, before), func(t *testing.T) {
					q := newQueue(t, Options{Capacity: capacity, Full: mode, Lanes: lanes})
					q.age((1<<39)<<q.header.shift - before)
					q.stammers(t, mode, n)
				})
			}
		}
	}
}

// Close asks for the lap before the first one, in which nothing was taken yet.
func TestLapBeforeTheFirst(t *testing.T) {
	for cells := uint64(minCapacity); cells <= maxCapacity; cells *= 2 {
		r := ring{header: &header{mask: cells - 1, shift: uint32(bits.TrailingZeros64(cells))}}
		if laps := int64(r.lap(0) - r.lap(-cells)); laps != 1<<lapShift {
			t.Errorf("%d cells: %d laps before the first, want 1", cells, laps>>lapShift)
		}
	}
}

// receive is one of many receivers, each with its own way; it reports whether
// the queue is closed.
func (c *checker) receive(t *testing.T, q *Queue, i int) bool {
	limit := rand.IntN(20000)
	switch i % 3 {
	case 0:
		for e := range q.Events(t.Context()) {
			c.check(t, e)
			if limit--; limit < 0 {
				return false
			}
		}
		return true
	case 1:
		for ; limit > 0; limit -= 100 {
			events, err := q.Batch(t.Context())
			if err != nil {
				return err == ErrClosed
			}
			for _, e := range events {
				c.check(t, e)
			}
		}
		return false
	default:
		ctx, cancel := context.WithTimeout(t.Context(), time.Duration(rand.IntN(2000))*time.Microsecond)
		defer cancel()
		for e := range q.Events(ctx) {
			c.check(t, e)
		}
		return q.finished.Load()
	}
}

// Threads pause in mid-post for as long as the receiver waits before it goes
// past: their records are late, and still come before those they post next.
func TestStammer(t *testing.T) {
	n := records(t, 300_000)
	for i, mode := range []Full{Drop, Wait, Overwrite, Drop, Wait, Overwrite} {
		lanes := []int{-1, 2}[i/3]
		t.Run(fmt.Sprintf("%d,lanes=%d", mode, lanes), func(t *testing.T) {
			newQueue(t, Options{Capacity: 64, Full: mode, Lanes: lanes}).stammers(t, mode, n)
		})
	}
}

// stammers has three threads post n records that pause in mid-post: all are received.
func (q *Queue) stammers(t *testing.T, mode Full, n uint64) {
	t.Helper()
	const producers = 3
	n /= producers
	var threads []*cthread.Thread
	for i := range producers {
		threads = append(threads, cthread.Start(q.Pointer(), cthread.Job{Producer: i, Count: n, Stammer: true}))
	}
	results := make(chan cthread.Result, producers)
	go func() {
		for _, thread := range threads {
			results <- thread.Wait()
		}
		q.Close()
	}()
	c := newChecker(producers, mode == Overwrite)
	for e := range q.Events(t.Context()) {
		c.check(t, e)
	}
	for range producers {
		if r := <-results; r.Posted != n || r.Other != 0 {
			t.Errorf("got %+v, want %d posted", r, n)
		}
	}
	if s := q.Stats(); c.total+s.Overwritten != n*producers || s.Abandoned != 0 {
		t.Errorf("%d received, want %d, %+v", c.total, n*producers, s)
	}
}

// A signal handler posts, also while it interrupts a post of its own thread.
func TestSignalHandlerPosts(t *testing.T) {
	for i, mode := range []Full{Drop, Drop, Overwrite, Overwrite, Wait, Wait} {
		t.Run(fmt.Sprint(mode), func(t *testing.T) {
			q := newQueue(t, Options{Capacity: 32, Full: mode, Lanes: []int{-1, 0}[i%2]})
			handled := 20000
			if testing.Short() {
				handled = 2000
			}
			var threads []*cthread.Thread
			for i := range 2 {
				threads = append(threads, cthread.Start(q.Pointer(), cthread.Job{Producer: 2 * i, Max: 64, Again: true, Signals: handled}))
			}
			var posted uint64
			go func() {
				for _, thread := range threads {
					r := thread.Wait()
					posted += r.Posted
					if r.Other != 0 || r.Errno != 0 {
						t.Errorf("got %+v", r)
					}
				}
				q.Close()
			}()
			c := newChecker(4, mode == Overwrite)
			for e := range q.Events(t.Context()) {
				c.check(t, e)
			}
			if s := q.Stats(); posted != c.total+s.Overwritten || c.next[1] == 0 || c.next[3] == 0 {
				t.Errorf("%d posted, %d received, %v, %+v", posted, c.total, c.next, s)
			}
			t.Logf("records of threads and their handlers: %v", c.next)
		})
	}
}
