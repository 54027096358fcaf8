package event

import (
	"math/bits"
	"sync/atomic"
	"unsafe"
)

// The memory that C and Go share, the twin of what wherry_event.h declares
// (TestLayout compares the two). Every word that changes is accessed
// atomically; a record's words belong to whoever the cell's state says.

const (
	magic      = 0x3474657665776872
	headerSize = 4096 // the cells begin on the next page
	sizeShift  = 3
	lapShift   = 25
	lapMask    = ^uint64(1<<lapShift - 1)
	sizeMask   = 1<<(lapShift-sizeShift) - 1
	kindMask   = 1<<sizeShift - 1
)

// The kinds of a cell's state.
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
	gone
)

// The word sleep: these, and above them an epoch.
const (
	asleep = 1 << iota
	sealed
	fence
	epoch
)

type header struct {
	magic, mask, first, next, stride, max uint64
	shift, mode, stamp                    uint32
	fd                                    int32
	closed                                atomic.Uint32
	lanes                                 uint32
	_                                     [14]uint32
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
	tail, limit, owner, room atomic.Uint64
	fixed                    struct{ cells, mask, stride, shift uint64 } // of a lane
	_                        [8]uint64
	head                     atomic.Uint64
	space, waiting           atomic.Uint32
	_                        [14]uint64
}

type cell struct {
	state atomic.Uint64
	tag   uint64
}

const (
	cellHeader = int(unsafe.Sizeof(cell{}))
	stampSize  = 8 // the time of a post, at the end of the cell
)

// stride is the distance of cells for records of max bytes. Small ones share a
// cache line.
func stride(max int, stamped bool) int {
	n := (cellHeader + max + 7) &^ 7
	if stamped {
		n += stampSize
	}
	return n
}

// ringSize is how many bytes the cells of a ring take: whole pages, of any system.
func ringSize(cells, stride int) int { return (cells*stride + 1<<16 - 1) &^ (1<<16 - 1) }

// ring is a view of the shared memory: a ring's words and its cells.
type ring struct {
	*header
	*words
	first unsafe.Pointer
}

// layout writes a queue's header into memory of zeros, and returns its rings: the
// shared one and the lanes. A cell of zeros is free.
func layout(memory []byte, o Options, fd int) []ring {
	h := (*header)(unsafe.Pointer(&memory[0]))
	h.mask = uint64(o.Capacity - 1)
	h.first = headerSize
	h.stride = uint64(stride(o.MaxSize, o.Timestamps))
	h.next = uint64(ringSize(o.Capacity, int(h.stride)))
	h.max = uint64(o.MaxSize)
	h.shift = uint32(bits.TrailingZeros(uint(o.Capacity)))
	h.mode = uint32(o.Full)
	if o.Timestamps {
		h.stamp = uint32(h.stride) - stampSize
	}
	h.fd = int32(fd)
	h.lanes = uint32(o.Lanes)
	if !canOrder() {
		h.sleep.Store(fence)
	}
	rings := make([]ring, 1+o.Lanes)
	for i := range rings {
		cells := unsafe.Pointer(&memory[headerSize+i*int(h.next)])
		rings[i] = ring{h, &h.rings[i], cells}
		if i > 0 {
			rings[i].begin(uint64(uintptr(cells)))
		}
	}
	h.magic = magic ^ uint64(uintptr(unsafe.Pointer(h)))
	return rings
}

// begin makes a ring a lane whose cells lie there. Its first position is in lap 1, so
// that a cell of zeros is in a lap before.
func (r ring) begin(cells uint64) {
	first := r.mask + 1
	r.tail.Store(first)
	r.head.Store(first)
	r.limit.Store(2 * first)
	f := &r.fixed
	f.cells, f.mask, f.stride, f.shift = cells, r.mask, r.stride, uint64(r.shift)
	if r.stamp == 0 {
		r.room.Store(r.max + 1)
	}
}

// cell returns the cell of a position.
func (r ring) cell(position uint64) *cell {
	return (*cell)(unsafe.Add(r.first, (position&r.mask)*r.stride))
}

// after returns the cell that lies behind s in memory.
func after(s *cell, stride uint64) *cell { return (*cell)(unsafe.Add(unsafe.Pointer(s), stride)) }

// address returns where a cell lies.
func (s *cell) address() uintptr { return uintptr(unsafe.Pointer(s)) }

// data returns a cell's record, in place, of at most so many bytes.
func (s *cell) data(most uint64) []byte {
	size := min(s.state.Load()>>sizeShift&sizeMask, most)
	return (*[sizeMask + 1]byte)(unsafe.Add(unsafe.Pointer(s), cellHeader))[:size:size]
}

// stamped returns when a cell's record was posted, if posts are stamped.
func (r ring) stamped(s *cell) uint64 {
	return *(*uint64)(unsafe.Add(unsafe.Pointer(s), r.stamp))
}

// lap returns a position's lap, as it stands in a state; positions before the first
// are negative.
func (r ring) lap(position uint64) uint64 { return uint64(int64(position)>>r.shift) << lapShift }

// freeFrom returns the state of a free cell whose positions below from are gone: a
// lap, for the kind is 0.
func (r ring) freeFrom(cell, from uint64) uint64 {
	lap := r.lap(from)
	if cell&r.mask < from&r.mask {
		lap += 1 << lapShift
	}
	return lap
}

// thread returns the id of the thread that writes to a cell.
func thread(state uint64) int { return int(state >> sizeShift & sizeMask) }

// isRecord reports whether a state says that the cell has the record of a position.
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
