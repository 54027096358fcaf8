package coalesce

import (
	"io"
	"net"
	"os"
	"sync"
	"syscall"
)

var chunks = sync.Pool{New: func() any { return new([32 << 10]byte) }}

// ReadFrom copies from r until its end, as io.Copy to a Conn does. What the
// kernel can copy by itself, a file or an unwrapped TCP or Unix connection,
// goes past the buffer, by sendfile or splice, as without this package. Other
// sources, another *Conn too, are read, and small pieces are put together.
// While a connection is copied, other goroutines' writes come between its
// pieces, and can be torn by them.
func (c *Conn) ReadFrom(r io.Reader) (n int64, err error) {
	below, ok := c.conn.(io.ReaderFrom)
	if copies, waits := kernelCopies(r); copies && ok && !c.packet {
		return c.pass(!waits, func() (int64, error) { return below.ReadFrom(r) })
	}
	chunk := chunks.Get().(*[32 << 10]byte)
	defer chunks.Put(chunk)
	for {
		k, readErr := r.Read(chunk[:])
		if k > 0 {
			k, err = c.Write(chunk[:k])
			n += int64(k)
		}
		switch {
		case err != nil:
			return n, err
		case readErr == io.EOF:
			return n, nil
		case readErr != nil:
			return n, readErr
		}
	}
}

// kernelCopies reports whether package net would use sendfile or splice, and
// whether that may wait for the source.
func kernelCopies(r io.Reader) (copies, waits bool) {
	if limited, ok := r.(*io.LimitedReader); ok {
		r = limited.R
	}
	switch r := r.(type) {
	case interface{ Stat() (os.FileInfo, error) }: // *os.File, and what io.Copy makes of it
		if _, ok := r.(syscall.Conn); !ok {
			return false, false
		}
		info, err := r.Stat()
		return err == nil && info.Mode().IsRegular(), false
	case net.Conn:
		_, copies = r.(syscall.Conn)
		return copies, true
	}
	return false, false
}

// WriteBuffers writes all of buffers by writev, as buffers.WriteTo does on an
// unwrapped connection. (WriteTo on a Conn calls Write for each.)
func (c *Conn) WriteBuffers(buffers *net.Buffers) (int64, error) {
	if c.packet {
		return buffers.WriteTo(c.conn)
	}
	return c.pass(true, func() (int64, error) { return buffers.WriteTo(c.conn) })
}

// pass flushes and then lets send write to the connection below. With the turn
// no other call's bytes come in between; without it, for a send that may wait
// long for its source, others can go on.
func (c *Conn) pass(turn bool, send func() (int64, error)) (n int64, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.admit(); err != nil {
		return 0, err
	}
	c.endBurst()
	if err := c.takeTurn(true); err != nil {
		return 0, err
	}
	c.filling = true // or a Write would be between two buffers when they have left
	_, err = c.drain(nil, Flushed)
	c.filled()
	if !turn {
		c.giveTurn()
		c.passing++
		defer func() { c.passing-- }()
	} else {
		defer c.giveTurn()
	}
	if err != nil {
		return 0, err
	}
	n, err = c.sendBy(send)
	c.stats.Bytes += n
	return n, err
}

// sendBy calls send, and gives up mu meanwhile.
func (c *Conn) sendBy(send func() (int64, error)) (n int64, err error) {
	c.mu.Unlock()
	defer c.relock(&err)
	err = errEnded
	n, err = send()
	return n, err
}

// WriteTo copies to w until the end of what is read, as io.Copy from a Conn
// does. It keeps what the connection below can do, such as splice.
func (c *Conn) WriteTo(w io.Writer) (int64, error) {
	_, wrapped := w.(*Conn) // it puts together what Read gives
	if below, ok := c.conn.(io.WriterTo); ok && !wrapped {
		if c.open.Load() {
			c.turnAround()
		}
		n, err := below.WriteTo(w)
		return n, c.readError(err)
	}
	return io.Copy(w, struct{ io.Reader }{c})
}
