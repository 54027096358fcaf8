package handles

import (
	"sync"
	"sync/atomic"
)

// table600875 is the table of Go's CL 600875, after its author's article
// (withinboredom.info/2024/08/12/optimizing-cgo-handles): a slice of atomic
// pointers, a RWMutex that only growth locks for writing, and a sync.Pool of
// freed indices. It is here to be measured, not to be used: a deleted handle
// silently gives the value of the next one in its slot.
//
// In one point it is kinder than the article. There New searches from index
// 1 when the pool is empty, which takes minutes to fill a million slots;
// here it appends.
type table600875 struct {
	grow  sync.RWMutex
	slots []*atomic.Pointer[entry]
	freed sync.Pool
}

type entry struct{ value any }

var empty = new(entry)

func (t *table600875) New(v any) uintptr {
	e := &entry{v}
	for {
		i, ok := t.freed.Get().(int)
		if !ok {
			slot := new(atomic.Pointer[entry])
			slot.Store(e)
			t.grow.Lock()
			t.slots = append(t.slots, slot)
			i = len(t.slots)
			t.grow.Unlock()
			return uintptr(i)
		}
		t.grow.RLock()
		done := t.slots[i-1].CompareAndSwap(empty, e)
		t.grow.RUnlock()
		if done {
			return uintptr(i)
		}
	}
}

func (t *table600875) Value(h uintptr) any {
	t.grow.RLock()
	defer t.grow.RUnlock()
	if h == 0 || h > uintptr(len(t.slots)) {
		panic("misuse of an invalid handle")
	}
	e := t.slots[h-1].Load()
	if e == empty {
		panic("misuse of a released handle")
	}
	return e.value
}

func (t *table600875) Delete(h uintptr) {
	t.grow.RLock()
	defer t.grow.RUnlock()
	if h == 0 || h > uintptr(len(t.slots)) {
		panic("misuse of an invalid handle")
	}
	if t.slots[h-1].Swap(empty) == empty {
		panic("misuse of a released handle")
	}
	//lint:ignore SA6002 as in the article, whose boxed index is part of its cost
	t.freed.Put(int(h))
}
