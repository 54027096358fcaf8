package event

import (
	"fmt"
	"os"
	"strconv"
	"testing"
)

// This file is a model of the ring: the algorithm of wherry_event.h and of
// receiver.go as machines that take one step for each access to shared
// memory. The test tries every interleaving of two producers and the receiver,
// and lets a producer die between any two steps. What it assumes is that
// single accesses are sequentially consistent; ThreadSanitizer checks the
// ordering of the plain accesses between them (header_test.go).

// modelPosts is how many records each producer posts: with 3 the whole test takes
// many minutes, and its largest setting some 7 GB.
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
	pLook             // load the cell's state
	pHead             // an older record is there: load head
	pBlocked          // a cell that cannot be had: load head
	pClaim            // state: what was seen -> writing
	pTail             // load tail
	pAdvance          // tail: t -> position+1
	pWrite            // the record's first word
	pPublish          // the second; state: writing -> ready
	pLate             // state: late ready
	pHelp             // full: the tail past the cells that others hold
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
	cLate   = iota // look through the late cells
	cLook          // load the state of the cell at scan
	cTake          // overwrite: ready -> reading
	cVoid          // load tail, then see
	cBump          // state: seen -> free from the next lap on
	cOver          // load tail: is there anything behind a cell that is being written?
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
	late    [4]int8 // cells that were passed, oldest first
	nlate   int8
	k       int8    // place in late
	after   int8    // pc after cLate
	batch   [2]int8 // cells
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
	exploration[mState]
	size      int8 // cells
	posts     int8
	kills     int8
	overwrite bool
	wait      bool
	ends      int
	lates     int
	reclaims  int
	drops     int
}

// run explores all states, and returns what is wrong with the first that is.
func (m *model) run() (wrong string) {
	s := mState{last: [2]int8{-1, -1}}
	s.recv.after = cLook
	return m.explore(s, m.successors)
}

func (m *model) push(s mState) {
	m.forget(&s)
	m.exploration.push(s)
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

func (m *model) cell(p int8) int8 { return p % m.size }
func (m *model) lap(p int8) int8  { return p / m.size }

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
				t.Skip("some seconds: set WHERRY_EVENT_MODEL=2")
			}
			if wrong := m.run(); wrong != "" {
				t.Fatal(wrong)
			}
			t.Logf("%d states, %d ends, %d late records, %d cells reclaimed, %d drops", m.seen.n, m.ends, m.lates, m.reclaims, m.drops)
			if m.ends == 0 || m.lates == 0 || m.kills > 0 && m.reclaims == 0 {
				t.Error("the model did not reach what it is for")
			}
		})
	}
}

// The model finds each of these mistakes: it can fail.
func TestModelFindsMistakes(t *testing.T) {
	findsMistakes(t, 500_000, func() []*model { return append(models(2), models(3)...) },
		"claim without comparing",
		"store the tail",
		"publish before the tail",
		"forget the late mark",
		"mark before the wake-up",
		"sleep without epoch",
		"do not look at late cells again",
		"take without comparing",
		"pass without voiding",
		"sleep without a second look",
		"wait without a second look",
	)
}
