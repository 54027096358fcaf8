package event

import (
	"errors"
	"fmt"
	"os"
	"sync"
	"sync/atomic"
	"time"
)

// A Queue takes records from C threads, through wherry_event.h, and gives them
// to one goroutine at a time. Pointer, Close and Stats may be called from any.
type Queue struct {
	header  *header
	memory  []byte
	waker   waker
	options Options
	clock   clock
	receiver

	closing  sync.Mutex
	finished atomic.Bool
	freed    atomic.Bool
}

// ErrClosed is the error of Batch when the queue is closed and all records
// have been received.
var ErrClosed = errors.New("event: the queue is closed")

// live keeps queues, and so their descriptors, from the collector: C's pointer
// to a queue is none that it sees.
var live sync.Map

// New makes a queue. It takes one file descriptor, and memory outside Go's heap: a
// page, and for each lane that a thread has taken, Capacity times MaxSize + 16
// bytes, as far as records have used them.
func New(options Options) (*Queue, error) {
	if err := options.check(); err != nil {
		return nil, err
	}
	size := headerSize + (1+options.Lanes)*ringSize(options.Capacity, stride(options.MaxSize, options.Timestamps))
	memory, err := mapMemory(size)
	if err != nil {
		return nil, fmt.Errorf("event: no memory for %d records of %d bytes in each of %d rings (%d bytes in all): %w",
			options.Capacity, options.MaxSize, 1+options.Lanes, size, err)
	}
	wipeOnFork(memory[:headerSize])
	waker, err := makeWaker()
	if err != nil {
		unmapMemory(memory)
		return nil, fmt.Errorf("event: no descriptor for wake-ups: %w", err)
	}
	q := &Queue{
		memory:  memory,
		waker:   waker,
		options: options,
		clock:   newClock(),
	}
	for i, r := range layout(memory, options, waker.write) {
		s := &side{ring: r, lane: i > 0, scan: r.head.Load()}
		s.scanned.Store(s.scan)
		if s.lane {
			s.thread = &r.threads[i-1]
		}
		q.sides = append(q.sides, s)
	}
	q.shared = q.sides[0]
	q.side = q.shared
	q.header = q.shared.header
	q.most = uint64(max(1, min(maxBatch, options.Capacity/4)))
	live.Store(q, nil)
	return q, nil
}

// Close makes posts fail from now on. Records that were posted are still
// received: Events ends, and Batch returns ErrClosed, when all of them have
// been. A post that is running is received too if it ends within a second; after
// that it returns WHERRY_EVENT_CLOSED. Then the memory goes back, except one page,
// which tells threads that still post that the queue is closed. Close itself does
// not wait, and may be called again.
func (q *Queue) Close() error {
	q.closing.Lock()
	defer q.closing.Unlock()
	if q.finished.Load() {
		return nil
	}
	q.header.closed.CompareAndSwap(open, closing)
	for _, side := range q.sides {
		side.room.Store(0)
		side.wakeAll()
	}
	writeWaker(q.waker.write)
	return nil
}

// Free gives back the rest: the page, and records that nobody received. The
// queue must be closed, and no C thread may hold its pointer any more: a post
// after Free is a fault, and so is a look at what the last Batch gave. A program
// that makes few queues need not call it.
func (q *Queue) Free() error {
	if !q.receiving.CompareAndSwap(false, true) {
		return ErrReceiving
	}
	defer q.receiving.Store(false)
	q.closing.Lock()
	defer q.closing.Unlock()
	switch {
	case q.freed.Load():
		return nil
	case q.header.closed.Load() == open:
		return errors.New("event: Free of a queue that is open: Close it first")
	}
	q.last = q.snapshot()
	q.freed.Store(true)
	q.finished.Store(true)
	err := q.waker.close()
	if errors.Is(err, os.ErrClosed) {
		err = nil
	}
	q.batch, q.held = batch{side: q.shared}, batch{}
	live.Delete(q)
	return errors.Join(err, unmapMemory(q.memory))
}

// finish takes a drained queue out of use: see Close.
func (q *Queue) finish() {
	q.closing.Lock()
	defer q.closing.Unlock()
	q.finished.Store(true)
	q.header.closed.Store(gone)
	// A thread that saw the receiver asleep may still be about to write. One
	// that was killed there keeps the descriptor from being used again.
	for range 100 {
		if q.header.wakers.Load() == 0 {
			q.waker.close()
			live.Delete(q)
			break
		}
		time.Sleep(time.Millisecond)
	}
	for i, side := range q.sides {
		if !side.kept {
			from := headerSize + i*int(q.header.next)
			dropMemory(q.memory[from : from+int(q.header.next)])
		}
	}
}

// Stats are counts since New.
type Stats struct {
	Posted      uint64 // records accepted; exact while no post runs and no record waits
	Received    uint64 // records given to Go
	Dropped     uint64 // posts that failed because the ring was full
	Overwritten uint64 // records lost to newer ones (Overwrite)
	WakeUps     uint64 // system calls by which C woke Go
	HighWater   int    // the most records that a receiver found waiting in a ring
	Abandoned   uint64 // cells recovered from threads that ended in mid-post
}

// Stats may be called at any time, also after Close and Free.
func (q *Queue) Stats() Stats {
	q.closing.Lock()
	defer q.closing.Unlock()
	if q.freed.Load() {
		return q.last
	}
	return q.snapshot()
}

func (q *Queue) snapshot() Stats {
	s := Stats{
		Received:    q.received.Load(),
		Dropped:     q.header.dropped.Load(),
		Overwritten: q.header.overwritten.Load(),
		WakeUps:     q.header.wakeups.Load(),
		HighWater:   int(q.highWater.Load()),
		Abandoned:   q.abandoned.Load(),
	}
	if s.Dropped > 0 {
		s.HighWater = q.options.Capacity
	}
	s.Posted = s.Received + s.Overwritten
	if q.finished.Load() {
		return s // posts that were cut off have moved the tail too
	}
	for _, side := range q.sides {
		if waiting := int64(side.tail.Load() - side.scanned.Load()); waiting > 0 {
			s.Posted += min(uint64(waiting), uint64(q.options.Capacity))
		}
	}
	return s
}
