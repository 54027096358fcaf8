package coalesce

import (
	"errors"
	"net"
	"os"
	"runtime"
	"time"
)

// Flush writes what is buffered and returns when the connection below has
// taken it. It ends the burst, and reports an error from earlier.
func (c *Conn) Flush() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.flushAll(Flushed)
}

func (c *Conn) flushAll(why Reason) error {
	if c.closed {
		return c.opError("write", net.ErrClosed)
	}
	c.endBurst()
	if c.unsent() == 0 && c.late == nil && c.broken == nil {
		return nil
	}
	if err := c.admit(); err != nil {
		return err
	}
	if err := c.takeTurn(false); err != nil {
		return err
	}
	defer c.giveTurn()
	_, err := c.drain(nil, why)
	return err
}

func (c *Conn) endBurst() {
	if c.burst.writes > 0 {
		c.burst.end()
	}
	c.open.Store(false)
}

// drain writes all that is buffered and then tail, of which it gives the
// number of bytes written. The caller has the turn, and no Write is between
// two buffers if there is a tail.
func (c *Conn) drain(tail []byte, why Reason) (int, error) {
	if tail == nil {
		for c.unsent() > 0 {
			c.next()
			if _, err := c.writeOut(nil, why); err != nil {
				return 0, err
			}
		}
		return 0, nil
	}
	// tail comes after what is buffered now, and before what others append
	// while mu is given up.
	c.next()
	if c.in != nil { // they would append to this
		c.filling = true
		_, err := c.writeOut(nil, why)
		c.filled()
		if err != nil {
			return 0, err
		}
		c.next()
	}
	if c.out != nil {
		return c.writeOut(tail, why)
	}
	n, err := c.send(nil, tail)
	c.stats.sent(n, why)
	switch {
	case err != nil && !missed(err):
		err = c.lose(err)
	case err != nil && c.closing.Load(): // Close has set that deadline
		err = c.opError("write", net.ErrClosed)
	}
	return n, err
}

// next makes the newer bytes the older ones, if there are none.
func (c *Conn) next() {
	if c.out == nil {
		c.out, c.in = c.in, nil
		c.burst.last = now() // not read for each write
	}
}

// writeOut writes c.out and tail, and gives how much of tail was written. The
// caller has the turn, so nobody else touches c.out meanwhile.
func (c *Conn) writeOut(tail []byte, why Reason) (int, error) {
	n, err := c.send(c.out, tail)
	return c.written(n, err, why)
}

// send writes to the connection below, and gives up mu meanwhile.
func (c *Conn) send(out *buffer, tail []byte) (n int, err error) {
	c.mu.Unlock()
	defer c.relock(&err)
	err = errEnded
	switch {
	case out == nil:
		n, err = c.conn.Write(tail)
	case tail == nil:
		n, err = c.conn.Write(out.bytes())
	default:
		var all int64
		all, err = out.with(tail).WriteTo(c.conn) // one writev
		n = int(all)
		out.vec, out.parts = nil, [2][]byte{}
	}
	return n, err
}

var errEnded = errors.New("a Write of the connection below panicked or ended its goroutine")

// relock takes mu again after a call below. Where that did not return, nobody
// knows what was sent.
func (c *Conn) relock(err *error) {
	c.mu.Lock()
	if *err == errEnded {
		c.lose(errEnded)
	}
}

// written notes that the connection below took n bytes of c.out and of what
// followed it, and gives how many were of the latter.
func (c *Conn) written(n int, err error, why Reason) (int, error) {
	c.stats.sent(n, why)
	own := min(n, c.out.len())
	c.out.start += own
	if c.out.len() == 0 {
		c.out = c.out.free()
	}
	if err != nil && !missed(err) {
		err = c.lose(err)
	}
	return n - own, err
}

// lose drops what is buffered: a byte in the middle of it may be gone.
func (c *Conn) lose(err error) error {
	if n := c.unsent(); n > 0 {
		err = &UnsentError{Bytes: n, Err: err}
	}
	if c.out != nil {
		c.out = c.out.free()
	}
	if c.in != nil {
		c.in = c.in.free()
	}
	c.broken = err
	return err
}

