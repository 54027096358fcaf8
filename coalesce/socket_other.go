//go:build !unix

package coalesce

import (
	"net"
	"time"
)

// A socket offers nothing here: a goroutine flushes in Read's place, and the
// linger is fixed.
type socket struct{}

func socketOf(net.Conn) (s socket) { return }

func (s *socket) canTry() bool { return false }

func (s *socket) try([]byte) (int, error) { return 0, nil }

func (s *socket) info() (rtt time.Duration, segment int, ok bool) { return }
