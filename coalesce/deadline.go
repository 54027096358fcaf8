package coalesce

import (
	"net"
	"time"
)

// SetDeadline sets both deadlines.
func (c *Conn) SetDeadline(t time.Time) error {
	if err := c.SetReadDeadline(t); err != nil {
		return err
	}
	return c.SetWriteDeadline(t)
}

// SetReadDeadline is that of the connection below.
func (c *Conn) SetReadDeadline(t time.Time) error { return c.conn.SetReadDeadline(t) }

// SetWriteDeadline sets until when writes to the connection below may take,
// those too that happen after Write has returned. Bytes that could not leave
// in time stay buffered, and leave when a later deadline allows it. A deadline
// that has passed already stops calls; bytes that are buffered then may still
// leave within the deadline that they were accepted with.
//
// A deadline that passes while no call waits is reported to the next Write, even if
// a new deadline is set first. The zero time lifts the deadline: then a missed
// one is forgotten, and what is buffered goes on leaving.
func (c *Conn) SetWriteDeadline(t time.Time) error {
	if c.packet {
		return c.conn.SetWriteDeadline(t)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed { // Close has set its own
		return c.opError("set", net.ErrClosed)
	}
	c.deadline, c.former = t, false
	if t.IsZero() && c.broken == nil {
		c.late = nil
	}
	if c.expired() && c.unsent() > 0 && !c.calling {
		// crypto/tls does this after its last message.
		c.former = true
		c.endBurst()
		c.given.Broadcast()
		c.startFlush()
		return nil
	}
	if err := c.conn.SetWriteDeadline(t); err != nil {
		return err
	}
	if c.unsent() > 0 {
		c.startFlush()
	}
	return nil
}

// expired reports whether the write deadline has passed.
func (c *Conn) expired() bool {
	return !c.deadline.IsZero() && !time.Now().Before(c.deadline)
}

// mayFlush reports whether buffered bytes may leave now.
func (c *Conn) mayFlush() bool { return !c.closed && (c.former || !c.expired()) }

// endFormer puts the deadline in force that had to wait for buffered bytes.
func (c *Conn) endFormer() {
	if c.former {
		c.former = false
		c.conn.SetWriteDeadline(c.deadline)
	}
}
