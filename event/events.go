package event

import (
	"bytes"
	"context"
	"errors"
	"iter"
	"slices"
	"sync/atomic"
	"time"
)

// An Event is a record as Go sees it.
type Event struct {
	Tag uint64
	// Data is the record, in the ring's own memory. It is valid in the body of
	// the loop over Events, or until the next Batch; use Clone to keep it.
	// Its address is a multiple of 8.
	Data []byte
}

// Clone returns an Event with a copy of Data.
func (e Event) Clone() Event {
	e.Data = bytes.Clone(e.Data)
	return e
}

// ErrReceiving is the error of Batch while another goroutine receives.
var ErrReceiving = errors.New("event: another goroutine is receiving from this queue")

// Events iterates over the records, those of each thread in the order in which
// it posted them. It waits for more until ctx is done or the queue is closed and
// all have been received; the waiting blocks the goroutine, not a thread. A
// loop that was left can be taken up again, by another goroutine too: the next
// record comes next. Only one goroutine may receive at a time: a second one
// panics.
func (q *Queue) Events(ctx context.Context) iter.Seq[Event] {
	return func(yield func(Event) bool) {
		q.receive(ctx, func(done *atomic.Bool) bool { return q.give(done, yield) })
	}
}

// Timed is Events with the time of each post, for a queue that was made with
// Options.Timestamps. On Linux the times have a monotonic reading.
func (q *Queue) Timed(ctx context.Context) iter.Seq2[time.Time, Event] {
	return func(yield func(time.Time, Event) bool) {
		q.receive(ctx, func(done *atomic.Bool) bool {
			return q.give(done, func(e Event) bool {
				var t time.Time
				if q.options.Timestamps {
					t = q.clock.time(q.stamped(q.cell(q.given - 1)))
				}
				return yield(t, e)
			})
		})
	}
}

// receive calls give for one batch after the other, until it returns false.
func (q *Queue) receive(ctx context.Context, give func(done *atomic.Bool) bool) {
	q.enter()
	defer q.leave()
	var done atomic.Bool
	if ctx.Done() != nil {
		stop := context.AfterFunc(ctx, func() { done.Store(true); q.until.Store(0); q.kick() })
		defer stop()
		if ctx.Err() != nil { // and not what it was: the function may run first
			done.Store(true)
		}
	}
	for !done.Load() {
		if q.have() {
			if !give(&done) {
				return
			}
		} else if q.sleep(ctx) != nil {
			return
		}
	}
}

// give yields the records of the batch, and reports whether there shall be more.
// What it needs for each is in variables of its own: the loop's body is a call, and
// how it is left nobody knows before, so only given has to be right all the time. One
// word says where to end, for the batch and for the context: a context that is done
// between the two steps here is seen by the second, later by the loop.
func (q *Queue) give(done *atomic.Bool, yield func(Event) bool) bool {
	s, stride, most := q.cell(q.given), q.stride, q.max
	q.until.Store(s.address() + uintptr((q.end-q.given)*stride))
	if done.Load() {
		return true
	}
	for ; s.address() < q.until.Load(); s = after(s, stride) {
		q.given++
		if !yield(Event{Tag: s.tag, Data: s.data(most)}) {
			return false
		}
	}
	return true
}

// have reports whether there is a record to give, and takes some if need be.
func (q *Queue) have() bool {
	return q.given < q.end || !q.finished.Load() && q.next()
}

func (q *Queue) enter() {
	if !q.receiving.CompareAndSwap(false, true) {
		panic(ErrReceiving)
	}
}

// leave gives the batch's space back if all of it has been received.
func (q *Queue) leave() {
	if q.given == q.end && !q.finished.Load() {
		q.release()
	}
	q.receiving.Store(false)
}

// Batch waits until there are records and gives up to 256 of them. The slice
// and the records' data are valid until the next call of Batch or Events; then
// their space goes back to C. The error is ctx's, ErrClosed when the queue is
// closed and empty, or ErrReceiving.
func (q *Queue) Batch(ctx context.Context) ([]Event, error) {
	if !q.receiving.CompareAndSwap(false, true) {
		return nil, ErrReceiving
	}
	defer q.receiving.Store(false)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if !q.have() {
		if ctx.Done() != nil {
			stop := context.AfterFunc(ctx, q.kick)
			defer stop()
		}
		for !q.have() {
			if err := q.sleep(ctx); err != nil {
				return nil, err
			}
		}
	}
	s, stride, most := q.cell(q.given), q.stride, q.max
	events := slices.Grow(q.events[:0], int(q.end-q.given))[:q.end-q.given]
	for i := range events {
		events[i] = Event{Tag: s.tag, Data: s.data(most)}
		s = after(s, stride)
	}
	q.events = events
	q.given = q.end
	return events, nil
}

// Chan forwards what decode makes of each record into a channel with a buffer,
// which is closed when Events ends. decode must not keep Data: Event.Clone is a
// decode for those who want the Event itself. While the channel is full records
// wait in the ring.
func Chan[T any](ctx context.Context, q *Queue, buffer int, decode func(Event) T) <-chan T {
	c := make(chan T, buffer)
	go func() {
		defer close(c)
		for e := range q.Events(ctx) {
			select {
			case c <- decode(e):
			case <-ctx.Done():
				return
			}
		}
	}()
	return c
}
