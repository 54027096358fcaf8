package event

import (
	"math/bits"
	"sync/atomic"
	"unsafe"
)

// The memory that C and Go share, the twin of what wherry_event.h declares
// (TestLayout compares the two). Every word that changes is accessed
// atomically; a record's words belong to whoever the slot's state says.

const (
	magic      = 0x3374657665776872
	headerSize = 4096 // the slots begin on the next page
	sizeShift  = 3
	lapShift   = 25
	lapMask    = ^uint64(1<<lapShift - 1)
	sizeMask   = 1<<(lapShift-sizeShift) - 1
	kindMask   = 1<<sizeShift - 1
)

// The kinds of a slot's state.
const (
	free = iota
	ready
	writing
	reading
	lateWriting
	lateReady
	void
	shut
)

// How far closing is.
const (
	open = iota
	closing
	sealed
	gone
)

type header struct {
	magic, mask, first, next, stride, max uint64
	shift, mode, stamp                    uint32
	fd                                    int32
	closed                                atomic.Uint32
	lanes, fence                          uint32
	_                                     [13]uint32
	sleep                                 atomic.Uint64
	_                                     [15]uint64
	wakers                                atomic.Int32
	_                                     uint32
	dropped, overwritten, wakeups         atomic.Uint64
	_                                     [12]uint64
	threads                               [maxLanes]atomic.Uint64
	_                                     [8]uint64
	rings                                 [1 + maxLanes]words
}

// The words of a ring. The threads of one do not touch another's memory.
type words struct {
	tail, limit, owner atomic.Uint64
	_                  [13]uint64
	head               atomic.Uint64
	space, waiting     atomic.Uint32
	_                  [14]uint64
}

type slot struct {
	state atomic.Uint64
	tag   uint64
}

const slotHeader = int(unsafe.Sizeof(slot{}))

// stride is the distance of slots for records of max bytes. Small ones share a
// cache line.
func stride(max, stamp int) int { return (slotHeader + stamp + max + 7) &^ 7 }

// ringSize is how many bytes the slots of a ring take: whole pages, of any system.
func ringSize(slots, stride int) int { return (slots*stride + 1<<16 - 1) &^ (1<<16 - 1) }

// ring is a view of the shared memory: a ring's words and its slots.
type ring struct {
	*header
	*words
	first unsafe.Pointer
}

// layout writes a queue's header into memory of zeros, and returns its rings: the
// shared one and the lanes. A slot of zeros is free.
func layout(memory []byte, o Options, fd int) []ring {
	h := (*header)(unsafe.Pointer(&memory[0]))
	h.mask = uint64(o.Capacity - 1)
	h.first = headerSize
	h.stride = uint64(stride(o.MaxSize, o.stamp()))
	h.next = uint64(ringSize(o.Capacity, int(h.stride)))
	h.max = uint64(o.MaxSize)
	h.shift = uint32(bits.TrailingZeros(uint(o.Capacity)))
	h.mode = uint32(o.Full)
	h.stamp = uint32(o.stamp())
	h.fd = int32(fd)
	h.lanes = uint32(o.Lanes)
	if !canOrder() {
		h.fence = 1
	}
	rings := make([]ring, 1+o.Lanes)
	for i := range rings {
		rings[i] = ring{h, &h.rings[i], unsafe.Pointer(&memory[headerSize+i*int(h.next)])}
	}
	h.magic = magic ^ uint64(uintptr(unsafe.Pointer(h)))
	return rings
}

// slot returns the slot of a position.
func (r ring) slot(position uint64) *slot {
	return (*slot)(unsafe.Add(r.first, (position&r.mask)*r.stride))
}

// after returns the slot that lies behind s in memory.
func after(s *slot, stride uint64) *slot { return (*slot)(unsafe.Add(unsafe.Pointer(s), stride)) }

// data returns a slot's record, in place.
func (r ring) data(s *slot) []byte {
	size := min(s.state.Load()>>sizeShift&sizeMask, r.max)
	return unsafe.Slice((*byte)(unsafe.Add(unsafe.Pointer(s), slotHeader+int(r.stamp))), size)
}

// stamped returns when a slot's record was posted, if posts are stamped.
func (r ring) stamped(s *slot) uint64 {
	return *(*uint64)(unsafe.Add(unsafe.Pointer(s), slotHeader))
}

// lap returns a position's lap, as it stands in a state; positions before the first
// are negative.
func (r ring) lap(position uint64) uint64 { return uint64(int64(position)>>r.shift) << lapShift }

// freeFrom returns the state of a free slot whose positions below from are gone: a
// lap, for the kind is 0.
func (r ring) freeFrom(slot, from uint64) uint64 {
	lap := r.lap(from)
	if slot&r.mask < from&r.mask {
		lap += 1 << lapShift
	}
	return lap
}

// thread returns the id of the thread that writes to a slot.
func thread(state uint64) int { return int(state >> sizeShift & sizeMask) }

// isRecord reports whether a state says that the slot has the record of a position.
func (r ring) isRecord(state, position uint64) bool {
	return state&^(sizeMask<<sizeShift) == r.lap(position)|ready
}

// Pointer returns the wherry_event_queue* for C. C may keep it; it points to
// memory outside Go's heap. After Close a post returns WHERRY_EVENT_CLOSED;
// after Free the pointer must not be used, and Pointer panics.
func (q *Queue) Pointer() unsafe.Pointer {
	if q.freed.Load() {
		panic("event: Pointer of a queue after Free")
	}
	return unsafe.Pointer(q.header)
}
