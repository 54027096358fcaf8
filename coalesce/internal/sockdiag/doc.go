// Package sockdiag asks the Linux kernel about TCP connections, through
// netlink's sock_diag. Anybody may ask; no root is needed. The figures are
// those of TCP_INFO, sock_diag(7) and linux/tcp.h.
package sockdiag

import (
	"fmt"
	"net/netip"
	"time"
)

// A Socket is one TCP connection at one moment.
type Socket struct {
	Cookie        uint64 // names the socket as long as it lives
	Inode         uint32 // as in /proc/PID/fd; 0 when no process has it any more
	Local, Remote netip.AddrPort

	Segment     int           // bytes of data in a full packet
	RTT         time.Duration // smoothed
	DataOut     int64         // packets with data sent, those sent again too
	DataIn      int64         // packets with data received
	BytesOut    int64         // of data sent, those sent again too
	Retrans     int64         // packets sent again
	BytesResent int64
}

// An Unavailable says why the kernel does not answer.
type Unavailable struct{ Reason, Remedy string }

func (u *Unavailable) Error() string {
	return fmt.Sprintf("sockdiag: %s; %s", u.Reason, u.Remedy)
}
