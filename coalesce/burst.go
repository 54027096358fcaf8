package coalesce

import "time"

const (
	// So many writes of a burst are flushed as soon as the scheduler finds
	// time; later ones linger.
	promptWrites = 8

	// Shorter lingers do not exist: Go's timers fire after a millisecond or
	// more when the process is idle, since epoll_wait counts in milliseconds.
	shortestLinger = 500 * time.Microsecond

	longestLinger = 10 * time.Millisecond

	// A gap of this length, or of the linger if that is longer, ends a burst.
	shortestGap = time.Millisecond

	// How long what the kernel said about the connection is believed.
	measureEvery = 100 * time.Millisecond

	// A burst that goes the way of the one before is not flushed in its middle,
	// as long as its next write comes within this part of the round-trip time.
	pausePart      = 1000
	longestPause   = 100 * time.Microsecond
	shortestPaused = 10 * time.Millisecond // round-trip time

	// The linger where the kernel does not tell the round-trip time.
	fixedLinger = time.Millisecond
)

// A burst is a series of writes without a long gap and without a Read.
type burst struct {
	writes   int // 0: no burst is open
	before   int // writes of the burst before this one
	last     time.Duration
	measured time.Duration
	linger   time.Duration
	pause    time.Duration // that the goroutine which flushes waits for the expected writes
	limit    int           // a full buffer: a multiple of the segment size, where known
}

var epoch = time.Now()

func now() time.Duration { return time.Since(epoch) }

// count notes a write and gives its number in the burst.
func (c *Conn) count(t time.Duration) {
	b := &c.burst
	switch {
	case b.writes == 0:
		c.open.Store(true)
	case t-b.last > max(b.linger, shortestGap):
		b.end()
	}
	b.writes++
	b.last = t
	if (b.writes > promptWrites || b.writes < b.before) && (b.measured == 0 || t-b.measured > measureEvery) {
		b.measured = t
		c.measure()
	}
}

func (b *burst) end() {
	b.before = b.writes
	b.writes = 0
}

// more says that the burst before had several writes.
func (b *burst) more() bool { return b.before > 1 }

// expects says that the burst before had more writes than this one has yet.
func (b *burst) expects() bool {
	return b.writes > 0 && b.writes < b.before && b.before <= promptWrites
}

// lingers reports whether buffered bytes wait for more.
func (b *burst) lingers() bool { return b.writes > promptWrites && b.linger > 0 }

// full is how many bytes a buffer takes.
func (b *burst) full() int {
	if b.limit == 0 {
		return bufferSize
	}
	return b.limit
}

// measure asks the kernel about the round-trip time and the segment size.
func (c *Conn) measure() {
	b := &c.burst
	if c.local || c.config.linger == 0 {
		return
	}
	rtt, segment, ok := c.below.info()
	if !ok {
		b.linger = min(fixedLinger, c.config.linger)
		return
	}
	if b.pause = min(rtt/pausePart, longestPause); rtt < shortestPaused {
		b.pause = 0
	}
	if b.linger = min(rtt/8, c.config.linger); b.linger < shortestLinger {
		b.linger = 0
	}
	if segment > 0 && segment <= bufferSize {
		b.limit = bufferSize / segment * segment
	}
}
