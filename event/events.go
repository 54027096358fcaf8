package event

import (
	"bytes"
	"context"
	"errors"
	"iter"
	"sync/atomic"
	"time"
)

// An Event is a record as Go sees it.
type Event struct {
	Tag uint64
	// Data is the record, in the ring's own memory. It is valid in the body of
	// the loop over Events, or until the next Batch; use Clone to keep it.
	Data []byte
	// Time is when C posted, with Options.Timestamps; time.Since is exact for
	// it on Linux, where it has a monotonic reading.
	Time time.Time
}

// Clone gives an Event with a copy of Data.
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
		q.begin()
		defer q.end()
		var done atomic.Bool
		if ctx.Done() != nil {
			stop := context.AfterFunc(ctx, func() { done.Store(true); q.kick() })
			defer stop()
			done.Store(ctx.Err() != nil)
		}
		for !done.Load() {
			if !q.have() {
				if q.sleep(ctx) != nil {
					return
				}
				continue
			}
			for q.given < len(q.batch) && !done.Load() {
				s := q.record()
				if !yield(Event{Tag: s.tag, Data: q.ring.data(s), Time: q.posted(s)}) {
					return
				}
			}
		}
	}
}

// have reports whether there is a record to give, and takes some if need be.
func (q *Queue) have() bool {
	return q.given < len(q.batch) || !q.finished.Load() && q.next()
}

func (q *Queue) begin() {
	if !q.receiving.CompareAndSwap(false, true) {
		panic(ErrReceiving)
	}
}

// end gives the batch's space back if all of it has been received.
func (q *Queue) end() {
	if q.given == len(q.batch) && !q.finished.Load() {
		q.release()
		q.makeRoom()
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
	q.events = q.events[:0]
	for q.given < len(q.batch) {
		s := q.record()
		q.events = append(q.events, Event{Tag: s.tag, Data: q.ring.data(s), Time: q.posted(s)})
	}
	return q.events, nil
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
