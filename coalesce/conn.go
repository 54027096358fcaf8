package coalesce

import (
	"errors"
	"net"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

// A Conn is a net.Conn that puts small writes together. Its methods may be
// called from several goroutines at the same time, as those of any net.Conn.
//
// Bytes leave in the order in which Write accepted them. While one goroutine
// writes to the connection below, others go on filling the next buffer.
type Conn struct {
	// At most one goroutine writes to the connection below at a time: the one
	// that has the turn. It gives up mu meanwhile.

	conn   net.Conn
	config config
	packet bool // keeps the borders of messages (UDP), so nothing is put together
	local  bool // no network between the ends: there is nothing to linger for

	below socket // what the operating system offers beyond net.Conn

	open    atomic.Bool // a burst is open: Read has something to end
	closing atomic.Bool // as closed, for who does not have mu

	mu       sync.Mutex
	given    sync.Cond // the turn was given back, or the Conn was closed
	writing  bool      // somebody has the turn
	calling  bool      // and it is a caller's, not a goroutine's of our own
	passing  int       // sends without the turn, which keep the connection below for themselves
	filling  bool      // a Write is between two buffers
	out      *buffer   // the older bytes: being written, or left by a write that timed out
	in       *buffer   // the newer bytes: Write appends here
	flushing bool      // a goroutine that flushes was started and has not ended
	armed    bool      // timer is running
	timer    *time.Timer
	burst    burst
	closed   bool      // Close was called
	draining bool      // Close has not closed the connection below yet
	shut     bool      // CloseWrite has succeeded
	deadline time.Time // of writes
	former   bool      // the deadline before is still in force below
	late     error     // happened after Write had returned nil, not yet reported
	broken   error     // bytes were lost: no later byte may be sent
	stats    Stats

	flush func() // c.flushIdle, made once: starting it allocates nothing
}

// Wrap returns a connection that puts small writes to c together. From then on c
// belongs to the Conn: who writes to c itself may overtake buffered bytes.
//
// c may be of any type. TCP connections keep sendfile, splice and writev, Unix
// stream connections writev; for other types flushing in Read takes a goroutine.
// Connections that keep the borders of messages (UDP, unixgram, unixpacket) are
// only passed through. A *Conn is returned as it is, without the options. A nil
// c is a mistake in the program: Wrap panics.
func Wrap(c net.Conn, options ...Option) *Conn {
	wrapped, ok := c.(*Conn)
	if c == nil || ok && wrapped == nil {
		panic("coalesce: Wrap of a nil net.Conn; check the error of Dial or Accept first")
	}
	if ok {
		return wrapped
	}
	w := &Conn{conn: c, config: configOf(options)}
	w.given.L = &w.mu
	w.flush = w.flushIdle
	w.packet, w.local = kindOf(c)
	if !w.packet {
		w.below = socketOf(c)
	}
	return w
}

// kindOf reports whether a connection keeps the borders of messages, and whether
// both its ends are on this machine.
func kindOf(c net.Conn) (packet, local bool) {
	// Some systems do not tell the address of an unnamed Unix socket.
	for _, addr := range []net.Addr{c.RemoteAddr(), c.LocalAddr()} {
		switch addr := addr.(type) {
		case *net.TCPAddr:
			return false, addr != nil && addr.IP.IsLoopback()
		case *net.UnixAddr:
			return addr != nil && addr.Net != "unix", true
		case *net.UDPAddr, *net.IPAddr:
			return true, false
		}
	}
	_, packet = c.(net.PacketConn)
	return packet, false
}

// Read reads from the connection below. A program that reads waits for an
// answer, so bytes that are buffered leave first; Read does not wait until
// they have.
func (c *Conn) Read(p []byte) (int, error) {
	if c.open.Load() {
		c.turnAround()
	}
	n, err := c.conn.Read(p)
	return n, c.readError(err)
}

// readError says that it was Close which woke a read.
func (c *Conn) readError(err error) error {
	if err != nil && c.closing.Load() && isTimeout(err) {
		return c.opError("read", net.ErrClosed)
	}
	return err
}

// NetConn returns the connection below, to set options on. Do not read from it
// or write to it.
func (c *Conn) NetConn() net.Conn { return c.conn }

// LocalAddr returns the local address of the connection below.
func (c *Conn) LocalAddr() net.Addr { return c.conn.LocalAddr() }

// RemoteAddr returns the remote address of the connection below.
func (c *Conn) RemoteAddr() net.Addr { return c.conn.RemoteAddr() }

// opError makes an error look like those of package net.
func (c *Conn) opError(op string, err error) error {
	e := &net.OpError{Op: op, Source: c.conn.LocalAddr(), Addr: c.conn.RemoteAddr(), Err: err}
	if e.Source != nil {
		e.Net = e.Source.Network()
	}
	return e
}

func isTimeout(err error) bool {
	t, ok := err.(interface{ Timeout() bool })
	return ok && t.Timeout()
}

// missed reports whether a write's error is a missed deadline, after which the connection below goes on. The
// kernel's ETIMEDOUT calls itself a timeout too, and so does what crypto/tls says of all writes
// after one, which is not temporary.
func missed(err error) bool {
	t, ok := err.(interface{ Temporary() bool })
	return isTimeout(err) && (!ok || t.Temporary()) && !errors.Is(err, syscall.ETIMEDOUT)
}
