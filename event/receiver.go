package event

import (
	"sync/atomic"
	"time"
)

const (
	maxBatch  = 256
	patience  = 200                   // looks at a slot that is being written, before going past
	deadCheck = 10 * time.Millisecond // between looks for threads that ended in mid-post
)

// closeWait is how long the receiver waits for posts that run at Close. Tests
// change it.
var closeWait = time.Second

// receiver is the state of the receiving side. It belongs to the goroutine
// that has set receiving, except what is atomic.
type receiver struct {
	receiving atomic.Bool
	*side              // the one that the batch comes from
	sides     []*side  // of all lanes
	turn      int      // which of them comes next
	batch     []uint64 // slots with records taken from the ring, by their distance from the first
	given     int      // how many of batch have been received
	events    []Event  // what Batch gave
	patient   int      // see linger
	last      Stats    // at Free

	received, abandoned atomic.Uint64
	highWater           atomic.Uint64
}

// side is the receiver's side of a lane.
type side struct {
	ring    ring
	scan    uint64   // the next position to look at
	late    []uint64 // slots that scan passed while they were written, oldest first
	frees   []uint64 // slots of the batch that are given back one by one
	changed bool     // a slot came free without a record
	checked time.Time
	scanned atomic.Uint64
}

// fill takes what the ring has into the batch, which must be empty. It does
// not wait. DESIGN.md explains the rules; the names of cases are the model's.
func (q *Queue) fill() {
	r := q.ring
	q.batch, q.given = q.batch[:0], 0
	waiting := r.tail.Load() - q.scan
	q.takeLate()
	for len(q.batch) < cap(q.batch) {
		if len(q.late) == 0 && q.options.Full != Overwrite && q.run() {
			break
		}
		s := r.slot(q.scan)
		v := s.state.Load()
		if v == r.lap(q.scan)|ready || v&kindMask == ready && q.options.Full == Overwrite && int64(r.lap(q.scan)-v&lapMask) >= 0 {
			// A record of the same thread may have become ready in a slot that
			// was passed, and it is older.
			if len(q.late) > 0 && !q.takeLate() {
				break
			}
			if q.options.Full == Overwrite {
				if !s.state.CompareAndSwap(v, v&^kindMask|reading) {
					continue
				}
				q.frees = append(q.frees, q.scan&r.mask)
			}
			q.take(q.scan)
			q.scan++
			continue
		}
		if !q.pass(s, v) {
			break
		}
	}
	q.received.Add(uint64(len(q.batch)))
	q.scanned.Store(q.scan)
	if waiting = min(waiting, r.mask+1); waiting > q.highWater.Load() && int64(waiting) > 0 {
		q.highWater.Store(waiting)
	}
}

// run takes records that are ready one behind the other, which is nearly all of
// fill's work, and reports whether the batch is full.
func (q *Queue) run() bool {
	r, scan, batch := q.ring, q.scan, q.batch
	for len(batch) < cap(batch) {
		at := r.offset(scan)
		if r.at(at).state.Load() != r.lap(scan)|ready {
			break
		}
		batch = append(batch, at)
		scan++
	}
	q.scan, q.batch = scan, batch
	return len(batch) == cap(batch)
}

func (q *Queue) take(position uint64) { q.batch = append(q.batch, q.ring.offset(position)) }

// record takes the next slot of the batch. That the Event is made where it goes, and
// not returned from here, matters: words that were just written one by one and are
// then copied two by two halt the processor, for half the time of a record.
func (q *Queue) record() *slot {
	s := q.ring.at(q.batch[q.given])
	q.given++
	return s
}

// posted is when a record was posted, or zero.
func (q *Queue) posted(s *slot) (t time.Time) {
	if q.options.Timestamps {
		t = q.clock.time(s.time)
	}
	return t
}

// pass goes past a position that has no record, if others may lie behind it.
func (q *Queue) pass(s *slot, v uint64) bool {
	r := q.ring
	laps := int64(r.lap(q.scan) - v&lapMask)
	kind := v & kindMask
	switch {
	case kind == shut: // being closed: what lies behind was claimed before
		if int64(r.tail.Load()-q.scan) <= 0 {
			return false
		}
	case laps < 0: // the position is gone
		if behind := r.tail.Load() - q.scan; q.options.Full == Overwrite && int64(behind) > int64(r.mask+1) {
			q.scan += behind - (r.mask + 1)
			return true
		}
	case kind == writing:
		// What has been taken already should not wait for this one.
		if len(q.batch) > 0 || int64(r.tail.Load()-q.scan) <= 1 {
			return false
		}
		for range patience {
			if s.state.Load() != v {
				return true
			}
		}
		if !s.state.CompareAndSwap(v, v&^kindMask|lateWriting) {
			return true
		}
		q.late = append(q.late, q.scan&r.mask)
	default:
		if int64(r.tail.Load()-q.scan) <= 0 {
			return false
		}
		if kind == lateWriting || kind == lateReady || kind == reading {
			break // in q.late or in the batch
		}
		// Producers skipped this position. Nobody shall come back to it.
		if !s.state.CompareAndSwap(v, r.lap(q.scan)+1<<lapShift|free) {
			return true
		}
	}
	q.scan++
	return true
}

