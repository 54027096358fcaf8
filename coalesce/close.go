package coalesce

import (
	"errors"
	"fmt"
	"io"
	"net"
	"time"
)

// Close flushes what is buffered and closes the connection below. Where the
// kernel does not take the bytes at once, Close waits for it, at most as long
// as CloseWithin says; the write deadline does not count. If bytes were lost
// the error is an *UnsentError, unless it was returned before. A blocked Read
// or Write returns at once, except for a large Write that is sending what was
// buffered before it. A second Close does not wait for the first, nor disturb it.
func (c *Conn) Close() error {
	c.mu.Lock()
	switch {
	case c.draining:
		c.mu.Unlock()
		return c.opError("close", net.ErrClosed)
	case c.closed || c.packet:
		c.closed = true
		c.mu.Unlock()
		return c.conn.Close()
	}
	c.closed, c.draining, c.former = true, true, false
	c.closing.Store(true)
	c.given.Broadcast()
	late := c.drainLast()
	err := c.conn.Close()
	if late != nil {
		return late
	}
	return err
}

// drainLast sends what is buffered, gives up mu, and gives the last error.
func (c *Conn) drainLast() error {
	defer c.mu.Unlock()
	defer func() { c.draining = false }()
	if c.timer != nil {
		c.timer.Stop()
	}
	if c.broken == nil {
		c.late = nil // a missed deadline: there is a new try now
	}
	if c.unsent() > 0 {
		c.drainWithin(c.config.closeWithin)
	}
	late := c.late
	c.late = nil
	return late
}

// drainWithin is Close's last try.
func (c *Conn) drainWithin(limit time.Duration) {
	c.conn.SetWriteDeadline(time.Time{}) // what the kernel takes at once needs none
	if c.late = c.tryAll(Closed); c.unsent() == 0 {
		return
	}
	// A blocked Write, of what came before all that is buffered, is woken, if the connection below has deadlines.
	if c.calling && c.out == nil && c.conn.SetWriteDeadline(time.Unix(1, 0)) == nil {
		for c.writing {
			c.given.Wait()
		}
	}
	limit = max(limit, time.Millisecond) // so that what cannot try writes at all
	if err := c.conn.SetWriteDeadline(time.Now().Add(limit)); err != nil {
		defer time.AfterFunc(limit, func() { c.conn.Close() }).Stop()
	}
	c.conn.SetReadDeadline(time.Unix(1, 0)) // a blocked Read shall not wait too
	for c.writing {
		c.given.Wait()
	}
	if c.broken != nil {
		return // and the error is in c.late
	}
	c.late = nil // of a goroutine that was in the middle; this is the last try
	c.writing = true
	defer c.giveTurn()
	_, err := c.drain(nil, Closed)
	if err != nil && c.unsent() > 0 {
		c.lose(err)
	}
	c.late = c.broken
}

// CloseWrite flushes what is buffered, which may block as Write does, and
// closes the writing side of the connection below. It fails if the connection
// below has no such method; TCP, Unix and TLS connections have it.
func (c *Conn) CloseWrite() error {
	below, ok := c.conn.(interface{ CloseWrite() error })
	if !ok {
		return fmt.Errorf("coalesce: %T has no CloseWrite: %w", c.conn, errors.ErrUnsupported)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.flushAll(Closed); err != nil {
		return err
	}
	c.shut = true
	return below.CloseWrite()
}

// CloseRead closes the reading side of the connection below. It fails if the
// connection below has no such method; TCP and Unix connections have it.
func (c *Conn) CloseRead() error {
	if below, ok := c.conn.(interface{ CloseRead() error }); ok {
		return below.CloseRead()
	}
	return fmt.Errorf("coalesce: %T has no CloseRead: %w", c.conn, errors.ErrUnsupported)
}

// An UnsentError says that bytes which Write had accepted did not leave.
type UnsentError struct {
	Bytes int   // lost
	Err   error // of the connection below
}

func (e *UnsentError) Error() string {
	return fmt.Sprintf("coalesce: %d bytes not sent: %v", e.Bytes, e.Err)
}

// Unwrap returns the error of the connection below.
func (e *UnsentError) Unwrap() error { return e.Err }

// Timeout reports whether a deadline, or Close's limit, had passed.
func (e *UnsentError) Timeout() bool { return isTimeout(e.Err) }

// Temporary is false: the bytes are gone.
func (e *UnsentError) Temporary() bool { return false }

// A brokenError is what writes get after an error was reported.
type brokenError struct{ err error }

func (e *brokenError) Error() string { return "an earlier write failed: " + e.err.Error() }

// Unwrap returns the error of the connection below. The lost bytes were told once:
// who adds them up shall not find them again.
func (e *brokenError) Unwrap() error {
	var unsent *UnsentError
	if errors.As(e.err, &unsent) {
		return unsent.Err
	}
	return e.err
}

var (
	_ net.Error     = (*UnsentError)(nil)
	_ io.ReaderFrom = (*Conn)(nil)
	_ io.WriterTo   = (*Conn)(nil)
)
