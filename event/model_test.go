package event

import (
	"fmt"
	"hash/maphash"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// This file is a model of the ring: the algorithm of wherry_event.h and of
// receive_unsafe.go as machines that take one step for each access to shared
// memory. The test tries every interleaving of two producers and the receiver,
// and lets a producer die between any two steps. What it assumes is that
// single accesses are sequentially consistent; ThreadSanitizer checks the
// ordering of the plain accesses between them (sanitizer_test.go).

// modelPosts is how many records each producer posts: with 3 the whole test takes
// half an hour, and its largest setting some 7 GB.
func modelPosts(t *testing.T) int8 {
	text := os.Getenv("WHERRY_EVENT_MODEL")
	if text == "" {
		return 2
	}
	n, err := strconv.ParseInt(text, 10, 8)
	if err != nil {
		t.Fatalf("WHERRY_EVENT_MODEL: %v, want a number of posts", err)
	}
	return int8(n)
}

const (
	mFree = iota // claimable from its lap on
	mWriting
	mReady
	mReading // overwrite: the receiver has it
	mLateWriting
	mLateReady
)

type mCell struct {
	kind, owner, lap int8
	a, b             int8 // the record, in two words: producer*16 + number
}

func (c mCell) same(v mCell) bool { return c.kind == v.kind && c.owner == v.owner && c.lap == v.lap }

// Program counters of a producer.
const (
	pStart     = iota // load tail
	pLook             // load the slot's state
	pHead             // an older record is there: load head
	pBlocked          // a slot that cannot be had: load head
	pClaim            // state: what was seen -> writing
	pTail             // load tail
	pAdvance          // tail: t -> position+1
	pWrite            // the record's first word
	pPublish          // the second; state: writing -> ready
	pLate             // state: late ready
	pHelp             // full: the tail past the slots that others hold
	pSleep            // load sleep
	pWake             // write to the eventfd
	pWoken            // sleep: asleep -> awake
	pSpace            // wait: load space
	pWaiting          // wait: store waiting
	pFutex            // wait: block while space is unchanged
	pDone             //
	pDead             //
	pPublished = pSleep
)

type mProducer struct {
	pc         int8
	n          int8 // posts made
	p, t       int8 // position, tail
	v          mCell
	stale      bool // the receiver has gone to sleep anew since the sleep word was read
	full, wait bool
	space      int8
	skips      int8
	behind     int8 // position after the last that was found taken, or 0
}

// Program counters of the receiver.
const (
	cLate   = iota // look through the late slots
	cLook          // load the state of the slot at scan
	cTake          // overwrite: ready -> reading
	cVoid          // load tail, then see
	cBump          // state: seen -> free from the next lap on
	cOver          // load tail: is there anything behind a slot that is being written?
	cMark          // state: writing -> late writing
	cFilled        //
	cReadA         //
	cReadB         //
	cFree          // late, overwrite: store free
	cHead          // store head
	cNotify        // wait: load waiting, wake
	cArm           // store sleep
	cDisarm        //
	cBlock         // read the eventfd
)

type mReceiver struct {
	pc      int8
	scan    int8
	v       mCell
	late    [4]int8 // slots that were passed, oldest first
	nlate   int8
	k       int8    // place in late
	after   int8    // pc after cLate
	batch   [2]int8 // slots
	free    [2]bool // must be freed by a store
	n, i    int8
	a       int8
	armed   bool
	tookNow int8
}

type mState struct {
	ring           [4]mCell
	tail, head     int8
	asleep         bool
	fd             bool // the eventfd is readable
	space          int8
	waiting        bool
	prod           [2]mProducer
	recv           mReceiver
	last           [2]int8 // last number received
	accepted, got  [2]int8
	lost           [2]int8 // overwritten
	kills          int8
	diedBeforeWake bool
}

type model struct {
	size      int8 // slots
	posts     int8
	kills     int8
	overwrite bool
	wait      bool
	limit     int // of states; 0: none
	mutation  string
	seen      fingerprints
	stack     []mState
	seed      maphash.Seed
	ends      int
	lates     int
	reclaims  int
	drops     int
}

type mError struct {
	what  string
	state mState
}

func (e *mError) Error() string { return fmt.Sprintf("%s in %+v", e.what, e.state) }

func (m *model) fail(s *mState, format string, args ...any) {
	panic(&mError{fmt.Sprintf(format, args...), *s})
}

func (m *model) mutated(name string) bool { return m.mutation == name }

// run explores all states, and returns the first error.
func (m *model) run() (err error) {
	defer func() {
		if r := recover(); r != nil {
			e, ok := r.(*mError)
			if !ok {
				panic(r)
			}
			err = e
		}
	}()
	m.seed = maphash.MakeSeed()
	m.seen = fingerprints{}
	var s mState
	s.last = [2]int8{-1, -1}
	s.recv.after = cLook
	m.push(s)
	for len(m.stack) > 0 && (m.limit == 0 || m.seen.n < m.limit) {
		s := m.stack[len(m.stack)-1]
		m.stack = m.stack[:len(m.stack)-1]
		m.successors(&s)
	}
	return nil
}

func (m *model) push(s mState) {
	// A 64-bit hash may take two states for one: with 10 million states the
	// chance is 3 in a million, with 310 million 3 in a thousand, and the seed is
	// another one in every run.
	m.forget(&s)
	if m.seen.add(maphash.Comparable(m.seed, s)) {
		m.stack = append(m.stack, s)
	}
}

// forget clears what nobody will read, so that states that differ in nothing
// else are one.
func (m *model) forget(s *mState) {
	for i := range s.prod {
		p := &s.prod[i]
		switch {
		case p.pc == pDead || p.pc == pDone:
			*p = mProducer{pc: p.pc}
		case p.pc >= pSpace:
			*p = mProducer{pc: p.pc, n: p.n, space: p.space, wait: p.wait, full: p.full}
		case p.pc >= pSleep:
			p.p, p.t, p.v, p.skips = 0, 0, mCell{}, 0
		case p.pc >= pTail:
			p.v, p.skips = mCell{}, 0
			if p.pc >= pWrite {
				p.t = 0
			}
		}
	}
	r := &s.recv
	if r.pc < cReadA {
		switch r.pc {
		case cTake, cVoid, cBump, cOver, cMark:
		default:
			if r.pc != cLate || r.after != cTake {
				r.v = mCell{}
			}
		}
	} else {
		r.v, r.after = mCell{}, 0
	}
	if r.pc != cReadB {
		r.a = 0
	}
}

func (m *model) successors(s *mState) {
	if s.tail > 100 || s.recv.scan > 100 {
		m.fail(s, "no end")
	}
	moved := false
	for i := range s.prod {
		pc := s.prod[i].pc
		if pc == pDone || pc == pDead {
			continue
		}
		next := *s
		if m.produce(&next, i) {
			moved = true
			m.push(next)
		}
		if s.kills < m.kills {
			next := *s
			next.kills++
			next.prod[i].pc = pDead
			if pc >= pSleep && pc <= pWake && !s.prod[i].full {
				next.diedBeforeWake = true
			}
			m.push(next)
		}
	}
	for choice := range 2 {
		next := *s
		if m.receive(&next, choice) {
			for next.recv.local() {
				m.receive(&next, 0)
			}
			moved = true
			m.push(next)
		}
	}
	if !moved {
		m.end(s)
	}
}

func (m *model) slot(p int8) int8 { return p % m.size }
func (m *model) lap(p int8) int8  { return p / m.size }

// claimed says whether the slot is taken for position p, or for a later one.
func (m *model) produce(s *mState, i int) bool {
	p := &s.prod[i]
	me := int8(i + 1)
	switch p.pc {
	case pStart:
		p.p, p.skips, p.behind, p.full = s.tail, 0, 0, false
		p.pc = pLook
	case pLook:
		v := s.ring[m.slot(p.p)]
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
		position := p.v.lap*m.size + m.slot(p.p)
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
		cell := &s.ring[m.slot(p.p)]
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
		s.ring[m.slot(p.p)].a = int8(i)<<4 + p.n + 1
		p.pc = pPublish
	case pPublish:
		s.ring[m.slot(p.p)].b = int8(i)<<4 + p.n + 1
		cell := &s.ring[m.slot(p.p)]
		switch {
		case cell.owner != me || cell.lap != m.lap(p.p):
			m.fail(s, "producer %d lost its slot", i)
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
			m.fail(s, "producer %d publishes a slot that is not being written", i)
		}
	case pLate:
		cell := &s.ring[m.slot(p.p)]
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
		v := s.ring[m.slot(r.scan)]
		v.a, v.b = 0, 0
		r.v = v
		switch lap := m.lap(r.scan); {
		case v.lap > lap:
			r.scan++
		case v.kind == mReady && (v.lap == lap || m.overwrite):
			r.pc, r.after = cLate, cTake
			if m.mutated("do not look at late slots again") {
				r.pc = cTake
			}
		case v.kind == mWriting:
			if r.n > 0 {
				r.pc = cFilled
			} else {
				r.pc = cOver
			}
		default: // nothing here for this position, or a late slot
			r.pc = cVoid
		}
	case cTake:
		cell := &s.ring[m.slot(r.scan)]
		if m.overwrite {
			if !cell.same(r.v) && !m.mutated("take without comparing") {
				r.pc = cLook
				break
			}
			cell.kind = mReading
		}
		m.take(r, m.slot(r.scan), m.overwrite)
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
		cell := &s.ring[m.slot(r.scan)]
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
			if s.ring[m.slot(r.scan)].same(r.v) {
				return false // nothing new: the same state again
			}
		default:
			r.pc = cMark
		}
	case cMark:
		cell := &s.ring[m.slot(r.scan)]
		r.pc = cLook
		if cell.same(r.v) {
			cell.kind = mLateWriting
			r.late[r.nlate] = m.slot(r.scan)
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
			if cell := &s.ring[m.slot(k)]; cell.kind == mReady && cell.lap == m.lap(k) {
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

func (m *model) take(r *mReceiver, slot int8, free bool) {
	r.batch[r.n], r.free[r.n] = slot, free
	r.n++
}

// freeLap is the first lap in which a slot's position is not below scan.
func (m *model) freeLap(r *mReceiver, slot int8) int8 {
	lap := m.lap(r.scan)
	if slot < m.slot(r.scan) {
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

func (m *model) String() string {
	mode := "drop"
	if m.overwrite {
		mode = "overwrite"
	} else if m.wait {
		mode = "wait"
	}
	return fmt.Sprintf("%s,ring=%d,posts=%d,kills=%d", mode, m.size, m.posts, m.kills)
}

func models(posts int8) []*model {
	var all []*model
	for _, kills := range []int8{0, 1} {
		for _, size := range []int8{4, 2} {
			all = append(all,
				&model{size: size, posts: posts, kills: kills},
				&model{size: size, posts: posts, kills: kills, overwrite: true},
				&model{size: size, posts: posts, kills: kills, wait: true})
		}
	}
	return all
}

// Every interleaving of two producers and a receiver on a ring of four, and
// of two: nothing is lost, nothing comes twice or torn, each producer's records
// come in order, nobody hangs; also if one producer dies in mid-post.
func TestModel(t *testing.T) {
	posts := modelPosts(t)
	all := models(posts)
	if posts == 2 {
		all = append(all, &model{size: 4, posts: 3}) // so that a ring of four gets full
	}
	for _, m := range all {
		t.Run(m.String(), func(t *testing.T) {
			if testing.Short() && (m.posts > 2 || m.wait && m.size == 2) {
				t.Skip("-short")
			}
			if os.Getenv("WHERRY_EVENT_MODEL") == "" && m.wait && m.size == 2 && m.kills > 0 {
				t.Skip("half a minute: set WHERRY_EVENT_MODEL=2")
			}
			if err := m.run(); err != nil {
				t.Fatal(err)
			}
			t.Logf("%d states, %d ends, %d late records, %d slots reclaimed, %d drops", m.seen.n, m.ends, m.lates, m.reclaims, m.drops)
			if m.ends == 0 || m.lates == 0 || m.kills > 0 && m.reclaims == 0 {
				t.Error("the model did not reach what it is for")
			}
		})
	}
}

// The model finds each of these mistakes: it can fail.
func TestModelFindsMistakes(t *testing.T) {
	for _, mutation := range []string{
		"claim without comparing",
		"store the tail",
		"publish before the tail",
		"forget the late mark",
		"mark before the wake-up",
		"sleep without epoch",
		"do not look at late slots again",
		"take without comparing",
		"pass without voiding",
		"sleep without a second look",
		"wait without a second look",
	} {
		t.Run(strings.ReplaceAll(mutation, " ", "-"), func(t *testing.T) {
			found := slices.ContainsFunc(append(models(2), models(3)...), func(m *model) bool {
				m.mutation, m.limit = mutation, 500_000
				err := m.run()
				if err != nil {
					text := err.Error()
					t.Logf("%v: %s", m, text[:strings.Index(text, " in {")])
				}
				return err != nil
			})
			if !found {
				t.Error("no interleaving shows it")
			}
		})
	}
}
