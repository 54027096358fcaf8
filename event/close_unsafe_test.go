//go:build linux && cgo && (amd64 || arm64)

package event

import (
	"os"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"
	"unsafe"

	"github.com/wherrygo/wherry/event/internal/cthread"
)

// A thread may end, or come too late, with its lane's tail lower than what it and its handler have posted,
// which was received: Close goes by what there was.
func TestCloseWithLowerTail(t *testing.T) {
	q := newQueue(t, Options{Lanes: 2})
	cthread.Start(q.Pointer(), cthread.Job{Count: 3}).Wait()
	got := Chan(t.Context(), q, 3, Event.Clone)
	for i := range 3 {
		if e, ok := receive(t, got); !ok || e.Tag != uint64(i) {
			t.Fatalf("got %+v, %v", e, ok)
		}
	}
	lowered := 0
	for _, s := range q.sides[1:] {
		if tail := s.tail.Load(); tail > s.scan-3 {
			s.tail.Store(tail - 1)
			lowered++
		}
	}
	if lowered == 0 {
		t.Fatal("no lane has records")
	}
	q.Close()
	if e, ok := receive(t, got); !ok || e.Data != nil {
		t.Fatalf("the queue does not end: %+v, %v", e, ok)
	}
	if n := q.Stats().Abandoned; n != 0 {
		t.Errorf("%d records were abandoned", n)
	}
}

// Close lets the records that were posted through, gives the memory and the
// descriptor back, and leaves threads that still post with an error.
func TestClose(t *testing.T) {
	descriptors := func() int {
		entries, err := os.ReadDir("/proc/self/fd")
		if err != nil {
			t.Fatal(err)
		}
		return len(entries)
	}
	closeAfter := 10000
	if testing.Short() { // also under emulation
		closeAfter = 1000
	}
	onWakers(t, func(t *testing.T) {
		before := 0
		for round := range 20 {
			if round == 1 {
				before = descriptors()
			}
			q, err := New(Options{Capacity: 64, Full: Full(round % 3), Lanes: []int{-1, 0, 2, 4}[round%4]})
			if err != nil {
				t.Fatal(err)
			}
			var threads []*cthread.Thread
			for i := range 8 {
				threads = append(threads, cthread.Start(q.Pointer(), cthread.Job{Producer: i, Count: 1 << 40, Again: true, Max: 64}))
			}
			c := newChecker(8, round%3 == int(Overwrite))
			n := 0
			for e := range q.Events(t.Context()) {
				c.check(t, e)
				if n++; n == closeAfter {
					q.Close()
				}
			}
			var posted uint64
			for _, thread := range threads {
				r := thread.Wait()
				posted += r.Posted
				if r.Other != 1 {
					t.Errorf("a thread ended with %+v", r)
				}
			}
			s := q.Stats()
			if posted != c.total+s.Overwritten || s.Received != c.total || s.Posted != posted {
				t.Errorf("%d posted, %d received, %+v", posted, c.total, s)
			}
			if _, err := q.Batch(t.Context()); err != ErrClosed {
				t.Errorf("Batch: %v", err)
			}
			if got := post(q, 0, "x"); got != cthread.Closed {
				t.Errorf("after Close: got %d", got)
			}
			if round%2 == 0 { // not freed: the page remains, the descriptor does not
				if err := q.Free(); err != nil || q.Stats() != s {
					t.Errorf("Free: %v, %+v", err, q.Stats())
				}
			}
		}
		if after := descriptors(); after > before {
			t.Errorf("%d descriptors before, %d after", before, after)
		}
	})
}

func TestFreeWantsClose(t *testing.T) {
	q := newQueue(t, Options{})
	if err := q.Free(); err == nil || !strings.Contains(err.Error(), "Close it first") {
		t.Errorf("got %v", err)
	}
	if post(q, 0, "x") != 0 {
		t.Error("Free of an open queue did something")
	}
}

// Waiting threads return when the queue is closed, also if nobody receives.
func TestCloseWakesWaitingThreads(t *testing.T) {
	for _, lanes := range []int{-1, 1} {
		q := newQueue(t, Options{Capacity: 4, Full: Wait, Lanes: lanes})
		thread := cthread.Start(q.Pointer(), cthread.Job{Count: 10})
		for q.sides[len(q.sides)-1].waiting.Load() == 0 {
			time.Sleep(time.Millisecond)
		}
		time.Sleep(10 * time.Millisecond)
		q.Close()
		if r := thread.Wait(); r.Posted != 4 || r.Other != 1 {
			t.Errorf("%d lanes: got %+v", lanes, r)
		}
	}
}

// A queue that the program forgot goes on working for C.
func TestForgottenQueue(t *testing.T) {
	pointer := func() unsafe.Pointer {
		q, err := New(Options{})
		if err != nil {
			t.Fatal(err)
		}
		return q.Pointer()
	}()
	for range 3 {
		runtime.GC()
		if got := cthread.PostMany(pointer, 0, 100); got != 0 {
			t.Errorf("got %d", got)
		}
	}
}

// After Free nothing touches the memory any more.
func TestReceiveAfterFree(t *testing.T) {
	q, err := New(Options{})
	if err != nil {
		t.Fatal(err)
	}
	post(q, 1, "never received")
	q.Close()
	for range 2 {
		if err := q.Free(); err != nil {
			t.Error(err)
		}
	}
	for range q.Events(t.Context()) {
		t.Error("a record")
	}
	if _, err := q.Batch(t.Context()); err != ErrClosed {
		t.Errorf("Batch: %v", err)
	}
	if err := q.Close(); err != nil {
		t.Error(err)
	}
	if s := q.Stats(); s.Posted != 1 || s.Received != 0 {
		t.Errorf("got %+v", s)
	}
	defer func() {
		if recover() == nil {
			t.Error("Pointer after Free does not panic")
		}
	}()
	q.Pointer()
}

// The records' memory goes back at the end of Close: the pages are not resident.
func TestCloseGivesMemoryBack(t *testing.T) {
	q := newQueue(t, Options{Capacity: 1 << 12, MaxSize: 4000})
	resident := func() (pages int) {
		memory := q.memory[headerSize:]
		vec := make([]byte, len(memory)/os.Getpagesize())
		_, _, errno := syscall.Syscall(syscall.SYS_MINCORE,
			uintptr(unsafe.Pointer(&memory[0])), uintptr(len(memory)), uintptr(unsafe.Pointer(&vec[0])))
		if errno != 0 {
			t.Skipf("mincore: %v", errno)
		}
		for _, v := range vec {
			pages += int(v & 1)
		}
		return pages
	}
	if n := resident(); n > 0 {
		t.Errorf("%d pages before anybody posts", n)
	}
	victim, _ := cthread.NewVictim(q.Pointer(), 0, 0, -1, cthread.Stay, 0)
	if victim.Wait(); resident() < 4000 {
		t.Errorf("%d pages after wherry_event_thread: a post would wait for them", resident())
	}
	q.Close()
	for range q.Events(t.Context()) {
	}
	if n := resident(); n > 0 {
		t.Errorf("%d pages after Close", n)
	}
	late, _ := cthread.NewVictim(q.Pointer(), 0, 0, -1, cthread.Stay, 0)
	if late.Wait(); resident() > 0 {
		t.Errorf("%d pages after wherry_event_thread of a closed queue", resident())
	}
}
