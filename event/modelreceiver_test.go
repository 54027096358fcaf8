package event

// receive takes one step of the receiver. choice 1 is the step that the
// receiver may also take: give up waiting for a slow producer, wake by a timer.
func (m *model) receive(s *mState, choice int) bool {
	r := &s.recv
	if choice == 1 && r.pc != cOver && r.pc != cBlock {
		return false
	}
	switch r.pc {
	case cLate:
		if r.k == r.nlate {
			r.k = 0
			r.pc = r.after
			if r.pc == cTake && r.n == 2 {
				r.pc = cFilled
			}
			break
		}
		k := r.late[r.k]
		cell := &s.ring[k]
		switch {
		case cell.kind == mLateReady && r.n == 2:
			r.k = 0
			r.pc = cFilled
		case cell.kind == mLateReady:
			m.lates++
			m.take(r, k, true)
			r.forget(r.k)
		case cell.kind == mLateWriting && s.prod[cell.owner-1].pc == pDead:
			m.reclaims++
			*cell = mCell{kind: mFree, lap: m.freeLap(r, k)}
			r.forget(r.k)
			r.tookNow = 1
		default:
			r.k++
		}
	case cLook:
		if r.n == 2 {
			r.pc = cFilled
			break
		}
		v := s.ring[m.cell(r.scan)]
		v.a, v.b = 0, 0
		r.v = v
		switch lap := m.lap(r.scan); {
		case v.lap > lap:
			r.scan++
		case v.kind == mReady && (v.lap == lap || m.overwrite):
			r.pc, r.after = cLate, cTake
			if m.mutated("do not look at late cells again") {
				r.pc = cTake
			}
		case v.kind == mWriting:
			if r.n > 0 {
				r.pc = cFilled
			} else {
				r.pc = cOver
			}
		default: // nothing here for this position, or a late cell
			r.pc = cVoid
		}
	case cTake:
		cell := &s.ring[m.cell(r.scan)]
		if m.overwrite {
			if !cell.same(r.v) && !m.mutated("take without comparing") {
				r.pc = cLook
				break
			}
			cell.kind = mReading
		}
		m.take(r, m.cell(r.scan), m.overwrite)
		r.scan++
		r.pc = cLook
	case cVoid:
		if s.tail <= r.scan {
			r.pc = cFilled
			break
		}
		switch r.v.kind {
		case mLateWriting, mLateReady, mReading:
			r.scan++
			r.pc = cLook
		default:
			r.pc = cBump
		}
	case cBump:
		cell := &s.ring[m.cell(r.scan)]
		if cell.same(r.v) {
			cell.kind, cell.lap = mFree, m.lap(r.scan)+1
			r.scan++
		} else if m.mutated("pass without voiding") {
			r.scan++
		}
		r.pc = cLook
	case cOver:
		switch {
		case s.tail <= r.scan+1:
			if choice == 1 {
				return false
			}
			r.pc = cFilled
		case choice == 0:
			r.pc = cLook
			if s.ring[m.cell(r.scan)].same(r.v) {
				return false // nothing new: the same state again
			}
		default:
			r.pc = cMark
		}
	case cMark:
		cell := &s.ring[m.cell(r.scan)]
		r.pc = cLook
		if cell.same(r.v) {
			cell.kind = mLateWriting
			r.late[r.nlate] = m.cell(r.scan)
			r.nlate++
			r.scan++
		}
	case cFilled:
		switch {
		case r.n > 0 && r.armed:
			r.pc = cDisarm
		case r.n > 0:
			r.i = 0
			r.pc = cReadA
		case r.tookNow == 1 || r.scan != s.head: // nothing to read, but space to give back
			r.tookNow = 0
			r.i = 0
			r.pc = cHead
		case r.armed:
			r.pc = cBlock
		default:
			r.pc = cArm
		}
	case cReadA:
		r.a = s.ring[r.batch[r.i]].a
		r.pc = cReadB
	case cReadB:
		b := s.ring[r.batch[r.i]].b
		m.deliver(s, r.a, b)
		r.i++
		r.pc = cReadA
		if r.i == r.n {
			r.i = 0
			r.pc = cFree
		}
	case cFree:
		if r.i == r.n {
			r.pc = cHead
			break
		}
		if r.free[r.i] {
			s.ring[r.batch[r.i]] = mCell{kind: mFree, lap: m.freeLap(r, r.batch[r.i])}
		}
		r.i++
	case cHead:
		for k := s.head; k < r.scan; k++ {
			if cell := &s.ring[m.cell(k)]; cell.kind == mReady && cell.lap == m.lap(k) {
				cell.a, cell.b = 0, 0 // nobody reads them any more
			}
		}
		s.head = r.scan
		*r = mReceiver{scan: r.scan, late: r.late, nlate: r.nlate, armed: r.armed, pc: cLate, after: cLook}
		if m.wait {
			r.pc = cNotify
		}
	case cNotify:
		if s.waiting {
			s.waiting = false
			s.space++
		}
		r.pc = cLate
		r.after = cLook
	case cArm:
		s.asleep = true
		s.prod[0].stale, s.prod[1].stale = s.prod[0].pc == pWoken || s.prod[0].pc == pWake, s.prod[1].pc == pWoken || s.prod[1].pc == pWake
		r.armed = true
		r.pc, r.after = cLate, cLook
		if m.mutated("sleep without a second look") {
			r.pc = cBlock
		}
	case cDisarm:
		s.asleep = false
		r.armed = false
		r.pc = cFilled
	case cBlock:
		if choice == 0 {
			if !s.fd {
				return false
			}
			s.fd = false
		} else if !m.newsForTimer(s) {
			return false
		}
		s.asleep = false
		r.armed = false
		r.pc, r.after = cLate, cLook
	}
	return true
}

