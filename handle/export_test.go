package handle

// What tests see and change of the table.

const (
	Generations = generations
	Pinned      = pinned
	Batch       = batch
	LineSlots   = lineSlots
	IndexMask   = indexMask
	GenOne      = genOne
	FreeBit     = freeBit
	TagBits     = tagBits
)

// Age makes the slot of a live handle look as if it had given all handles
// but the last n, and returns the handle that takes h's place.
func Age(h Handle, n int) Handle {
	old := h & indexMask
	aged := Handle(retireAt) | old
	for range n {
		aged = aged - genOne
		if genFixed != 0 && aged&genFixed == 0 {
			aged = (aged | genFixed) - 2*genFixed
		}
	}
	storeWord(&slotOf(h).word, uintptr(aged))
	return aged
}

// Slots returns how many slots were ever used, and how many are retired.
func Slots() (used, retired int) {
	shared.mu.Lock()
	defer shared.mu.Unlock()
	return int(shared.fresh), shared.retired
}

// Moves counts the batches that went over the shared list.
func Moves() uint64 {
	shared.mu.Lock()
	defer shared.mu.Unlock()
	return shared.moves
}

// LimitSlots makes the table full at n slots, or as many as it has.
func LimitSlots(n int) (restore func()) {
	old := slotLimit
	slotLimit = n
	return func() { slotLimit = old }
}

// CheckLists walks all free lists, and returns what is wrong. No other
// goroutine may use handles.
func CheckLists() string {
	seen := make([]bool, shared.fresh)
	problem := ""
	walk := func(l list) {
		for index := l.head; l.n != 0; l.n-- {
			switch {
			case index >= shared.fresh:
				problem = "index beyond the used slots"
				return
			case seen[index]:
				problem = "slot is free twice"
				return
			}
			seen[index] = true
			s := slotAt(index)
			if Handle(s.word)&indexMask == Handle(index) {
				problem = "live slot in a free list"
			}
			index = s.next
		}
	}
	total := 0
	for i := range shared.inbox {
		in := &shared.inbox[i]
		for _, l := range in.full {
			walk(l)
			total += int(l.n)
		}
		walk(in.part)
		total += int(in.part.n)
	}
	if total != shared.free {
		problem = "shared.free is wrong"
	}
	for i := range maxLocals + 1 {
		l := &locals[i]
		if i == maxLocals {
			l = &overflow
		}
		walk(l.free)
		walk(l.full)
		walk(l.away)
	}
	for index, free := range seen {
		word := Handle(slotAt(uint32(index)).word)
		live := word&indexMask == Handle(index)
		retired := exhausted(uintptr(word))
		if index != 0 && !free && !live && !retired {
			problem = "slot is lost"
		}
	}
	return problem
}

// Recorded returns how many handles the debug mode remembers.
func Recorded() int {
	records.Lock()
	defer records.Unlock()
	return len(records.m)
}
