package event

// Program counters of the receiver.
const (
	rLate   = iota // look through the late positions
	rLook          // load the state of the cell at scan
	rTail          // nothing there: load tail
	rTake          // state: ready -> reading, if need be
	rReadA         //
	rReadB         //
	rHead          // store head
	rArm           // store sleep
	rOrder         // membarrier
	rBlock         // read the eventfd
	rSeal          // store sleep, sealed
	rSealed        // membarrier
	rDone          // the memory has gone back
)

type lReceiver struct {
	pc, after, scan int8
	late            [laneMost]int8
	nlate, k        int8
	p, v, a         int8
	armed, sealed   bool
}

// receive takes one step of the receiver. choice 1 is the step that it may also
// take: to go past a post, to give up waiting for it, to wake by a timer.
func (m *laneModel) receive(s *lState, choice int) bool {
	r := &s.recv
	if choice == 1 && r.pc != rTail && r.pc != rBlock {
		return false
	}
	switch r.pc {
	case rLate:
		if r.k == r.nlate || m.mutated("take late records last") && r.after == rTake {
			r.k, r.pc = 0, r.after
			break
		}
		p := r.late[r.k]
		switch w := &s.word[stateWord(p)]; *w {
		case laneState(ready, p):
			*w = laneState(reading, p)
			m.lates++
			r.forget()
			r.p, r.pc = p, rReadA
		case laneState(void, p), laneState(shut, p):
			r.forget()
		default:
			r.k++
		}
	case rLook:
		r.v = s.word[stateWord(r.scan)]
		switch r.v {
		case laneState(ready, r.scan):
			r.pc, r.after = rLate, rTake
		case laneState(void, r.scan), laneState(shut, r.scan):
			if r.v&7 == void {
				m.voids++
			}
			r.scan++
			r.pc = rHead
		default:
			r.pc = rTail
		}
	case rTake:
		w := &s.word[stateWord(r.scan)]
		if (r.sealed || r.nlate > 0) && !m.mutated("take without comparing") {
			if *w != r.v {
				r.pc = rLook
				break
			}
			*w = laneState(reading, r.scan)
		}
		r.p, r.pc = r.scan, rReadA
		r.scan++
	case rTail:
		return m.nothing(s, choice)
	case rReadA:
		r.a = s.word[stateWord(r.p)+1]
		r.pc = rReadB
	case rReadB:
		m.deliver(s, r.a, s.word[stateWord(r.p)+2])
		r.a, r.p, r.pc = 0, 0, rHead
	case rHead:
		s.head = r.scan
		if r.nlate > 0 && !m.mutated("head past a late record") {
			s.head = r.late[0]
		}
		if r.armed {
			s.asleep, r.armed = false, false
		}
		r.k, r.v, r.pc, r.after = 0, 0, rLate, rLook
	case rArm:
		s.asleep, r.armed = true, true
		for i := range s.depth {
			f := &s.frames[i]
			f.stale = f.stale || f.pc == oWake || f.pc == oWoken
		}
		r.pc = rOrder
	case rOrder:
		if !m.mutated("sleep without barrier") {
			m.flush(s)
		}
		r.k, r.pc, r.after = 0, rLate, rLook
		if m.mutated("sleep without a second look") {
			r.pc = rBlock
		}
	case rBlock:
		if choice == 0 && !s.fd || choice == 1 && !m.newsForTimer(s) {
			return false
		}
		if choice == 0 {
			s.fd = false
		}
		s.asleep, r.armed = false, false
		r.k, r.pc, r.after = 0, rLate, rLook
	case rSeal:
		s.sealed = true
		r.pc = rSealed
	case rSealed:
		if !m.mutated("seal without barrier") {
			m.flush(s)
		}
		r.sealed = true
		r.k, r.pc, r.after = 0, rLate, rLook
	case rDone:
		return false
	}
	return true
}

// nothing is what the receiver does where no record is.
func (m *laneModel) nothing(s *lState, choice int) bool {
	r := &s.recv
	behind := s.word[wTail] - r.scan
	ended := s.dead && s.stores == 0 // what the kernel says of a thread comes after its stores
	switch {
	case behind > 1 && (choice == 1 || r.sealed):
		r.late[r.nlate] = r.scan
		r.nlate++
		r.scan++
		r.pc, r.v = rLook, 0
	case s.closed == open && choice == 0:
		r.pc, r.v = rArm, 0
		if r.armed {
			r.pc = rBlock
		}
	case s.closed == open:
		return false
	case r.armed:
		s.asleep, r.armed = false, false
	case ended && m.anyRecord(s):
		r.k, r.v, r.pc, r.after = 0, 0, rLate, rLook
	case behind <= 0 && r.nlate == 0 || ended || choice == 1 || r.sealed:
		if !r.sealed {
			if ended {
				r.scan, r.nlate, r.late = max(r.scan, s.word[wTail]), 0, [laneMost]int8{}
			}
			r.pc, r.v = rSeal, 0
			break
		}
		s.closed = gone
		if behind <= 0 && r.nlate == 0 || ended {
			for i := range int8(laneCells) {
				s.word[stateWord(i)] = 0
			}
		}
		*r = lReceiver{pc: rDone}
	default: // it waits
		if r.v == s.word[stateWord(r.scan)] && !m.newsForTimer(s) && !m.anyRecord(s) {
			return false
		}
		r.k, r.v, r.pc, r.after = 0, 0, rLate, rLook
	}
	return true
}

func (m *laneModel) anyRecord(s *lState) bool {
	for p := s.recv.scan; p < s.word[wTail]; p++ {
		if s.word[stateWord(p)] == laneState(ready, p) {
			return true
		}
	}
	return m.newsForTimer(s)
}

// newsForTimer keeps the model finite: a timer that finds nothing changes nothing.
func (m *laneModel) newsForTimer(s *lState) bool {
	r := &s.recv
	for _, p := range r.late[:r.nlate] {
		if v := s.word[stateWord(p)]; v == laneState(ready, p) || v == laneState(void, p) || v == laneState(shut, p) {
			return true
		}
	}
	v := s.word[stateWord(r.scan)]
	return v == laneState(void, r.scan) || s.word[wTail]-r.scan > 1
}

func (r *lReceiver) forget() {
	copy(r.late[r.k:], r.late[r.k+1:r.nlate])
	r.nlate--
	r.late[r.nlate] = 0
}
