package event

// produce takes one step of a producer.
func (m *model) produce(s *mState, i int) bool {
	p := &s.prod[i]
	me := int8(i + 1)
	switch p.pc {
	case pStart:
		p.p, p.skips, p.behind, p.full = s.tail, 0, 0, false
		p.pc = pLook
	case pLook:
		v := s.ring[m.cell(p.p)]
		v.a, v.b = 0, 0
		p.v = v
		switch lap := m.lap(p.p); {
		case v.lap > lap:
			p.p = max(p.p+1, s.tail) // two accesses in one step: p+1 alone would do
		case v.lap == lap && v.kind != mFree:
			p.p++
			if p.skips == 0 {
				p.behind = p.p
			}
		case v.kind == mFree, v.kind == mReady && m.overwrite:
			p.pc = pClaim
		case v.kind == mReady:
			p.pc = pHead
		default:
			p.pc = pBlocked
		}
	case pHead:
		position := p.v.lap*m.size + m.cell(p.p)
		if position < s.head {
			p.pc = pClaim
		} else {
			m.full(p)
		}
	case pBlocked:
		p.skips++
		if p.skips >= m.size || !m.overwrite && p.p-s.head >= m.size {
			m.full(p)
		} else {
			p.p++
			p.pc = pLook
		}
	case pClaim:
		cell := &s.ring[m.cell(p.p)]
		if !cell.same(p.v) && !m.mutated("claim without comparing") {
			p.pc = pLook
			break
		}
		if m.overwrite && cell.kind == mReady {
			s.lost[cell.a>>4]++
			cell.a, cell.b = 0, 0
		}
		cell.kind, cell.owner, cell.lap = mWriting, me, m.lap(p.p)
		p.behind = 0
		p.pc = pTail
		if m.mutated("publish before the tail") {
			p.pc = pWrite
		}
	case pTail:
		p.t = s.tail
		if p.t > p.p {
			p.pc = pWrite
		} else {
			p.pc = pAdvance
		}
	case pAdvance:
		if s.tail == p.t || m.mutated("store the tail") {
			s.tail = p.p + 1
			p.pc = pWrite
		} else {
			p.pc = pTail
		}
	case pWrite:
		s.ring[m.cell(p.p)].a = int8(i)<<4 + p.n + 1
		p.pc = pPublish
	case pPublish:
		s.ring[m.cell(p.p)].b = int8(i)<<4 + p.n + 1
		cell := &s.ring[m.cell(p.p)]
		switch {
		case cell.owner != me || cell.lap != m.lap(p.p):
			m.fail(s, "producer %d lost its cell", i)
		case cell.kind == mWriting:
			cell.kind, cell.owner = mReady, 0
			m.publish(s, i)
		case cell.kind == mLateWriting:
			p.pc = pLate
			if m.mutated("forget the late mark") {
				cell.kind = mReady
				m.publish(s, i)
			}
		default:
			m.fail(s, "producer %d publishes a cell that is not being written", i)
		}
	case pLate:
		cell := &s.ring[m.cell(p.p)]
		cell.kind, cell.owner = mLateReady, 0
		m.publish(s, i)
	case pHelp:
		s.tail = max(s.tail, p.behind) // a loop of compare-and-swaps in one step
		p.behind = 0
		p.pc = pSleep
	case pSleep:
		if !s.asleep {
			m.posted(s, i)
			break
		}
		p.pc, p.stale = pWake, false
		if m.mutated("mark before the wake-up") {
			s.asleep = false
		}
	case pWake:
		s.fd = true
		p.pc = pWoken
	case pWoken:
		if !p.stale || m.mutated("sleep without epoch") {
			s.asleep = false
		}
		m.posted(s, i)
	case pSpace:
		p.space = s.space
		p.pc = pWaiting
	case pWaiting:
		s.waiting = true
		p.wait = true
		p.pc = pStart
		if m.mutated("wait without a second look") {
			p.pc = pFutex
		}
	case pFutex:
		if s.space == p.space {
			return false
		}
		p.wait = false
		p.pc = pStart
	}
	return true
}

func (m *model) full(p *mProducer) {
	p.full = true
	p.pc = pSleep
	if p.behind > 0 {
		p.pc = pHelp
	}
}

func (m *model) publish(s *mState, i int) {
	s.accepted[i]++
	s.prod[i].pc = pSleep
}

// posted is the end of a post, or of an attempt that found the ring full.
func (m *model) posted(s *mState, i int) {
	p := &s.prod[i]
	switch {
	case p.full && m.wait && !p.wait:
		p.pc = pSpace
		return
	case p.full && m.wait:
		p.pc = pFutex
		return
	case p.full:
		m.drops++
	}
	*p = mProducer{n: p.n + 1, pc: pStart}
	if p.n == m.posts {
		p.pc = pDone
	}
}