// takeLate looks through the slots that scan has passed, oldest first, and
// reports whether there is still room in the batch.
func (q *Queue) takeLate() bool {
	if len(q.late) == 0 {
		return len(q.batch) < cap(q.batch)
	}
	now := time.Now()
	check := now.Sub(q.checked) >= deadCheck
	if check {
		q.checked = now
	}
	for i := 0; i < len(q.late); {
		s := q.ring.slot(q.late[i])
		v := s.state.Load()
		switch {
		case v&kindMask == lateReady && len(q.batch) == cap(q.batch):
			return false
		case v&kindMask == lateReady:
			q.take(q.late[i])
			q.frees = append(q.frees, q.late[i])
		case v&kindMask == lateWriting && check && threadGone(owner(v)):
			if !s.state.CompareAndSwap(v, q.ring.freeFrom(q.late[i], q.scan)) {
				continue // it had published before it ended
			}
			q.abandoned.Add(1)
			q.changed = true
		default:
			i++
			continue
		}
		q.late = append(q.late[:i], q.late[i+1:]...)
	}
	return len(q.batch) < cap(q.batch)
}

// release gives the batch's slots back.
func (q *Queue) release() {
	r := q.ring
	q.batch, q.given = q.batch[:0], 0
	for _, slot := range q.frees {
		r.slot(slot).state.Store(r.freeFrom(slot, q.scan))
	}
	if len(q.frees) == 0 && !q.changed && r.head.Load() == q.scan {
		return
	}
	q.frees, q.changed = q.frees[:0], false
	r.head.Store(q.scan)
}

// makeRoom wakes the threads that wait for room, once half of the ring is free:
// so that they post many records before they wait again.
func (q *Queue) makeRoom() {
	r := q.ring
	if r.waiting.Load() == 0 || r.tail.Load()-q.scan > (r.mask+1)/2 {
		return
	}
	r.wakeAll()
}

// wakeAll wakes the threads that wait for room.
func (r ring) wakeAll() {
	r.waiting.Store(0)
	r.space.Add(1)
	wakeThreads(&r.space)
}

// next releases the batch and takes the next one, from the lanes in turn; it
// reports whether there is one.
func (q *Queue) next() bool {
	taken := len(q.batch)
	q.release()
	q.makeRoom()
	q.keepAway(taken)
	for range q.sides {
		q.side = q.sides[q.turn]
		q.turn = (q.turn + 1) % len(q.sides)
		q.fill()
		if len(q.batch) > 0 {
			return true
		}
		q.release() // positions without records
		q.makeRoom()
	}
	return false
}

// drained shuts the slots of a closed queue, and reports whether all are shut.
// A slot with a record stays, and while there is patience one that a thread is
// still writing: the post that finds it shut returns WHERRY_EVENT_CLOSED.
func (q *Queue) drained(patient bool) bool {
	all := true
	for _, q.side = range q.sides {
		all = q.drainedLane(patient) && all
	}
	return all
}

func (q *Queue) drainedLane(patient bool) bool {
	all := true
	for i := range q.ring.mask + 1 {
		s := q.ring.slot(i)
		v := s.state.Load()
		position := q.scan&^q.ring.mask | i
		if position >= q.scan { // the last position of this slot that scan has passed
			position -= q.ring.mask + 1
		}
		consumed := v&kindMask == ready && q.options.Full != Overwrite && int64(v&lapMask-q.ring.lap(position)) <= 0
		switch {
		case v&kindMask == shut:
		case v&kindMask == free || consumed:
			all = s.state.CompareAndSwap(v, shut) && all
		case v&kindMask == writing || v&kindMask == lateWriting:
			gone := threadGone(owner(v))
			switch {
			case patient && !gone || !s.state.CompareAndSwap(v, shut):
				all = false
			case gone:
				q.abandoned.Add(1)
			}
		default:
			all = false
		}
	}
	return all
}
