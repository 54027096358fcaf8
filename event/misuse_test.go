//go:build linux && cgo && (amd64 || arm64)

package event

import (
	"context"
	"runtime"
	"testing"

	"github.com/wherrygo/wherry/event/internal/cthread"
)

// A child process has no queue: a post there says so, and does not pretend.
func TestPostAfterFork(t *testing.T) {
	q := newQueue(t, Options{})
	runtime.LockOSThread() // the thread has a lane, and so has its copy in the child
	defer runtime.UnlockOSThread()
	if got := post(q, 1, "x"); got != 0 {
		t.Errorf("before: %d", got)
	}
	if got := cthread.PostInChild(q.Pointer()); got != cthread.BadQueue {
		t.Errorf("got %d, want %d (before Linux 4.14 a child has a copy)", got, cthread.BadQueue)
	}
	if got := post(q, 1, "x"); got != 0 {
		t.Errorf("then the parent gets %d", got)
	}
	if s := q.Stats(); s.Posted != 2 {
		t.Errorf("got %+v", s)
	}
}

// However a loop is left, by break, panic, Goexit or a context, after any record
// of a batch, the next receiver goes on with the next record, and a ring that was
// full has room again.
func TestLeavingTheLoop(t *testing.T) {
	for _, lanes := range []int{1, 4} {
		q := newQueue(t, Options{Capacity: 8, Lanes: lanes}) // batches of two
		next, posted := uint64(0), uint64(0)
		see := func(e Event) {
			if e.Tag != next {
				t.Fatalf("got %d, want %d", e.Tag, next)
			}
			next++
		}
		leave := []func(n int){
			func(n int) {
				for e := range q.Events(t.Context()) {
					see(e)
					if n--; n == 0 {
						break
					}
				}
			},
			func(n int) {
				defer func() {
					if recover() != "body" {
						t.Error("no panic")
					}
				}()
				for e := range q.Events(t.Context()) {
					see(e)
					if n--; n == 0 {
						panic("body")
					}
				}
			},
			func(n int) {
				done := make(chan bool)
				go func() {
					defer close(done)
					for e := range q.Events(t.Context()) {
						see(e)
						if n--; n == 0 {
							runtime.Goexit()
						}
					}
				}()
				<-done
			},
			func(n int) {
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				for e := range q.Events(ctx) {
					see(e)
					if n--; n == 0 {
						cancel()
					}
				}
				for range q.Events(ctx) {
					t.Error("a record after the context's end")
				}
			},
		}
		runtime.LockOSThread() // one lane
		defer runtime.UnlockOSThread()
		for round := range 20 {
			for n := 1; n <= 5; n++ {
				for post(q, posted, "x") == 0 {
					posted++
				}
				if posted-next < 7 { // one of a batch that was half received may hold its cell
					t.Fatalf("%d lanes: %d records fill the ring", lanes, posted-next)
				}
				leave[(round+n)%len(leave)](n)
			}
		}
		q.Close()
		for e := range q.Events(t.Context()) {
			see(e)
		}
		if next != posted {
			t.Errorf("%d received, want %d", next, posted)
		}
	}
}

// What the body of a loop may call, and what it is told when it may not.
func TestCallsInTheLoop(t *testing.T) {
	q := newQueue(t, Options{})
	post(q, 1, "one")
	post(q, 2, "two")
	n := 0
	for e := range q.Events(t.Context()) {
		n++
		if err := q.Free(); err != ErrReceiving {
			t.Errorf("Free: %v", err)
		}
		if err := q.Close(); err != nil {
			t.Errorf("Close: %v", err)
		}
		if got := post(q, 3, "x"); got != cthread.Closed {
			t.Errorf("a post after Close: %d", got)
		}
		if s := q.Stats(); s.Posted != 2 {
			t.Errorf("got %+v", s)
		}
		if string(e.Data) != []string{"", "one", "two"}[n] {
			t.Errorf("got %q", e.Data)
		}
	}
	if n != 2 {
		t.Errorf("%d records", n)
	}
}
