package coalesce

import (
	"net"
	"sync"
)

const (
	// A buffer is flushed when it is full. 16 KB are eleven segments: enough
	// that a system call costs little a byte, little enough to keep in a cache.
	bufferSize = 16<<10 - 80 // with the other fields, 16 KB

	// From this size on a write is large: copying would cost more than it saves.
	largeWrite = 8 << 10
)

// A buffer holds accepted bytes. Connections borrow buffers while they have
// such bytes, so that an idle connection has none.
type buffer struct {
	start, end int
	vec        net.Buffers
	parts      [2][]byte
	data       [bufferSize]byte
}

var buffers = sync.Pool{New: func() any { return new(buffer) }}

// fill appends what fits into the first limit bytes.
func (b *buffer) fill(p []byte, limit int) int {
	n := copy(b.data[b.end:max(limit, b.end)], p)
	b.end += n
	return n
}

func (b *buffer) bytes() []byte { return b.data[b.start:b.end] }

func (b *buffer) len() int {
	if b == nil {
		return 0
	}
	return b.end - b.start
}

// free returns the buffer back; it is nil for convenience.
func (b *buffer) free() *buffer {
	b.start, b.end = 0, 0
	buffers.Put(b)
	return nil
}

// with returns the buffer's bytes and tail as one vector.
func (b *buffer) with(tail []byte) *net.Buffers {
	b.parts = [2][]byte{b.bytes(), tail}
	b.vec = b.parts[:]
	return &b.vec
}
