package coalesce

import (
	"net"
	"os"
)

// Write accepts p. A small p is usually copied, and Write returns before it
// has left; an error that comes later is returned by the next Write, Flush,
// CloseWrite or Close. Write blocks while both buffers of 16 KB are full, and
// for a large p (8 KB) or the first of a burst as the connection below does.
//
// After an error other than a missed deadline bytes may be lost, so every
// further Write fails.
func (c *Conn) Write(p []byte) (int, error) {
	if c.packet {
		return c.conn.Write(p)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	err := c.admit()
	for c.filling && err == nil {
		c.given.Wait()
		err = c.admit()
	}
	if err != nil {
		return 0, err
	}
	c.stats.WritesIn++
	if len(p) == 0 {
		return 0, nil
	}
	if c.shut { // the connection below knows best what to say
		return c.conn.Write(p)
	}
	if c.in != nil && c.burst.writes > promptWrites {
		c.burst.writes++ // no long gap: the buffer would have left. So the clock need not be read
	} else {
		c.count(now())
	}
	switch {
	case len(p) >= largeWrite:
		return c.writeThrough(p, Large)
	case c.burst.writes == 1 && !c.burst.more() && !c.writing && c.unsent() == 0:
		return c.writeThrough(p, First)
	}
	return c.writeBuffered(p)
}

// admit says why no byte can be accepted now. An error from earlier is
// reported here, once.
func (c *Conn) admit() error {
	switch {
	case c.closed:
		return c.opError("write", net.ErrClosed)
	case c.late != nil:
		err := c.late
		c.late = nil
		return err
	case c.broken != nil:
		return c.opError("write", &brokenError{c.broken})
	case c.expired():
		return c.opError("write", os.ErrDeadlineExceeded)
	}
	return nil
}

// unsent counts the accepted bytes that have not left.
func (c *Conn) unsent() int { return c.out.len() + c.in.len() }

// takeTurn waits until nobody writes to the connection below, and, if whole, until no
// Write is between two buffers.
func (c *Conn) takeTurn(whole bool) error {
	for c.writing || whole && c.filling {
		c.given.Wait()
		if err := c.admit(); err != nil {
			return err
		}
	}
	c.writing, c.calling = true, true
	return nil
}

func (c *Conn) giveTurn() {
	c.writing, c.calling = false, false
	c.given.Broadcast()
}

// filled says that a Write is no longer between two buffers.
func (c *Conn) filled() {
	if c.filling {
		c.filling = false
		c.given.Broadcast()
	}
}

// writeThrough writes p from where it is, after what is buffered.
func (c *Conn) writeThrough(p []byte, why Reason) (int, error) {
	if err := c.takeTurn(true); err != nil {
		return 0, err
	}
	defer c.giveTurn()
	return c.drain(p, why)
}

// writeBuffered copies p. While it waits for room, other writers wait for it,
// so that the bytes of one Write stay together.
func (c *Conn) writeBuffered(p []byte) (n int, err error) {
	defer c.filled()
	for {
		if c.in == nil {
			c.in = buffers.Get().(*buffer)
		}
		k := c.in.fill(p[n:], c.burst.full())
		n += k
		switch {
		case n == len(p):
			c.plan()
			return n, nil
		case !c.writing && c.below.canTry():
			c.filling = true
			var progress bool
			if progress, err = c.try(Full); progress || err != nil {
				break
			}
			fallthrough
		default: // what blocks is done by a goroutine, so that Close can wake this one
			c.filling = true
			c.startFlush()
			c.given.Wait()
			err = c.admit()
		}
		if err != nil {
			return n, err
		}
	}
}

// plan sees to it that what was just buffered leaves.
func (c *Conn) plan() {
	if c.burst.lingers() {
		c.arm()
	} else {
		c.startFlush()
	}
}
