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
	magic      = 0x3274657665776872
	headerSize = 4096 // the slots begin on the next page
	lapShift   = 25
	lapMask    = ^uint64(1<<lapShift - 1)
	kindMask   = 7
	ownerShift = 3
	ownerMask  = ^lapMask >> ownerShift
)

// The kinds of a slot's state.
const (
	shut = iota
	free
	writing
	ready
	reading
	lateWriting
	lateReady
)

type header struct {
	magic, mask, slots, stride, max uint64
	shift, mode, stamp              uint32
	fd                              int32
	closed                          atomic.Uint32
	lanes                           uint32
	_                               [16]uint32
	sleep                           atomic.Uint64
	_                               [15]uint64
	wakers                          atomic.Int32
	_                               uint32
	dropped, overwritten, wakeups   atomic.Uint64
	_                               [12]uint64
	threads                         [maxLanes]atomic.Uint64
	_                               [8]uint64
	lane                            [maxLanes]lane
}

// A lane is a ring. The threads of one lane do not touch another's memory.
type lane struct {
	tail           atomic.Uint64
	_              [15]uint64
	head           atomic.Uint64
	space, waiting atomic.Uint32
	_              [14]uint64
}

type slot struct {
	state atomic.Uint64
	tag   uint64
	time  uint64
	size  uint32
	_     uint32
}

const slotHeader = int(unsafe.Sizeof(slot{}))

// stride is the distance of slots for records of max bytes: whole cache lines.
func stride(max int) int { return (slotHeader + max + 63) &^ 63 }

// ring is a view of the shared memory: a lane and its slots.
type ring struct {
	*header
	*lane
	first unsafe.Pointer
}

// format writes empty rings into memory of zeros.
func format(memory []byte, lanes, slots, max int, mode Full, stamp bool, fd int) []ring {
	h := (*header)(unsafe.Pointer(&memory[0]))
	h.mask = uint64(slots - 1)
	h.slots = headerSize
	h.stride = uint64(stride(max))
	h.max = uint64(max)
	h.shift = uint32(bits.TrailingZeros(uint(slots)))
	h.mode = uint32(mode)
	if stamp {
		h.stamp = 1
	}
	h.fd = int32(fd)
	h.lanes = uint32(lanes)
	rings := make([]ring, lanes)
	for i := range rings {
		rings[i] = ring{h, &h.lane[i], unsafe.Pointer(&memory[headerSize+i*slots*stride(max)])}
		for j := range uint64(slots) {
			rings[i].slot(j).state.Store(free)
		}
	}
	h.magic = magic ^ uint64(uintptr(unsafe.Pointer(h)))
	return rings
}

// offset gives the distance of a position's slot from the first.
func (r ring) offset(position uint64) uint64 { return (position & r.mask) * r.stride }

// at gives the slot at a distance from the first.
func (r ring) at(offset uint64) *slot { return (*slot)(unsafe.Add(r.first, offset)) }

// slot gives the slot of a position.
func (r ring) slot(position uint64) *slot { return r.at(r.offset(position)) }

// data is a slot's record, in place.
func (r ring) data(s *slot) []byte {
	return unsafe.Slice((*byte)(unsafe.Add(unsafe.Pointer(s), slotHeader)), min(uint64(s.size), r.max))
}

// lap gives a position's lap, as it stands in a state; positions before the first
// are negative.
func (r ring) lap(position uint64) uint64 { return uint64(int64(position)>>r.shift) << lapShift }

// freeFrom gives the state of a free slot whose positions below from are gone.
func (r ring) freeFrom(slot, from uint64) uint64 {
	lap := r.lap(from)
	if slot&r.mask < from&r.mask {
		lap += 1 << lapShift
	}
	return lap | free
}

func owner(state uint64) int { return int(state >> ownerShift & ownerMask) }

// Pointer gives the wherry_event_queue* for C. C may keep it; it points to
// memory outside Go's heap. After Close a post returns WHERRY_EVENT_CLOSED;
// after Free the pointer must not be used, and Pointer panics.
func (q *Queue) Pointer() unsafe.Pointer {
	if q.freed.Load() {
		panic("event: Pointer of a queue after Free")
	}
	return unsafe.Pointer(q.header)
}
