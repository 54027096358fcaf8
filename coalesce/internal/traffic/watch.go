// Package traffic follows a program and says how well its TCP connections use
// packets, and what putting small writes together would change.
package traffic

import (
	"time"

	"github.com/wherrygo/wherry/coalesce/internal/sockdiag"
)

// A Kernel tells about connections; sockdiag.Kernel does.
type Kernel interface {
	Sockets() ([]sockdiag.Socket, error)
	Ended() []sockdiag.Socket
}

// A Watch collects the figures of a program's connections.
type Watch struct {
	kernel Kernel
	own    func() map[uint32]bool // inodes of the program's sockets
	flows  map[uint64]*flow       // by cookie
	order  []*flow
}

// A flow is one connection from when it was first seen.
type flow struct {
	last    sockdiag.Socket
	at      time.Time
	small   float64
	after   float64
	packets int64
	bytes   int64
	turns   int64
	paused  int64 // packets that left alone, with a pause before the next
	segment int
}

// NewWatch begins to watch. own gives the inodes of the program's sockets.
func NewWatch(k Kernel, own func() map[uint32]bool) *Watch {
	return &Watch{kernel: k, own: own, flows: map[uint64]*flow{}}
}

// Look notes what happened since the last look.
func (w *Watch) Look(now time.Time) error {
	sockets, err := w.kernel.Sockets()
	if err != nil {
		return err
	}
	own := w.own()
	for _, s := range sockets {
		f := w.flows[s.Cookie]
		if f == nil {
			if s.Inode == 0 || !own[s.Inode] {
				continue
			}
			f = &flow{at: now}
			w.flows[s.Cookie] = f
			w.order = append(w.order, f)
		}
		f.add(s, now)
	}
	for _, s := range w.kernel.Ended() {
		if f := w.flows[s.Cookie]; f != nil {
			f.add(s, now)
			delete(w.flows, s.Cookie)
		}
	}
	return nil
}

const (
	// As package coalesce has them.
	shortestLinger = 500 * time.Microsecond
	longestLinger  = 10 * time.Millisecond
	shortestGap    = time.Millisecond
	bufferSize     = 16 << 10
)

// add takes the figures of the time since the last look.
func (f *flow) add(s sockdiag.Socket, now time.Time) {
	packets := (s.DataOut - s.Retrans) - (f.last.DataOut - f.last.Retrans)
	bytes := (s.BytesOut - s.BytesResent) - (f.last.BytesOut - f.last.BytesResent)
	turns := s.DataIn - f.last.DataIn
	took := now.Sub(f.at)
	f.last, f.at = s, now
	f.turns += max(turns, 0)
	if packets <= 0 || bytes < 0 {
		return
	}
	f.packets += packets
	f.bytes += bytes
	f.segment = min(max(s.Segment, 1), bufferSize) // on loopback a segment is larger than any buffer
	n, full := float64(packets), float64(bytes)/float64(f.segment)

	// The kernel does not tell the sizes of packets. Of n packets with so many
	// bytes at most 2*full can be half a segment or more.
	f.small += max(0, n-2*full)

	// What coalesce would make of it: what is lone stays, a turn ends a burst,
	// and so does each linger.
	linger := min(s.RTT/8, longestLinger)
	if linger < shortestLinger {
		linger = 0
	}
	if gap := took / time.Duration(packets); gap > max(linger, shortestGap) {
		f.after += n
		f.paused += packets
		return
	}
	after := max(full, min(n, float64(turns)), 1)
	if linger > 0 {
		after = max(after, float64(took)/float64(linger))
	}
	f.after += min(n, after)
}
