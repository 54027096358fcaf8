//go:build linux && cgo && (amd64 || arm64)

package event

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"
	"unsafe"

	"github.com/wherrygo/wherry/event/internal/cthread"
)

func newQueue(t testing.TB, o Options) *Queue {
	t.Helper()
	q, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		q.Close()
		err := q.Free()
		for range 1000 { // a receiver may just be ending
			if err != ErrReceiving {
				break
			}
			time.Sleep(10 * time.Millisecond)
			err = q.Free()
		}
		if err != nil {
			t.Error(err)
		}
	})
	return q
}

func post(q *Queue, tag uint64, text string) int {
	return cthread.Post(q.Pointer(), tag, unsafe.Pointer(unsafe.StringData(text)), len(text), 0)
}

// onWakers runs a test with each kind of wake-up.
func onWakers(t *testing.T, test func(t *testing.T)) {
	t.Run("eventfd", test)
	t.Run("pipe", func(t *testing.T) {
		makeWaker = newPipe
		defer func() { makeWaker = newEventfd }()
		test(t)
	})
}

func TestRecords(t *testing.T) {
	onWakers(t, func(t *testing.T) {
		q := newQueue(t, Options{Timestamps: true})
		texts := []string{"", "wherry", strings.Repeat("x", 96)}
		before := time.Now()
		for i, text := range texts {
			if result := post(q, uint64(i)<<60|7, text); result != 0 {
				t.Fatalf("post %q: %d", text, result)
			}
		}
		i := 0
		for posted, e := range q.Timed(t.Context()) {
			if e.Tag != uint64(i)<<60|7 || string(e.Data) != texts[i] {
				t.Errorf("got %#x %q, want %q", e.Tag, e.Data, texts[i])
			}
			if posted.Before(before.Add(-time.Millisecond)) || time.Since(posted) > time.Minute || time.Since(posted) < -time.Millisecond {
				t.Errorf("posted at %v, that is %v ago", posted, time.Since(posted))
			}
			if i++; i == len(texts) {
				break
			}
		}
		if s := q.Stats(); s.Posted != 3 || s.Received != 3 || s.Dropped != 0 || s.HighWater != 3 || s.WakeUps != 0 {
			t.Errorf("got %+v", s)
		}
	})
}

func TestMistakesAreErrors(t *testing.T) {
	q := newQueue(t, Options{MaxSize: 10})
	var elsewhere [4096]byte
	b := unsafe.Pointer(&elsewhere)
	copied := slices.Clone(unsafe.Slice((*byte)(q.Pointer()), 640))
	aligned := unsafe.Pointer(&elsewhere[-uintptr(b)&63])
	for _, test := range []struct {
		what  string
		queue unsafe.Pointer
		data  unsafe.Pointer
		size  int
		want  int
	}{
		{"nil queue", nil, b, 1, cthread.BadQueue},
		{"other memory", aligned, b, 1, cthread.BadQueue},
		{"not aligned", unsafe.Add(q.Pointer(), 8), b, 1, cthread.BadQueue},
		{"oversized", q.Pointer(), b, 11, cthread.TooBig},
		{"far too large", q.Pointer(), b, -1, cthread.TooBig},
		{"no data", q.Pointer(), nil, 1, cthread.BadData},
		{"largest", q.Pointer(), b, 10, 0},
		{"nothing", q.Pointer(), nil, 0, 0},
	} {
		if got := cthread.Post(test.queue, 0, test.data, test.size, 0); got != test.want {
			t.Errorf("%s: got %d, want %d", test.what, got, test.want)
		}
	}
	copy(unsafe.Slice((*byte)(aligned), 640), copied)
	if got := cthread.Post(aligned, 0, b, 1, 0); got != cthread.BadQueue {
		t.Errorf("a copy of a queue: got %d", got)
	}
	q.Close()
	if got := post(q, 0, "x"); got != cthread.Closed {
		t.Errorf("after Close: got %d", got)
	}
	if s := q.Stats(); s.Posted != 2 || s.Dropped != 0 {
		t.Errorf("got %+v", s)
	}
	for _, o := range []Options{
		{Capacity: -1}, {Capacity: 1}, {MaxSize: -1}, {Full: 3}, {Poll: -1}, {Lanes: -2}, {Lanes: 9},
		{Capacity: 1 << 30, Lanes: 2}, {MaxSize: 1 << 22}, {Capacity: 1 << 30, MaxSize: 1 << 30},
	} {
		if q, err := New(o); err == nil || !strings.HasPrefix(err.Error(), "event: ") {
			t.Errorf("New(%+v): %v, %v", o, q, err)
		}
	}
	if q, err := New(Options{Capacity: 5, Lanes: 3}); err != nil || q.options.Capacity != 8 || len(q.sides) != 1+4 {
		t.Errorf("5 records, 3 lanes: %v", err)
	} else {
		q.Close()
		q.Free()
	}
}

