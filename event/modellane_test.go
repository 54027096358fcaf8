package event

import (
	"fmt"
	"os"
	"testing"
)

// This file and those whose names begin with its name are a model of a lane: its
// thread, whose posts signal handlers interrupt, and the receiver. The thread's stores
// wait in a buffer and leave it in any order that release allows, as processors do:
// what a lane saves are the barriers, and the receiver's have to do. The test tries
// every interleaving, and death before any step.

const (
	laneCells = 2
	laneMost  = 5 // records
)

// The words of memory that the thread writes.
const (
	wTail = iota
	wCell // then three for each cell: state, and the record in two words
	wEnd  = wCell + 3*laneCells
)

type lStore struct{ word, value int8 }

// A lFrame is a post, or one that a handler makes in it.
type lFrame struct {
	pc, record int8
	p, t, v    int8
	result     int8
	slow       bool // the long way
	late       bool // it began after Close had returned
	stale      bool // the receiver has gone to sleep anew since the sleep word was read
}

const (
	resultOK = iota
	resultFull
	resultClosed
)

type lState struct {
	word   [wEnd]int8
	buffer [6]lStore
	stores int8
	// By the receiver.
	head, closed int8
	asleep, fd   bool
	sealed       bool
	shut         bool // Close has taken the room and returned
	// The thread's own.
	limit          int8
	known          bool // the lane's owner is this thread
	frames         [3]lFrame
	depth          int8
	posts          int8 // of the thread that are still to come
	handlers       int8 // to come
	begun          int8 // records
	dead, diedOnce bool
	lostWake       bool
	mayClose       bool
	recv           lReceiver
	returned       uint8           // records whose post returned 0
	refused        uint8           // records whose post returned an error
	got            uint8           // records received
	before         [laneMost]uint8 // records that had been posted when this one's post began
}

type laneModel struct {
	exploration[lState]
	posts, handlers int8
	deaths, close   bool
	ends, lates     int
	nested, voids   int
	withdrawn, full int
}

func (m *laneModel) String() string {
	return fmt.Sprintf("posts=%d,handlers=%d,deaths=%v,close=%v", m.posts, m.handlers, m.deaths, m.close)
}

// run explores all states, and returns what is wrong with the first that is.
func (m *laneModel) run() (wrong string) {
	return m.explore(lState{posts: m.posts, handlers: m.handlers, known: true, mayClose: m.close, limit: laneCells,
		recv: lReceiver{after: rLook}}, m.successors)
}

func (m *laneModel) successors(s *lState) {
	moved := false
	try := func(step func(s *lState) bool) {
		next := *s
		if step(&next) {
			moved = true
			m.push(next)
		}
	}
	for i := range s.stores {
		try(func(s *lState) bool { return m.leave(s, i) })
	}
	try(m.post)
	if s.depth > 0 && int(s.depth) < len(s.frames) && s.handlers > 0 { // a signal
		try(func(s *lState) bool {
			s.handlers--
			m.begin(s)
			return true
		})
	}
	if m.deaths && !s.diedOnce && s.depth > 0 {
		try(func(s *lState) bool {
			s.dead, s.diedOnce, s.known = true, true, false
			s.lostWake = true
			s.frames, s.depth = [3]lFrame{}, 0
			return true
		})
	}
	if s.dead && s.stores == 0 && s.posts > 0 { // a new thread with the old one's memory
		try(func(s *lState) bool { s.dead = false; return true })
	}
	if s.mayClose && s.closed == open {
		try(func(s *lState) bool { s.closed = closing; return true })
	}
	if s.closed != open && !s.shut { // Close goes on
		try(func(s *lState) bool { s.shut, s.fd = true, true; return true })
	}
	for choice := range 2 {
		try(func(s *lState) bool { return m.receive(s, choice) })
	}
	if !moved {
		m.end(s)
	}
}

// leave lets a store become visible, unless one that waits before it must be first.
func (m *laneModel) leave(s *lState, i int8) bool {
	w := s.buffer[i].word
	release := w >= wCell && (w-wCell)%3 == 0 && !m.mutated("publish without release")
	for j := range i {
		if release || s.buffer[j].word == w {
			return false
		}
	}
	s.word[w] = s.buffer[i].value
	copy(s.buffer[i:], s.buffer[i+1:s.stores])
	s.stores--
	s.buffer[s.stores] = lStore{}
	return true
}

