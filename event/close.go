package event

import (
	"slices"
	"time"
)

// drain waits for the posts that run at Close. Then it seals the lanes: what was
// taken up to there is below head, and a post that ends after that asks whether
// its record was taken.
func (q *Queue) drain() error {
	q.armed = true
	defer func() { q.armed = false }()
	for start := time.Now(); ; time.Sleep(100 * time.Microsecond) {
		if q.next() {
			return nil
		}
		switch {
		case !q.drained(time.Since(start) < closeWait):
		case q.sealed:
			q.finish()
			return ErrClosed
		default:
			q.header.sleep.Store(q.header.sleep.Load() | sealed)
			q.order()
			q.sealed = true
		}
	}
}

// drained ends what goes on in the rings of a closed queue, and reports whether
// that is all. While there is patience it waits for posts that run.
func (q *Queue) drained(patient bool) bool {
	all := q.drainedShared(patient)
	for _, s := range q.sides[1:] {
		all = q.drainedLane(s, patient) && all
	}
	return all
}

// drainedLane reports whether no post in a lane is to be waited for. One that ends
// later finds that its record was not taken.
func (q *Queue) drainedLane(s *side, patient bool) bool {
	pending := s.behind() + uint64(len(s.late))
	switch {
	case pending == 0:
		return true
	case threadGone(int(s.owner.Load())):
		if s.anyRecord() { // the thread's last
			return false
		}
		if !q.sealed { // after that only a post that comes too late is pending
			q.abandoned.Add(pending)
		}
		s.scan += s.behind()
		s.late = nil
		return true
	default:
		s.kept = s.kept || !patient
		return !patient
	}
}

// behind is how many positions there are that scan has not passed. A thread stores its lane's tail where its
// signal handler has posted more meanwhile: until it looks again, or for good if it ends, that is lower than scan.
func (s *side) behind() uint64 { return uint64(max(0, int64(s.tail.Load()-s.scan))) }

// anyRecord reports whether a record lies beyond scan, or is late.
func (s *side) anyRecord() bool {
	is := func(p uint64) bool { return s.isRecord(s.cell(p).state.Load(), p) }
	for end, p := s.scan+s.behind(), s.scan; p != end; p++ {
		if is(p) {
			return true
		}
	}
	return slices.ContainsFunc(s.late, is)
}

// drainedShared shuts the cells. One with a record stays, and while there is
// patience one that a thread is still writing: the post that finds it shut returns
// WHERRY_EVENT_CLOSED.
func (q *Queue) drainedShared(patient bool) bool {
	all, r := true, q.shared
	for i := range r.mask + 1 {
		s := r.cell(i)
		v := s.state.Load()
		position := r.scan&^r.mask | i
		if position >= r.scan { // the last position of this cell that scan has passed
			position -= r.mask + 1
		}
		consumed := v&kindMask == ready && q.options.Full != Overwrite && int64(v&lapMask-r.lap(position)) <= 0
		switch {
		case v&kindMask == shut:
		case v&kindMask == free || consumed:
			all = s.state.CompareAndSwap(v, shut) && all
		case v&kindMask == writing || v&kindMask == lateWriting:
			gone := threadGone(thread(v))
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
