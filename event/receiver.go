package event

import (
	"slices"
	"sync/atomic"
	"time"
)

const (
	maxBatch  = 256
	patience  = 200                   // looks at a cell that is being written, before going past
	deadCheck = 10 * time.Millisecond // between looks for threads that ended in mid-post
	tailCheck = 64                    // visits of an idle lane between looks at its tail
)

// closeWait is how long the receiver waits for posts that run at Close. Tests
// change it.
var closeWait = time.Second

// receiver is the state of the receiving side. It belongs to the goroutine
// that has set receiving, except what is atomic.
type receiver struct {
	receiving atomic.Bool
	batch
	held    batch          // of a lane: see next
	due     uint64         // position of the shared ring, up to which it goes before held
	shared  *side          // of the ring of threads without a lane
	sides   []*side        // of all rings
	turn    int            // which of them comes next
	most    uint64         // records of a batch
	events  []Event        // what Batch gave
	patient int            // see linger
	woken   bool           // a thread that waited for room
	greedy  time.Time      // until then: see letThrough
	until   atomic.Uintptr // where in memory give ends; 0 when its context is done
	armed   bool           // sleep is set: what is not seen now is seen late
	sealed  bool           // the lanes' records are taken by compare-and-swap
	last    Stats          // at Free

	received, abandoned atomic.Uint64
	highWater           atomic.Uint64
}

// A batch is a run of records, one behind the other in memory, or a single one that
// is late.
type batch struct {
	*side
	start, given, end uint64 // positions; those below given have been received
	full              bool   // there may be more
	frees             bool   // the cells are given back one by one
}

// side is the receiver's side of a ring.
type side struct {
	ring
	lane    bool
	thread  *atomic.Uint64 // of a lane: 0 if nobody has taken it
	scan    uint64         // the next position to look at
	late    []uint64       // positions that scan passed while they were written, oldest first
	changed bool           // a cell came free without a record
	idle    uint           // visits that found nothing
	kept    bool           // a post that Close has given up may still write
	checked time.Time
	scanned atomic.Uint64
}

// fill takes the next records of the batch's ring; there may be none. It does not
// wait. DESIGN.md explains the rules; the names of cases are the model's.
func (q *Queue) fill() {
	s := q.side
	overwrite := q.options.Full == Overwrite
	q.start, q.given, q.end, q.full, q.frees = s.scan, s.scan, s.scan, false, overwrite
	found := q.takeLate()
	for !found && q.end-q.start < q.most {
		if len(s.late) == 0 && !overwrite && !q.sealed {
			if q.run(); q.end > q.start {
				break
			}
		}
		cell := s.cell(s.scan)
		v := cell.state.Load()
		if s.isRecord(v, s.scan) || overwrite && v&kindMask == ready && int64(s.lap(s.scan)-v&lapMask) >= 0 {
			// A record of the same thread may have become ready in a cell that
			// was passed, and it is older.
			if len(s.late) > 0 && (q.end > q.start || q.takeLate()) {
				break
			}
			// What C may still discard or withdraw is taken by compare-and-swap.
			if (overwrite || s.lane && (q.sealed || len(s.late) > 0)) && !cell.state.CompareAndSwap(v, v&^kindMask|reading) {
				continue
			}
			s.scan++
			q.end = s.scan
			if q.full = s.scan&s.mask == 0; q.full {
				break
			}
			continue
		}
		if q.end > q.start || !q.pass(cell, v) {
			break
		}
		q.start, q.given, q.end = s.scan, s.scan, s.scan
	}
	q.count()
}

// run takes records that are ready one behind the other, which is nearly all of
// fill's work. Reading the states of many cells at once is also what makes the
// processor fetch their lines side by side.
func (q *Queue) run() {
	s := q.side
	want := s.lap(s.scan) | ready
	n, most := uint64(0), min(q.most, s.mask+1-s.scan&s.mask) // to the end of the lap
	cell, stride := s.cell(s.scan), s.stride
	for ; n+4 <= most; n += 4 {
		b := after(cell, stride)
		c := after(b, stride)
		d := after(c, stride)
		other := cell.state.Load() ^ want
		other |= b.state.Load() ^ want
		other |= c.state.Load() ^ want
		other |= d.state.Load() ^ want
		if other&^(sizeMask<<sizeShift) != 0 {
			break
		}
		cell = after(d, stride)
	}
	for ; n < most && cell.state.Load()&^(sizeMask<<sizeShift) == want; n++ {
		cell = after(cell, stride)
	}
	s.scan += n
	q.end = s.scan
	q.full = n == most
}

// count notes what fill has found.
func (q *Queue) count() {
	s, n := q.side, q.end-q.start
	s.scanned.Store(s.scan)
	if n == 0 {
		return
	}
	s.idle = 0
	q.received.Add(n)
	q.full = q.full || n == q.most
	waiting := n
	if q.full || !s.lane { // a look at a lane's tail takes it from its thread
		if behind := int64(s.tail.Load() - s.scan); behind > 0 {
			waiting = min(n+uint64(behind), s.mask+1)
		}
	}
	if waiting > q.highWater.Load() {
		q.highWater.Store(waiting)
	}
}

