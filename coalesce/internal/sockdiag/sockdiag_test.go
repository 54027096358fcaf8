//go:build linux

package sockdiag

import (
	"errors"
	"io"
	"net"
	"net/netip"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

func open(t *testing.T) *Kernel {
	t.Helper()
	k, err := Open()
	var u *Unavailable
	if errors.As(err, &u) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(k.Close)
	return k
}

// What was sent is what the kernel counts, and the inode is that of /proc.
func TestFiguresOfAConnection(t *testing.T) {
	k := open(t)
	for _, address := range []string{"127.0.0.1:0", "[::1]:0"} {
		l, err := net.Listen("tcp", address)
		if err != nil {
			t.Logf("%s: %v", address, err)
			continue
		}
		defer l.Close()
		c, err := net.Dial("tcp", l.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		peer, err := l.Accept()
		if err != nil {
			t.Fatal(err)
		}
		for range 25 {
			c.Write(make([]byte, 40))
			io.ReadFull(peer, make([]byte, 40)) // so that each is a packet
		}
		find := func(sockets []Socket) *Socket {
			for _, s := range sockets {
				if s.Local == netip.MustParseAddrPort(c.LocalAddr().String()) && s.Remote == netip.MustParseAddrPort(c.RemoteAddr().String()) {
					return &s
				}
			}
			return nil
		}
		sockets, err := k.Sockets()
		if err != nil {
			t.Fatal(err)
		}
		s := find(sockets)
		if s == nil {
			t.Fatalf("the connection %s is not among %d", c.LocalAddr(), len(sockets))
		}
		if s.BytesOut-s.BytesResent != 1000 || s.DataOut-s.Retrans != 25 || s.DataIn != 0 || s.RTT <= 0 || s.RTT > time.Second ||
			s.Segment < 500 || s.Cookie == 0 {
			t.Errorf("got %+v, want 25 packets of 40 bytes", s)
		}
		if !has(t, s.Inode) {
			t.Errorf("inode %d is not ours", s.Inode)
		}
		cookie := s.Cookie
		c.Close()
		peer.Close()
		var ended *Socket
		for range 100 {
			for _, e := range k.Ended() {
				if e.Cookie == cookie {
					ended = &e
				}
			}
			if ended != nil {
				break
			}
			time.Sleep(10 * time.Millisecond)
		}
		if k.ends >= 0 && (ended == nil || ended.BytesOut != 1000) {
			t.Errorf("the end of the connection: %+v", ended)
		}
	}
}

func has(t *testing.T, inode uint32) bool {
	links, err := filepath.Glob("/proc/self/fd/*")
	if err != nil {
		t.Fatal(err)
	}
	for _, link := range links {
		if target, _ := os.Readlink(link); strings.Contains(target, "socket:["+strconv.Itoa(int(inode))+"]") {
			return true
		}
	}
	return false
}

// Garbage is refused, not believed.
func FuzzParse(f *testing.F) {
	f.Add(make([]byte, messageSize))
	f.Add(append(make([]byte, messageSize), 4, 0, 2, 0))
	f.Add(append(make([]byte, messageSize), 1, 0, 2, 0, 9, 9))
	f.Fuzz(func(t *testing.T, data []byte) {
		if _, ok := parse(data); ok && len(data) < messageSize+4+infoSize {
			t.Error("an answer without figures was believed")
		}
	})
}
