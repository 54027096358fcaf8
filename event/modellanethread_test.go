package event

// Program counters of a post in a lane. A step is one access to shared memory.
const (
	oRoom     = iota // load room, which Close makes 0
	oClosed          // the long way: load closed
	oOver            // another thread had the lane: load tail, head
	oOverLook        // load the state of a cell that it may have left
	oOverVoid        // state: seen -> void
	oTail            // load tail; the limit
	oLimit           // the long way: load tail, and head if the limit is used up
	oReserve         // store tail
	oLook            // load the cell's state
	oGone            // load closed
	oWriteA          // the record's first word
	oWriteB
	oPublish  // store state
	oEnd      // load sleep, which says too whether the lane is sealed
	oHead     // load head
	oWithdraw // state: ready -> shut
	oSleep    // load sleep, after an error
	oWake     // write to the eventfd
	oWoken    // sleep: asleep -> awake
)

// begin is the beginning of a post.
func (m *laneModel) begin(s *lState) {
	if s.depth > 0 {
		m.nested++
	}
	s.frames[s.depth] = lFrame{record: s.begun + 1, late: s.shut}
	s.before[s.begun] = s.returned
	s.begun++
	s.depth++
}

func (m *laneModel) load(s *lState, word int8) int8 {
	for i := s.stores - 1; i >= 0; i-- {
		if s.buffer[i].word == word {
			return s.buffer[i].value
		}
	}
	return s.word[word]
}

// store puts a store into the buffer, if there is room.
func (m *laneModel) store(s *lState, word, value int8) bool {
	if int(s.stores) == len(s.buffer) {
		return false
	}
	s.buffer[s.stores] = lStore{word, value}
	s.stores++
	return true
}

// used reports whether a cell is used for a position, or for a later one.
func (m *laneModel) used(v, p int8) bool { return v>>3 >= p/laneCells && v&7 != free }

// post takes one step of the innermost post.
func (m *laneModel) post(s *lState) bool {
	if s.depth == 0 {
		if s.dead || s.posts == 0 {
			return false
		}
		s.posts--
		m.begin(s)
		return true
	}
	f := &s.frames[s.depth-1]
	switch f.pc {
	case oRoom:
		f.pc = oTail
		if s.shut && !m.mutated("Close leaves the room") || !s.known && !m.mutated("no successor") {
			f.pc = oClosed
		}
	case oClosed:
		f.slow = true
		switch {
		case s.closed != open:
			f.result, f.pc = resultClosed, oSleep
		case !s.known && !m.mutated("no successor"):
			f.pc = oOver
		default:
			f.pc = oLimit
		}
	case oOver:
		f.t, f.p = m.load(s, wTail), s.head
		f.pc = oOverLook
	case oOverLook:
		f.v = m.load(s, stateWord(f.p))
		switch {
		case f.p >= f.t:
			s.known = true
			f.pc = oLimit
		case m.used(f.v, f.p):
			f.p++
		default:
			f.pc = oOverVoid
		}
	case oOverVoid:
		m.flush(s)
		if w := &s.word[stateWord(f.p)]; *w == f.v {
			*w = laneState(void, f.p)
		}
		f.p++
		f.pc = oOverLook
	case oTail:
		f.p = m.load(s, wTail)
		f.pc = oReserve
		if f.p >= s.limit {
			if f.pc = oClosed; f.slow {
				f.result, f.pc = resultFull, oSleep
			}
		}
	case oLimit:
		f.pc = oTail
		if m.load(s, wTail) >= s.limit {
			s.limit = s.head + laneCells
		}
	case oReserve:
		if !m.store(s, wTail, f.p+1) {
			return false
		}
		f.pc = oLook
		if m.mutated("reserve without a second look") {
			f.pc = oWriteA
		}
	case oLook:
		f.pc = oGone
		if m.used(m.load(s, stateWord(f.p)), f.p) {
			if f.pc = oClosed; f.slow {
				f.pc = oLimit
			}
		}
	case oGone:
		f.pc = oWriteA
		if s.closed == gone && !m.mutated("do not ask whether the memory is gone") {
			f.result, f.pc = resultClosed, oSleep
		}
	case oWriteA, oWriteB:
		if !m.store(s, stateWord(f.p)+1+f.pc-oWriteA, f.record) {
			return false
		}
		f.pc++
	case oPublish:
		if !m.store(s, stateWord(f.p), laneState(ready, f.p)) {
			return false
		}
		f.pc = oEnd
	case oEnd:
		switch {
		case s.sealed && !m.mutated("do not ask whether it is sealed"):
			f.pc = oHead
		case s.asleep:
			m.wake(s)
		default:
			m.returns(s)
		}
	case oHead:
		f.pc = oWithdraw
		if f.p < s.head && !m.mutated("withdraw without head") {
			f.pc = oSleep
		}
	case oWithdraw:
		m.flush(s)
		switch w := &s.word[stateWord(f.p)]; {
		case *w == laneState(ready, f.p):
			*w = laneState(shut, f.p)
			f.result = resultClosed
			m.withdrawn++
		case *w&7 != reading && f.p >= s.head:
			f.result = resultClosed
		}
		f.pc = oSleep
	case oSleep:
		if !s.asleep {
			m.returns(s)
			break
		}
		m.wake(s)
	case oWake:
		m.flush(s)
		s.fd = true
		f.pc = oWoken
	case oWoken:
		if !f.stale || m.mutated("sleep without epoch") {
			s.asleep = false
		}
		m.returns(s)
	}
	return true
}

// wake is what a post does that finds the receiver asleep.
func (m *laneModel) wake(s *lState) {
	f := &s.frames[s.depth-1]
	f.pc, f.stale = oWake, false
	if m.mutated("mark before the wake-up") {
		s.asleep = false
	}
}

// returns is the end of a post.
func (m *laneModel) returns(s *lState) {
	s.depth--
	f := s.frames[s.depth]
	s.frames[s.depth] = lFrame{}
	bit := uint8(1) << (f.record - 1)
	if f.result == resultOK {
		if f.late {
			m.fail(s, "record %d was posted after Close", f.record)
		}
		s.returned |= bit
		s.lostWake = false
		return
	}
	if f.result == resultFull {
		m.full++
	}
	s.refused |= bit
	if s.got&bit != 0 {
		m.fail(s, "record %d was received, and its post returns an error", f.record)
	}
}
