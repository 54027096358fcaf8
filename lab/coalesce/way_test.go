//go:build linux

package coalesce

import (
	"bufio"
	"errors"
	"net"
	"syscall"

	"github.com/wherrygo/wherry/coalesce"
)

// A stream is what a work writes to: a connection, written in one of the ways.
type stream struct {
	net.Conn
	tcp   *net.TCPConn
	flush func() error // ends a message, where the way needs it said
}

var allWays = []string{"default", "nagle", "cork", "bufio", "coalesce"}

// dialer sets the congestion control before the connection begins: a socket that
// has begun with bbr goes on pacing its packets under another.
func dialer(congestion string) *net.Dialer {
	return &net.Dialer{Control: func(_, _ string, raw syscall.RawConn) (inner error) {
		err := raw.Control(func(fd uintptr) {
			inner = syscall.SetsockoptString(int(fd), syscall.IPPROTO_TCP, syscall.TCP_CONGESTION, congestion)
		})
		return errors.Join(err, inner)
	}}
}

// bind turns a connection into a stream.
func bind(way string, tcp *net.TCPConn) (*stream, error) {
	s := &stream{Conn: tcp, tcp: tcp, flush: func() error { return nil }}
	switch way {
	case "nagle":
		return s, tcp.SetNoDelay(false)
	case "cork":
		set := func(value int) error {
			return setOption(tcp, func(fd int) error {
				return syscall.SetsockoptInt(fd, syscall.IPPROTO_TCP, syscall.TCP_CORK, value)
			})
		}
		s.flush = func() error {
			if err := set(0); err != nil {
				return err
			}
			return set(1)
		}
		return s, set(1)
	case "bufio":
		w := bufio.NewWriterSize(tcp, 4096)
		s.Conn, s.flush = &buffered{tcp, w}, w.Flush
	case "coalesce":
		s.Conn = coalesce.Wrap(tcp)
	}
	return s, nil
}

type buffered struct {
	*net.TCPConn
	w *bufio.Writer
}

func (b *buffered) Write(p []byte) (int, error) { return b.w.Write(p) }

func (b *buffered) CloseWrite() error {
	if err := b.w.Flush(); err != nil {
		return err
	}
	return b.TCPConn.CloseWrite()
}

func setOption(c *net.TCPConn, set func(fd int) error) error {
	raw, err := c.SyscallConn()
	if err != nil {
		return err
	}
	var inner error
	if err := raw.Control(func(fd uintptr) { inner = set(int(fd)) }); err != nil {
		return err
	}
	return inner
}
