package handle

// A Handle stands for a Go value while C has it. It is an integer that fits
// into a uintptr_t, and Pointer gives it the form of a void*. The zero Handle
// is never valid.
//
// A Handle may be used from several goroutines and threads at once.
type Handle uintptr

// NewHandle returns a handle for v, which stays reachable until Delete.
// No two calls ever return the same handle.
//
// It panics with a [*SpaceError] when all handles are used up: more than
// 268,435,455 live ones on a 64-bit platform; on a 32-bit platform more than
// 1,048,575 live ones, or 4,293,914,625 in the life of the process.
//
// Together with Delete it takes about 10 ns (BENCHMARKS.md). It never waits
// for C or for a reader, and takes a lock only when its processor has no free
// slot left, to fetch a batch of them.
func NewHandle(v any) Handle {
	l := acquire()
	s := l.free.pop()
	l.release()
	if s == nil {
		s = takeSlow()
	}
	h := s.put(v)
	if debugging {
		recordNew(h)
	}
	return h
}

// Value returns the value that h was made for. It panics with a [*Error] if
// h is zero, was never issued, or is deleted.
//
// It takes about 2 ns, never blocks, and writes nothing.
func (h Handle) Value() any {
	v, ok := h.Lookup()
	if !ok {
		panic(misuse("Value", h))
	}
	return v
}

// Lookup is Value that returns false where Value panics. A handle that C
// may have kept too long can be tried with it.
func (h Handle) Lookup() (v any, ok bool) {
	if c := chunkOf(h); c != nil {
		at(lookupStart)
		if s := &c[h%chunkSize]; s.holds(h) {
			at(lookupWord)
			v := s.loadValue()
			at(lookupData)
			if s.holds(h) {
				return v, true
			}
		}
	}
	return nil, false
}

// Delete ends the life of h and lets go of its value. From then on h is
// invalid for as long as the process lives, however often its memory is used
// again. Delete panics with a [*Error] if h is zero, was never issued, or is
// deleted; of several racing calls exactly one returns.
//
// It takes a lock once in 64 calls at most.
func (h Handle) Delete() {
	if debugging {
		deleteRecorded(h)
		return
	}
	s := slotOf(h)
	if s == nil || !s.end(h) {
		panic(misuse("Delete", h))
	}
	s.clear()
	if exhausted(afterDelete(h)) {
		shared.retire()
		return
	}
	index := uint32(h & indexMask)
	l := acquire()
	if s.claim(index, l.id) && l.free.add(index, s) {
		l.release()
		at(deleteGiven)
		return
	}
	l.release()
	giveSlow(index, s)
	at(deleteGiven)
}

// Len returns the number of live handles. While others create and delete
// handles it is an estimate; otherwise it is exact.
//
// It takes some microseconds, and waits for others that work on the shared
// list of free slots.
func Len() int {
	return shared.live()
}
