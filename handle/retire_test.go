package handle_test

import (
	"errors"
	"runtime"
	"testing"

	"github.com/wherrygo/wherry/handle"
)

// TestLastGenerations ages a slot until it has three handles left, uses
// these, and sees the slot retire.
func TestLastGenerations(t *testing.T) {
	const left = 3
	h := handle.Age(atHome(t), left)
	slot := h & handle.IndexMask
	_, retired := handle.Slots()

	var old []handle.Handle
	for n := 1; ; n++ {
		if v, ok := h.Lookup(); !ok || n > 1 && v != n {
			t.Fatalf("handle %d is %v, %v", n, v, ok)
		}
		h.Delete()
		old = append(old, h)
		if n == left {
			break
		}
		h = reuse(t, slot, n+1)
	}
	if _, now := handle.Slots(); now != retired+1 {
		t.Errorf("%d slots retired, want %d", now, retired+1)
	}
	for range 10_000 {
		h := handle.NewHandle(nil)
		if h&handle.IndexMask == slot {
			t.Fatalf("%#x comes from a retired slot", h)
		}
		h.Delete()
	}
	for _, h := range old {
		if e := caught(t, h.Delete); !errors.Is(e, handle.ErrDeleted) {
			t.Errorf("retired: %v, want already deleted", e)
		}
	}
}

// atHome keeps a test on one P, and returns a handle whose slot that P gives
// again at once. The lines of other slots may belong to Ps that earlier tests
// ran on.
func atHome(t *testing.T) handle.Handle {
	t.Helper()
	old := runtime.GOMAXPROCS(1)
	t.Cleanup(func() { runtime.GOMAXPROCS(old) })
	for range 10_000 {
		h := handle.NewHandle(nil)
		h.Delete()
		again := handle.NewHandle(nil)
		if (h^again)&handle.IndexMask == 0 {
			return again
		}
		t.Cleanup(again.Delete)
	}
	t.Fatal("no slot is given again")
	return 0
}

// reuse creates and deletes handles until a slot gives one again. On one P it
// does at once.
func reuse(t *testing.T, slot handle.Handle, v any) (found handle.Handle) {
	t.Helper()
	for round := range 2000 {
		if !handle.Pinned && round%4 == 3 {
			runtime.GC() // so that the pool forgets, and another local has its turn
		}
		var others []handle.Handle
		for range 4 * handle.Batch {
			h := handle.NewHandle(v)
			if h&handle.IndexMask == slot {
				found = h
				break
			}
			others = append(others, h)
		}
		for _, h := range others {
			h.Delete()
		}
		if found != 0 {
			return found
		}
	}
	t.Fatalf("slot %#x was not used again", slot)
	return 0
}

// TestNeverTheSameHandleTwice is most telling in a build with the tag
// wherry_small, where a slot has four handles.
func TestNeverTheSameHandleTwice(t *testing.T) {
	n := 200_000
	if testing.Short() {
		n = 20_000
	}
	seen := make(map[handle.Handle]bool, n)
	_, before := handle.Slots()
	for range n {
		h := handle.NewHandle(nil)
		if seen[h] {
			t.Fatalf("%#x was issued twice", h)
		}
		seen[h] = true
		h.Delete()
	}
	used, retired := handle.Slots()
	if max := used * handle.Generations; handle.Generations < 1<<20 && n > max {
		t.Errorf("%d handles from %d slots of %d generations", n, used, handle.Generations)
	}
	if want := n/handle.Generations - handle.Batch; retired-before < want {
		t.Errorf("%d slots retired, want at least %d", retired-before, want)
	}
	for h := range seen {
		if _, ok := h.Lookup(); ok {
			t.Fatalf("%#x is alive again", h)
		}
	}
}

func TestOutOfHandles(t *testing.T) {
	first := handle.NewHandle(nil)
	first.Delete()
	used, _ := handle.Slots()
	defer handle.LimitSlots(used)()
	var hs []handle.Handle
	e := func() (e *handle.SpaceError) {
		defer func() { e = recover().(*handle.SpaceError) }()
		for range used + 1<<20 {
			hs = append(hs, handle.NewHandle(nil))
		}
		return nil
	}()
	if e == nil || e.Slots < used || e.Slots < len(hs) {
		t.Fatalf("panic %v after %d handles, want a SpaceError", e, len(hs))
	}
	for _, h := range hs {
		h.Delete()
	}
	h := handle.NewHandle("again") // deleted handles make room
	if h.Value() != "again" {
		t.Error("wrong value")
	}
	h.Delete()
}