// startFlush has a goroutine flush what is buffered. The scheduler runs it on
// this thread as soon as the writer waits for something, or on an idle one.
func (c *Conn) startFlush() {
	if !c.flushing {
		c.flushing = true
		go c.flush()
	}
}

// flushIdle is that goroutine. It ends when nothing is left, so that an idle
// connection has none.
func (c *Conn) flushIdle() {
	c.mu.Lock()
	defer c.mu.Unlock()
	defer func() {
		c.flushing = false
		c.given.Broadcast() // a Write may wait for room that there will not be
	}()
	c.pause()
	c.flushLater(Idle)
}

// pause returns the writer of a request in several writes the time for its next
// one, where the round trip is so long that nobody can notice: the writer may
// wake up slower than this goroutine. Go's timers are too coarse for that.
func (c *Conn) pause() {
	if c.burst.pause == 0 || !c.burst.expects() {
		return
	}
	end := now() + c.burst.pause
	for c.burst.expects() && c.unsent() > 0 && c.in.len() < c.burst.full() && c.mayFlush() && now() < end {
		c.mu.Unlock()
		runtime.Gosched()
		c.mu.Lock()
	}
}

// arm starts the timer of the linger.
func (c *Conn) arm() {
	switch {
	case c.armed:
		return
	case c.timer == nil:
		c.timer = time.AfterFunc(c.burst.linger, c.flushLingered)
	default:
		c.timer.Reset(c.burst.linger)
	}
	c.armed = true
}

func (c *Conn) flushLingered() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.armed = false
	c.flushLater(Lingered)
}

// flushLater flushes without a caller that could be told of an error.
func (c *Conn) flushLater(why Reason) {
	defer c.endFormer()
	for c.unsent() > 0 && c.mayFlush() {
		if c.writing {
			c.given.Wait()
			continue
		}
		full := c.in.len() >= c.burst.full()
		if why == Idle && c.out == nil && !full && c.burst.lingers() && c.mayLinger() {
			c.arm()
			return
		}
		reason := why
		if full {
			reason = Full
		}
		deadline := c.deadline
		err := c.flushOne(reason)
		if err != nil && c.broken == nil && !deadline.IsZero() && c.deadline.IsZero() {
			continue // the deadline that was missed was lifted meanwhile
		}
		if err != nil {
			c.late = err
			return
		}
	}
	if c.unsent() > 0 && !c.closed && c.late == nil { // the deadline has passed, and no call has waited
		c.late = c.opError("write", os.ErrDeadlineExceeded)
	}
}

// mayLinger reports whether the write deadline leaves the time for it.
func (c *Conn) mayLinger() bool {
	return c.deadline.IsZero() || time.Until(c.deadline) > 2*c.burst.linger
}

// flushOne writes one buffer. Nobody has the turn.
func (c *Conn) flushOne(why Reason) error {
	c.writing = true
	defer c.giveTurn()
	c.next()
	_, err := c.writeOut(nil, why)
	return err
}

// turnAround ends the burst when the program reads. It does not block: two
// programs that both write before they read would wait for each other.
func (c *Conn) turnAround() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.endBurst()
	if !c.mayFlush() {
		return
	}
	if c.late == nil {
		c.late = c.tryAll(Turned)
	}
	if c.unsent() > 0 {
		c.startFlush()
	}
}

// tryAll writes what the kernel takes at once of all that is buffered.
func (c *Conn) tryAll(why Reason) error {
	for c.unsent() > 0 && !c.writing && c.passing == 0 && c.below.canTry() {
		if progress, err := c.try(why); !progress || err != nil {
			return err
		}
	}
	return nil
}

// try writes what the kernel takes at once of one buffer, and says whether
// that was something. Nobody has the turn.
func (c *Conn) try(why Reason) (progress bool, err error) {
	c.writing = true
	defer c.giveTurn()
	c.next()
	data := c.out.bytes()
	c.mu.Unlock()
	n, err := c.below.try(data)
	c.mu.Lock()
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded) || n == 0 && err == nil:
		return false, nil
	case err != nil:
		err = c.opError("write", err)
	}
	_, err = c.written(n, err, why)
	return true, err
}