// pass goes past a position that has no record, if others may lie behind it.
func (q *Queue) pass(cell *cell, v uint64) bool {
	s := q.side
	laps := int64(s.lap(s.scan) - v&lapMask)
	kind := v & kindMask
	switch {
	case s.lane && (laps != 0 || kind != void && kind != shut):
		return q.passPending(cell, v)
	case s.lane:
		q.skip(kind)
	case kind == shut: // being closed: what lies behind was claimed before
		if int64(s.tail.Load()-s.scan) <= 0 {
			return false
		}
	case laps < 0: // the position is gone
		if behind := s.tail.Load() - s.scan; q.options.Full == Overwrite && int64(behind) > int64(s.mask+1) {
			s.scan += behind - (s.mask + 1)
			return true
		}
	case kind == writing:
		if int64(s.tail.Load()-s.scan) <= 1 {
			return false
		}
		if changes(cell, v) || !cell.state.CompareAndSwap(v, v&^kindMask|lateWriting) {
			return true
		}
		s.late = append(s.late, s.scan)
	default:
		if int64(s.tail.Load()-s.scan) <= 0 {
			return false
		}
		if kind == lateWriting || kind == lateReady || kind == reading {
			break // late, or in the batch
		}
		// Producers skipped this position. Nobody shall come back to it: it is free
		// from the next lap on.
		if !cell.state.CompareAndSwap(v, s.freeFrom(s.scan, s.scan+1)) {
			return true
		}
	}
	s.scan++
	return true
}

// skip notes that a position of a lane stays without a record.
func (q *Queue) skip(kind uint64) {
	if kind == void {
		q.abandoned.Add(1)
	}
	q.changed = true
}

// passPending goes past a post of a lane that has not ended, if a signal handler
// or the thread's successor has posted behind it.
func (q *Queue) passPending(cell *cell, v uint64) bool {
	s := q.side
	s.idle++
	if !q.armed && !q.sealed && s.idle%tailCheck != 0 || int64(s.tail.Load()-s.scan) <= 1 {
		return false
	}
	if !changes(cell, v) {
		s.late = append(s.late, s.scan)
		s.scan++
	}
	return true
}

// changes reports whether a state changes within a short while.
func changes(cell *cell, v uint64) bool {
	for range patience {
		if cell.state.Load() != v {
			return true
		}
	}
	return false
}

// takeLate looks through the positions that scan has passed, oldest first, and
// reports whether one has its record now: that is the batch.
func (q *Queue) takeLate() bool {
	s := q.side
	if len(s.late) == 0 {
		return false
	}
	now := time.Now()
	check := now.Sub(s.checked) >= deadCheck
	if check {
		s.checked = now
	}
	for i := 0; i < len(s.late); {
		p := s.late[i]
		cell := s.cell(p)
		v := cell.state.Load()
		found := false
		switch {
		case s.lane && s.isRecord(v, p):
			if found = cell.state.CompareAndSwap(v, v&^kindMask|reading); !found {
				continue
			}
		case s.lane && (v == s.lap(p)|void || v == s.lap(p)|shut):
			q.skip(v & kindMask)
		case !s.lane && v&kindMask == lateReady:
			found = true
		case v&kindMask == lateWriting && check && threadGone(thread(v)):
			if !cell.state.CompareAndSwap(v, s.freeFrom(p, s.scan)) {
				continue // it had published before it ended
			}
			q.abandoned.Add(1)
			s.changed = true
		default:
			i++
			continue
		}
		s.late = slices.Delete(s.late, i, i+1)
		if found {
			q.start, q.given, q.end, q.full, q.frees = p, p, p+1, true, !s.lane
			return true
		}
	}
	return false
}

// release gives the batch's cells back.
func (q *Queue) release() {
	s := q.side
	if q.frees {
		for p := q.start; p < q.end; p++ {
			s.cell(p).state.Store(s.freeFrom(p, s.scan))
		}
		s.changed = s.changed || q.end > q.start
	}
	q.start, q.given, q.end = s.scan, s.scan, s.scan
	head := s.scan
	if s.lane && len(s.late) > 0 { // its cell cannot be used again
		head = s.late[0]
	}
	if s.changed || s.head.Load() != head {
		s.changed = false
		s.head.Store(head)
	}
	// Threads that wait for room are woken once an eighth of the ring is free: so
	// that they post many records before they wait again. Until they run, what is
	// left is received.
	if s.waiting.Load() != 0 && s.tail.Load()-s.head.Load() <= s.mask-s.mask/8 {
		s.wakeAll()
		q.woken = true
	}
}

// wakeAll wakes the threads that wait for room.
func (r ring) wakeAll() {
	r.waiting.Store(0)
	r.space.Add(1)
	wakeThreads(&r.space)
}

// next releases the batch and takes the next one, from the rings in turn; it
// reports whether there is one.
func (q *Queue) next() bool {
	caughtUp := q.end > q.start && !q.full
	q.release()
	if q.held.side != nil {
		q.putOff()
		return true
	}
	if caughtUp {
		q.keepAway()
	}
	for range q.sides {
		s := q.sides[q.turn]
		q.turn = (q.turn + 1) % len(q.sides)
		if s.unused() {
			continue
		}
		q.side = s
		q.fill()
		if q.end > q.start {
			if q.lane && (q.shared.tail.Load() != q.shared.scan || len(q.shared.late) > 0) {
				q.held, q.due = q.batch, q.shared.tail.Load()
				q.putOff()
			}
			return true
		}
		q.release() // positions without records
	}
	return false
}

// unused reports whether the ring has nothing for sure. A look at one word saves a
// receiver that has just woken up from fetching the lines of all rings.
func (s *side) unused() bool {
	if s.lane {
		return s.thread.Load() == 0
	}
	return s.tail.Load() == s.scan && len(s.late) == 0
}

// putOff takes what the shared ring has for a thread that posted there before it
// had its lane, and if there is no more of that the lane's batch.
func (q *Queue) putOff() {
	s := q.shared
	q.batch = batch{side: s, start: s.scan, given: s.scan, end: s.scan}
	if int64(q.due-s.scan) > 0 {
		q.fill()
	} else if q.takeLate() {
		q.count()
	}
	if q.end == q.start {
		q.release()
		q.batch, q.held = q.held, batch{}
	}
}
