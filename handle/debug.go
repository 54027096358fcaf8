package handle

import (
	"os"
	"sync"
)

// debugging is set once, before any handle exists.
var debugging = os.Getenv("WHERRY_HANDLE_DEBUG") == "1"

// deletedRecords is how many deleted handles the debug mode remembers.
const deletedRecords = 1 << 16

// records is what the debug mode knows. Its lock is held while a handle is
// deleted, so that whoever finds it deleted finds the stack too.
var records recordTable

type recordTable struct {
	sync.Mutex
	m    map[Handle]*record
	ring [deletedRecords]Handle // deleted handles, oldest at next
	next int
}

type record struct {
	created, deleted Stack
}

func recordNew(h Handle) {
	r := &record{created: callers(2)}
	records.Lock()
	defer records.Unlock()
	if records.m == nil {
		records.m = make(map[Handle]*record)
	}
	records.m[h] = r
}

// deleted keeps the stack of a handle, and forgets the oldest deleted one.
func (t *recordTable) deleted(h Handle, stack Stack) {
	r := t.m[h]
	if r == nil {
		return // created before the debug mode began, in a test
	}
	r.deleted = stack
	delete(t.m, t.ring[t.next])
	t.ring[t.next] = h
	t.next = (t.next + 1) % len(t.ring)
}

func deleteRecorded(h Handle) {
	stack := callers(2)
	s := slotOf(h)
	records.Lock()
	ok := s != nil && s.end(h)
	if ok {
		s.clear()
		records.deleted(h, stack)
	}
	records.Unlock()
	switch {
	case !ok:
		panic(misuse("Delete", h))
	case exhausted(afterDelete(h)):
		shared.retire()
	default:
		giveSlow(uint32(h&indexMask), s)
	}
}

// recorded returns the stacks of a handle, or nil.
func recorded(h Handle) (created, deleted Stack) {
	records.Lock()
	defer records.Unlock()
	if r := records.m[h]; r != nil {
		return r.created, r.deleted
	}
	return nil, nil
}