// A receiver that sleeps is woken once, and blocks no thread.
func TestWakeUp(t *testing.T) {
	onWakers(t, func(t *testing.T) {
		q := newQueue(t, Options{})
		got := Chan(t.Context(), q, 0, Event.Clone)
		for i := range uint64(100) {
			for q.header.sleep.Load()&asleep == 0 {
				time.Sleep(10 * time.Microsecond)
			}
			if result := post(q, i, "x"); result != 0 {
				t.Fatal(result)
			}
			if e := <-got; e.Tag != i {
				t.Fatalf("got %d, want %d", e.Tag, i)
			}
		}
		// A receiver that sees the record on its way to sleep needs no waking.
		if s := q.Stats(); s.WakeUps > 100 || s.WakeUps < 50 {
			t.Errorf("got %+v", s)
		}
	})
}

func TestContextEndsReceiving(t *testing.T) {
	onWakers(t, func(t *testing.T) {
		q := newQueue(t, Options{})
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
		defer cancel()
		for range q.Events(ctx) {
			t.Error("a record out of nothing")
		}
		if _, err := q.Batch(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("Batch: %v", err)
		}
		ctx, cancel = context.WithTimeout(t.Context(), 10*time.Millisecond)
		defer cancel()
		if _, err := q.Batch(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("Batch that waits: %v", err)
		}
		post(q, 1, "kept")
		if _, err := q.Batch(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("Batch after the deadline: %v", err)
		}
		if events, err := q.Batch(t.Context()); err != nil || len(events) != 1 || string(events[0].Data) != "kept" {
			t.Errorf("got %v, %v", events, err)
		}
		// A context that ends in the body ends the loop before the next record. No
		// other has left a wake-up in this queue.
		q = newQueue(t, Options{})
		post(q, 2, "")
		post(q, 3, "")
		ctx, cancel = context.WithCancel(t.Context())
		defer cancel()
		for e := range q.Events(ctx) {
			if e.Tag != 2 {
				t.Errorf("got %d after the end", e.Tag)
			}
			cancel()
			q.waker.read.SetReadDeadline(time.Now().Add(time.Minute))
			if _, err := q.waker.read.Read(make([]byte, 64)); err != nil {
				t.Errorf("the context's end wakes nobody: %v", err)
			}
		}
		if events, err := q.Batch(t.Context()); err != nil || len(events) != 1 || events[0].Tag != 3 {
			t.Errorf("got %v, %v", events, err)
		}
	})
}

func TestSecondReceiver(t *testing.T) {
	q := newQueue(t, Options{})
	post(q, 1, "")
	defer func() {
		if r := recover(); r != ErrReceiving {
			t.Errorf("got panic %v", r)
		}
		if _, err := q.Batch(t.Context()); !errors.Is(err, context.Canceled) && err != nil {
			t.Errorf("after the panic: %v", err)
		}
	}()
	for range q.Events(t.Context()) {
		if _, err := q.Batch(t.Context()); err != ErrReceiving {
			t.Errorf("got %v", err)
		}
		post(q, 2, "")
		for range q.Events(t.Context()) {
			t.Error("two receivers")
		}
	}
}
