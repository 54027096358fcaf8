package handle

import "sync"

// shared keeps the free slots that no local holds, sorted by the local that
// owns their cache lines, and hands out slots that were never used.
var shared sharedList

type sharedList struct {
	mu      sync.Mutex
	inbox   [maxLocals + 2]inbox
	ids     uint32 // inboxes below this may have slots
	full    int    // batches in all inboxes
	fresh   uint32 // first slot that was never used
	end     uint32 // end of the last chunk
	free    int    // slots in all inboxes
	retired int
	moves   uint64 // batches taken, stored and sent home, for tests
}

// slotLimit is a variable only for tests.
var slotLimit = maxSlots

// An inbox holds what one local may take back.
type inbox struct {
	full []list // batches
	part list   // fewer than a batch
}

// reserve makes sure that refill finds something. It may allocate a chunk,
// which takes long, so the caller is not pinned.
func (sh *sharedList) reserve() {
	if sh.full != 0 || sh.fresh != sh.end {
		return
	}
	if len(chunks.all)*chunkSize >= slotLimit {
		if sh.free != 0 {
			return
		}
		e := &SpaceError{Slots: int(sh.fresh), Retired: sh.retired}
		sh.mu.Unlock()
		panic(e)
	}
	sh.fresh = addChunk()
	sh.end = sh.fresh + chunkSize
}

// refill returns free slots for a local.
func (sh *sharedList) refill(id uint32) list {
	sh.moves++
	sh.ids = max(sh.ids, id+1)
	in := &sh.inbox[id]
	if n := len(in.full); n != 0 {
		l := in.full[n-1]
		in.full = in.full[:n-1]
		sh.full--
		sh.free -= int(l.n)
		return l
	}
	if in.part.n != 0 {
		l := in.part
		in.part = list{}
		sh.free -= int(l.n)
		return l
	}
	if l := sh.steal(id); l.n != 0 {
		return l
	}
	return sh.unused(id)
}

// steal takes a batch from another local's inbox, so that slots do not pile
// up where they are not used, and moves its cache lines to the thief. Other
// slots of those lines follow when they are deleted next.
func (sh *sharedList) steal(id uint32) (l list) {
	if sh.full == 0 && sh.fresh != sh.end {
		return list{}
	}
	for i := range sh.inbox[:sh.ids] {
		in := &sh.inbox[i]
		if n := len(in.full); n != 0 {
			l = in.full[n-1]
			in.full = in.full[:n-1]
			sh.full--
			break
		}
		if sh.full == 0 && in.part.n != 0 {
			l, in.part = in.part, list{}
			break
		}
	}
	sh.free -= int(l.n)
	l.setHome(id)
	return l
}

// unused returns a batch of slots from whole cache lines.
func (sh *sharedList) unused(id uint32) (l list) {
	first := sh.fresh
	sh.fresh += batch
	for i := range uint32(batch) {
		index := sh.fresh - 1 - i // so that the first slot comes on top
		if index == 0 {
			continue // on 32-bit platforms slot 0 would give the zero handle
		}
		s := slotAt(index)
		storeWord(&s.word, firstWord(index))
		l.add(index, s)
	}
	for index := first; index < first+batch; index += lineSlots {
		setHome(index, id)
	}
	return l
}

// store keeps a full batch for a local.
func (sh *sharedList) store(id uint32, l list) {
	sh.moves++
	sh.ids = max(sh.ids, id+1)
	sh.free += int(l.n)
	sh.full++
	sh.inbox[id].full = append(sh.inbox[id].full, l)
}

// sendHome sorts slots into the inboxes of their owners.
func (sh *sharedList) sendHome(l list) {
	sh.moves++
	sh.free += int(l.n)
	for l.n != 0 {
		index := l.head
		s := l.pop()
		id := homeOf(index)
		sh.ids = max(sh.ids, id+1)
		in := &sh.inbox[id]
		in.part.add(index, s)
		if in.part.n == batch {
			in.full = append(in.full, in.part)
			in.part = list{}
			sh.full++
		}
	}
}

// retire counts a slot that has no generation left.
func (sh *sharedList) retire() {
	sh.mu.Lock()
	sh.retired++
	sh.mu.Unlock()
}

// live counts the slots that are nowhere free.
func (sh *sharedList) live() int {
	sh.mu.Lock()
	defer sh.mu.Unlock()
	n := int(sh.fresh) - sh.free - sh.retired
	if n > 0 {
		n-- // slot 0
	}
	for i := range maxLocals {
		n -= locals[i].size()
	}
	return max(0, n-overflow.size())
}