// flush makes all stores visible: a barrier.
func (m *laneModel) flush(s *lState) {
	for s.stores > 0 {
		m.leave(s, 0)
	}
}

func stateWord(p int8) int8 { return wCell + p%laneCells*3 }

// A state as the model has it: kind and lap.
func laneState(kind, p int8) int8 { return p/laneCells<<3 | kind }

func (m *laneModel) deliver(s *lState, a, b int8) {
	if a != b || a == 0 {
		m.fail(s, "torn record %d %d", a, b)
	}
	bit := uint8(1) << (a - 1)
	if s.got&bit != 0 {
		m.fail(s, "record %d comes twice", a)
	}
	if s.refused&bit != 0 {
		m.fail(s, "record %d comes, and its post returned an error", a)
	}
	for r := range int(s.begun) {
		if s.got&(1<<r) != 0 && s.before[r]&bit != 0 {
			m.fail(s, "record %d comes after %d, which was posted later", a, r+1)
		}
	}
	s.got |= bit
}

// end is a state from which nobody moves.
func (m *laneModel) end(s *lState) {
	m.ends++
	if s.depth > 0 || s.posts > 0 && !s.dead {
		m.fail(s, "the thread hangs")
	}
	if s.closed == open && !s.asleep || s.closed != open && s.recv.pc != rDone {
		m.fail(s, "the receiver hangs")
	}
	if s.closed == open && !s.dead && s.recv.nlate > 0 {
		m.fail(s, "a dead thread's cell is lost")
	}
	if s.lostWake && s.closed == open {
		return // the next post wakes the receiver
	}
	if s.returned&^s.got != 0 {
		m.fail(s, "records %b were posted, %b were received", s.returned, s.got)
	}
}

func laneModels(all bool) []*laneModel {
	models := []*laneModel{
		{posts: 4},
		{posts: 2, handlers: 1},
		{posts: 2, handlers: 2},
		{posts: 3, handlers: 1, close: true},
		{posts: 3, deaths: true},
		{posts: 2, handlers: 1, deaths: true},
		{posts: 2, handlers: 1, deaths: true, close: true},
	}
	if all {
		models = append(models, &laneModel{posts: 2, handlers: 2, deaths: true}) // a quarter of a minute
	}
	return models
}

// Every interleaving of a lane's thread, its signal handlers and the receiver, with
// stores that are delayed: nothing is lost, nothing comes twice, torn or out of
// order, nobody hangs, and what a post returned is true; also if the thread dies in
// mid-post and another takes its place, and if the queue is closed.
func TestLaneModel(t *testing.T) {
	for _, m := range laneModels(os.Getenv("WHERRY_EVENT_MODEL") != "") {
		t.Run(m.String(), func(t *testing.T) {
			if testing.Short() && m.posts+m.handlers > 3 {
				t.Skip("-short")
			}
			if wrong := m.run(); wrong != "" {
				t.Fatal(wrong)
			}
			t.Logf("%d states, %d ends, %d late, %d nested, %d void, %d withdrawn, %d full",
				m.seen.n, m.ends, m.lates, m.nested, m.voids, m.withdrawn, m.full)
			if m.ends == 0 || m.handlers > 0 && (m.lates == 0 || m.nested == 0) || m.deaths && m.voids == 0 || m.close && m.withdrawn == 0 {
				t.Error("the model did not reach what it is for")
			}
		})
	}
}

// The model finds each of these mistakes: it can fail.
func TestLaneModelFindsMistakes(t *testing.T) {
	findsMistakes(t, 2_000_000, func() []*laneModel { return laneModels(false) },
		"publish without release",
		"reserve without a second look",
		"sleep without barrier",
		"seal without barrier",
		"sleep without a second look",
		"mark before the wake-up",
		"sleep without epoch",
		"head past a late record",
		"take late records last",
		"take without comparing",
		"withdraw without head",
		"no successor",
		"do not ask whether it is sealed",
		"do not ask whether the memory is gone",
		"Close leaves the room",
	)
}
