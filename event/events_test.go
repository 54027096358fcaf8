//go:build linux && cgo && (amd64 || arm64)

package event

import (
	"context"
	"testing"
	"time"

	"github.com/wherrygo/wherry/event/internal/cthread"
)

// lateContext is done while its Err says that it is not.
type lateContext struct {
	context.Context
	cancel func()
}

func (c lateContext) Err() error {
	err := c.Context.Err()
	c.cancel()
	time.Sleep(50 * time.Millisecond) // what is to run after it runs
	return err
}

// Where a filter comes to forbid membarrier threads pass a barrier by themselves.
func TestBarrierIsForbidden(t *testing.T) {
	defer func(f func() bool) { orderThreads = f }(orderThreads)
	orderThreads = func() bool { return false }
	q := newQueue(t, Options{})
	got := Chan(t.Context(), q, 0, Event.Clone)
	for i := range uint64(100) {
		if result := post(q, i, "record"); result != 0 {
			t.Fatalf("post returned %d", result)
		}
		if e, ok := receive(t, got); !ok || e.Tag != i {
			t.Fatalf("got %+v, %v", e, ok)
		}
	}
	if q.header.sleep.Load()&fence == 0 {
		t.Error("threads need not do it")
	}
}

// Events ends soon after its context does, also where records keep coming.
func TestContextEndsAtTheBeginning(t *testing.T) {
	const capacity = 1024
	q := newQueue(t, Options{Capacity: capacity, Full: Wait})
	cthread.Start(q.Pointer(), cthread.Job{Count: capacity / 2}).Wait()
	thread := cthread.Start(q.Pointer(), cthread.Job{Count: 1 << 40})
	ctx, cancel := context.WithCancel(t.Context())
	n := 0
	for range q.Events(lateContext{ctx, cancel}) {
		if n++; n == 100_000 {
			t.Error("Events goes on")
			break
		}
		for range 500 { // longer than a post takes: a receiver that waits would look at the context again
		}
	}
	q.Close()
	for range q.Events(t.Context()) { // what a post waits for
	}
	thread.Wait()
}
