package handle

import (
	"runtime"
	"sync/atomic"
	"unsafe"
)

// The table is a directory of chunks of slots. Nothing in it ever moves or
// goes away, so readers take no lock.
//
// The protocol of a slot:
//
//	New     owns the slot; stores type, data, then word = h
//	Lookup  loads word, type, data, word; the value is h's if both are h
//	Delete  compare-and-swap of word from h; then clears data
//
// A word never returns to an earlier handle. A Lookup that loaded anything
// that a later New stored therefore finds another word at the end: that New
// could only own the slot after Delete had advanced it. The first load is for
// handles that somebody guessed: while New is still at work it finds none.
// Lookup's loads acquire and the stores release (plain moves on x86), so all
// this holds on every processor.

type slot struct {
	word uintptr
	typ  unsafe.Pointer
	data unsafe.Pointer
	next uint32 // index of the next slot in a free list
	home uint32 // of a line's first slot: the local that owns the line
}

const (
	chunkBits = 12
	chunkSize = 1 << chunkBits
)

type chunk [chunkSize]slot

// directory has the addresses of the chunks as plain words: the collector
// need not look at them, because chunks.all keeps the chunks alive and
// pinned.
var directory [maxSlots / chunkSize]uintptr

var chunks struct {
	all []*chunk
	pin runtime.Pinner
}

// slotAt returns a slot of a chunk that exists.
func slotAt(index uint32) *slot {
	index &= indexMask
	c := *(**chunk)(unsafe.Pointer(&directory[index>>chunkBits]))
	return &c[index%chunkSize]
}

// chunkOf returns the chunk that has the slot of h, or nil.
func chunkOf(h Handle) *chunk {
	return (*chunk)(atomic.LoadPointer((*unsafe.Pointer)(unsafe.Pointer(&directory[h&indexMask>>chunkBits]))))
}

// slotOf returns the slot that h names, or nil if there is none.
func slotOf(h Handle) *slot {
	if c := chunkOf(h); c != nil {
		return &c[h%chunkSize]
	}
	return nil
}

// addChunk makes the next chunk, and returns the index of its first slot.
// shared.mu is held.
func addChunk() (first uint32) {
	c := new(chunk)
	n := len(chunks.all)
	if n == 0 {
		c[0].word = firstWord(0) // never 0: the zero handle leads here
	}
	chunks.pin.Pin(c)
	chunks.all = append(chunks.all, c)
	atomic.StoreUintptr(&directory[n], uintptr(unsafe.Pointer(c)))
	return uint32(n) << chunkBits
}

// words is how the compiler lays out an any.
type words struct {
	typ, data unsafe.Pointer
}

// put makes v the value of a slot that the caller owns, and returns its
// handle.
func (s *slot) put(v any) Handle {
	w := (*words)(unsafe.Pointer(&v))
	at(newTaken)
	storePointer(&s.typ, w.typ)
	at(newType)
	storePointer(&s.data, w.data)
	at(newData)
	h := atomic.LoadUintptr(&s.word) ^ freeBit
	storeWord(&s.word, h)
	at(newDone)
	return Handle(h)
}

// holds reports whether h is live in s.
func (s *slot) holds(h Handle) bool {
	return atomic.LoadUintptr(&s.word) == uintptr(h)
}

// end ends the life of h, if h is live in s. The caller owns s then, and
// has to clear it.
func (s *slot) end(h Handle) bool {
	at(deleteStart)
	return atomic.CompareAndSwapUintptr(&s.word, uintptr(h), afterDelete(h))
}

// clear lets go of the value of a slot that the caller owns.
func (s *slot) clear() {
	at(deleteAdvanced)
	storePointer(&s.data, nil) // types live forever, or as good as
	at(deleteCleared)
}
