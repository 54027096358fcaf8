package event

import (
	"errors"
	"fmt"
	"math/bits"
	"time"
)

// Full says what becomes of a post when the ring is full.
type Full uint32

const (
	// Drop makes the post fail with WHERRY_EVENT_FULL, and counts it.
	Drop Full = iota
	// Overwrite gives the new record the place of the oldest, and counts that.
	// Receiving costs two atomic operations for each record more.
	Overwrite
	// Wait makes the C thread wait until Go has received records. While no
	// goroutine receives it waits without end, until Close.
	Wait
)

// Options say what queue New makes. The zero value is a good start.
type Options struct {
	Capacity   int           // records of a ring; rounded up to a power of two; 0: 4096
	MaxSize    int           // bytes of the largest record; 0: 96
	Full       Full          // what to do with a post when there is no room
	Timestamps bool          // note the time of each post; about 20 ns in C
	Poll       time.Duration // how often to look for records that were posted without a wake-up; 0: never

	// Lanes is how many threads have a lane, a ring of Capacity records for
	// themselves, in which they post at full speed: 1 to 8, rounded up to a power
	// of two; 0: 8; -1: none. The first threads that post have them; later ones
	// share one ring, in which a post takes several times as long. A full lane is
	// a full queue to its thread. Across lanes, records come in no order: with
	// none, a record that was posted after another thread's post had returned
	// mostly comes after that one's. With Overwrite there are none, so that the
	// oldest record of all is the one that goes.
	Lanes int
}

const (
	defaultCapacity = 4096
	defaultMaxSize  = 96
	minCapacity     = 2
	maxCapacity     = 1 << 30
	maxMaxSize      = sizeMask
	maxLanes        = 8
)

// ErrUnsupported is what New's error wraps where shared memory, wake-ups or
// 64-bit atomics are missing: anything but 64-bit Unix.
var ErrUnsupported = fmt.Errorf("event: needs a 64-bit Unix: %w", errors.ErrUnsupported)

func (o *Options) check() error {
	if o.Capacity == 0 {
		o.Capacity = defaultCapacity
	}
	if o.MaxSize == 0 {
		o.MaxSize = defaultMaxSize
	}
	if o.Lanes == 0 {
		o.Lanes = maxLanes
		for o.Lanes > 1 && o.Lanes*o.Capacity > maxCapacity {
			o.Lanes /= 2
		}
	}
	switch {
	case bits.UintSize < 64:
		return ErrUnsupported
	case o.Capacity < minCapacity || o.Capacity > maxCapacity:
		return fmt.Errorf("event: Options.Capacity is %d, want %d to %d", o.Capacity, minCapacity, maxCapacity)
	case o.MaxSize < 0 || o.MaxSize > maxMaxSize:
		return fmt.Errorf("event: Options.MaxSize is %d, want 1 to %d", o.MaxSize, maxMaxSize)
	case o.Full > Wait:
		return fmt.Errorf("event: Options.Full is %d, want Drop, Overwrite or Wait", o.Full)
	case o.Lanes < -1 || o.Lanes > maxLanes:
		return fmt.Errorf("event: Options.Lanes is %d, want -1 to %d", o.Lanes, maxLanes)
	case o.Poll < 0:
		return fmt.Errorf("event: Options.Poll is %v, want 0 or more", o.Poll)
	}
	o.Capacity = 1 << bits.Len(uint(o.Capacity-1))
	if o.Lanes == -1 || o.Full == Overwrite {
		o.Lanes = 0
	} else {
		o.Lanes = 1 << bits.Len(uint(o.Lanes-1))
	}
	if o.Lanes*o.Capacity > maxCapacity {
		return fmt.Errorf("event: %d lanes of %d records, want at most %d records in all", o.Lanes, o.Capacity, maxCapacity)
	}
	return nil
}