// newsForTimer keeps the model finite: a timer that finds nothing changes nothing.
func (m *model) newsForTimer(s *mState) bool {
	for _, k := range s.recv.late[:s.recv.nlate] {
		cell := s.ring[k]
		if cell.kind == mLateReady || cell.kind == mLateWriting && s.prod[cell.owner-1].pc == pDead {
			return true
		}
	}
	return false
}

// local says that the next step touches no shared memory, so that its place
// among the steps of the others does not matter.
func (r *mReceiver) local() bool {
	switch r.pc {
	case cFilled:
		return true
	case cLook:
		return r.n == 2
	case cLate:
		return r.k == r.nlate
	case cFree:
		return r.i == r.n || !r.free[r.i]
	}
	return false
}

func (r *mReceiver) forget(k int8) {
	copy(r.late[k:], r.late[k+1:r.nlate])
	r.nlate--
	r.late[r.nlate] = 0
}

func (m *model) take(r *mReceiver, cell int8, free bool) {
	r.batch[r.n], r.free[r.n] = cell, free
	r.n++
}

// freeLap is the first lap in which a cell's position is not below scan.
func (m *model) freeLap(r *mReceiver, cell int8) int8 {
	lap := m.lap(r.scan)
	if cell < m.cell(r.scan) {
		lap++
	}
	return lap
}

func (m *model) deliver(s *mState, a, b int8) {
	if a != b {
		m.fail(s, "torn record %x %x", a, b)
	}
	i, n := a>>4, a&15-1
	if n <= s.last[i] {
		m.fail(s, "producer %d: record %d after %d", i, n, s.last[i])
	}
	s.last[i] = n
	s.got[i]++
	if s.got[i]+s.lost[i] > s.accepted[i] {
		m.fail(s, "producer %d: %d received, %d overwritten, %d accepted", i, s.got[i], s.lost[i], s.accepted[i])
	}
}

// end is a state from which nobody moves.
func (m *model) end(s *mState) {
	m.ends++
	for i := range s.prod {
		if pc := s.prod[i].pc; pc != pDone && pc != pDead && !(pc == pFutex && s.diedBeforeWake) {
			m.fail(s, "producer %d hangs at %d", i, pc)
		}
	}
	if s.recv.pc != cBlock {
		m.fail(s, "the receiver hangs at %d", s.recv.pc)
	}
	if !s.asleep {
		m.fail(s, "the receiver sleeps and the next post would not wake it")
	}
	if s.diedBeforeWake {
		return // the next post wakes the receiver
	}
	for i := range s.prod {
		if s.got[i]+s.lost[i] != s.accepted[i] {
			m.fail(s, "producer %d: %d received, %d overwritten, %d accepted", i, s.got[i], s.lost[i], s.accepted[i])
		}
	}
}
