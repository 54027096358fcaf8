//go:build unix

package coalesce

import (
	"net"
	"os"
	"syscall"
	"time"
)

// A socket is a connection below, if it is one of the operating system's. At
// most one goroutine at a time calls try: the one that has the turn.
type socket struct {
	raw   syscall.RawConn // to ask about
	write syscall.RawConn // to write to; nil where another layer, TLS, is between
	data  []byte
	n     int
	err   error
	once  func(fd uintptr) bool
}

func socketOf(c net.Conn) (s socket) {
	if direct, ok := c.(syscall.Conn); ok {
		switch c.(type) {
		case *net.TCPConn, *net.UnixConn: // others may do more in their Write
			s.write, _ = direct.SyscallConn()
		}
	}
	for {
		over, ok := c.(interface{ NetConn() net.Conn })
		if !ok {
			break
		}
		c = over.NetConn()
	}
	if tcp, ok := c.(*net.TCPConn); ok {
		s.raw, _ = tcp.SyscallConn()
	}
	return s
}

func (s *socket) canTry() bool { return s.write != nil }

// try writes what the kernel takes at once, perhaps nothing.
func (s *socket) try(data []byte) (int, error) {
	if s.once == nil {
		s.once = s.writeOnce
	}
	s.data, s.n, s.err = data, 0, nil
	if err := s.write.Write(s.once); err != nil {
		s.err = err
	}
	s.data = nil
	return s.n, s.err
}

func (s *socket) writeOnce(fd uintptr) bool {
	for {
		n, err := syscall.Write(int(fd), s.data)
		switch err {
		case nil:
			s.n = n
		case syscall.EINTR:
			continue
		case syscall.EAGAIN:
		default:
			s.err = os.NewSyscallError("write", err)
		}
		return true
	}
}

// info returns the round-trip time and the segment size.
func (s *socket) info() (rtt time.Duration, segment int, ok bool) {
	if s.raw == nil {
		return 0, 0, false
	}
	if err := s.raw.Control(func(fd uintptr) { rtt, segment, ok = tcpInfo(fd) }); err != nil {
		return 0, 0, false
	}
	return rtt, segment, ok
}
