package event

import (
	"context"
	"errors"
	"os"
	"runtime"
	"slices"
	"time"
)

// sleep waits until C wakes the receiver, and reports why there will be no
// more: ctx's error or ErrClosed. It may return early. The batch is empty.
func (q *Queue) sleep(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if q.finished.Load() {
		return ErrClosed
	}
	if q.header.closed.Load() != 0 {
		return q.drain()
	}
	if q.linger() {
		return nil
	}
	beforeSleep()
	// From here on C wakes us. Whatever was posted before, the second look sees.
	q.header.sleep.Store(q.header.sleep.Load()&^asleep + epoch + asleep)
	q.order()
	q.armed = true
	defer func() {
		q.armed = false
		q.header.sleep.Store(q.header.sleep.Load() &^ asleep)
	}()
	if q.next() || q.header.closed.Load() != 0 || ctx.Err() != nil {
		return nil
	}
	var deadline time.Time
	if q.options.Poll > 0 {
		deadline = time.Now().Add(q.options.Poll)
	}
	if q.anyLate() && (q.options.Poll == 0 || q.options.Poll > deadCheck) {
		deadline = time.Now().Add(deadCheck)
	}
	if err := q.waker.read.SetReadDeadline(deadline); err != nil {
		return err
	}
	var count [64]byte
	if _, err := q.waker.read.Read(count[:]); err != nil && !errors.Is(err, os.ErrDeadlineExceeded) {
		return err
	}
	return nil
}

// beforeSleep is where a test posts between the two looks.
var beforeSleep = func() {}

// Threads that post without pause would otherwise pay for a wake-up every few
// microseconds, which costs both sides more than the records. So the receiver
// lingers before it sleeps: it looks again after each pause, long enough not to
// fight the threads for the line that they are writing. How long, up to about
// 20 us, follows from whether it helped the last times. A thread may wait for this
// very processor: it is let through, and comes back when it has filled its ring.
const (
	pause     = 2000 // turns of an empty loop, about 0.5 us
	minLinger = 8    // pauses
	maxLinger = 40
	forThread = 40 // pauses, for a thread that was woken to post again
)

func (q *Queue) linger() bool {
	turns := pause
	if runtime.GOMAXPROCS(0) == 1 {
		turns = 0 // other goroutines wait meanwhile
		if time.Now().Before(q.greedy) {
			return false
		}
	}
	q.patient = max(q.patient, minLinger)
	most := q.patient
	if q.woken {
		most, q.woken = forThread, false
	}
	for range most {
		for range turns {
		}
		q.letThrough()
		if q.any() {
			q.patient = min(2*q.patient, maxLinger)
			return true
		}
	}
	q.patient /= 2
	return false
}

// If the processor is long in coming back, others took it, which C's threads did not
// ask for: for a while it is not given away then. wherry_event.h has the same times.
const (
	crowded = time.Millisecond
	greedy  = 100 * time.Millisecond
)

func (q *Queue) letThrough() {
	now := time.Now()
	if now.Before(q.greedy) {
		return
	}
	giveWay()
	if time.Since(now) > crowded {
		q.greedy = now.Add(greedy)
	}
}

// A receiver that is faster than the threads would follow them record by record,
// and take the lines from them in which they write the next one: a record then takes
// twice as long. So after a batch that was not full the receiver keeps away, for up
// to about 2 us, in which about 100 records come, and not longer than an eighth of
// a lane takes to fill. The lanes in use share that time.
const (
	maxAway     = 4 * pause
	awayPerCell = 4 // about 1 ns
)

func (q *Queue) keepAway() {
	if runtime.GOMAXPROCS(0) == 1 {
		return
	}
	used := 0
	for i := range q.header.lanes {
		if q.header.threads[i].Load() != 0 {
			used++
		}
	}
	for range min(maxAway, awayPerCell*q.options.Capacity) / max(used, 1) {
	}
}

// any reports whether there is something to look at.
func (q *Queue) any() bool {
	for _, s := range q.sides {
		if s.unused() {
			continue
		}
		v := s.cell(s.scan).state.Load()
		if s.isRecord(v, s.scan) || !s.lane && s.tail.Load()-s.scan > 1 && v&kindMask != writing {
			return true
		}
	}
	return false
}

// anyLate reports whether a thread may be slow, or have ended, in mid-post.
func (q *Queue) anyLate() bool {
	return slices.ContainsFunc(q.sides, func(s *side) bool {
		return len(s.late) > 0 || s.lane && s.behind() > 0
	})
}

// order makes the stores that threads have done visible, and lets them see what was
// stored here before they look at it. C leaves this to Go, see wherry_event_order.
func (q *Queue) order() {
	if q.header.sleep.Load()&fence != 0 || orderThreads() {
		return
	}
	// A filter of system calls has come since New: threads order their own from now on, and what one has
	// stored just before leaves its processor soon.
	q.header.sleep.Store(q.header.sleep.Load() | fence)
	time.Sleep(time.Millisecond)
}

// kick wakes the receiver from Go.
func (q *Queue) kick() {
	q.closing.Lock()
	defer q.closing.Unlock()
	if !q.finished.Load() {
		writeWaker(q.waker.write)
	}
}
