package coalesce

import (
	"errors"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// A nil connection is found where it is wrapped, not at the first write.
func TestNilConnIsRefused(t *testing.T) {
	for name, c := range map[string]net.Conn{"nil": nil, "nil Conn": (*Conn)(nil)} {
		func() {
			defer func() {
				if text, _ := recover().(string); !strings.Contains(text, "nil net.Conn") {
					t.Errorf("%s: got %q", name, text)
				}
			}()
			Wrap(c)
		}()
	}
}

// An uncomparable connection panics when it is compared or a key of a map.
type uncomparable struct {
	net.Conn
	_ []int
}

func TestUncomparableConn(t *testing.T) {
	near, far := connect(t, "tcp")
	c := Wrap(uncomparable{Conn: near})
	for range 30 {
		write(t, c, "x")
	}
	c.SetDeadline(time.Now().Add(time.Minute))
	if err := c.Close(); err != nil {
		t.Error(err)
	}
	want(t, far, strings.Repeat("x", 30))
}

// A stream whose peer has no address, as Unix sockets have on some systems, is
// not taken for a packet connection, though *net.UnixConn has the methods of one.
type anonymous struct{ *net.UnixConn }

func (anonymous) RemoteAddr() net.Addr { return nil }

func TestKinds(t *testing.T) {
	near, _ := connect(t, "unix")
	if packet, local := kindOf(anonymous{near.(*net.UnixConn)}); packet || !local {
		t.Errorf("an anonymous Unix stream: packet %v, local %v", packet, local)
	}
	for _, network := range []string{"unixgram", "unixpacket"} {
		dir, err := os.MkdirTemp("", "")
		if err != nil {
			t.Fatal(err)
		}
		defer os.RemoveAll(dir)
		address := &net.UnixAddr{Name: filepath.Join(dir, "s"), Net: network}
		var far net.Conn
		accepted := make(chan net.Conn, 1)
		if network == "unixgram" {
			far, err = net.ListenUnixgram(network, address)
		} else {
			var l *net.UnixListener
			if l, err = net.ListenUnix(network, address); err == nil {
				defer l.Close()
				go func() { c, _ := l.Accept(); accepted <- c }()
			}
		}
		if err != nil {
			t.Logf("no %s sockets here: %v", network, err)
			continue
		}
		plain, err := net.DialUnix(network, nil, address)
		if err != nil {
			t.Fatal(err)
		}
		if far == nil {
			far = <-accepted
		}
		defer far.Close()
		c := Wrap(plain)
		for _, message := range []string{"a", "bb", "ccc"} {
			write(t, c, message)
		}
		got := make([]byte, 100)
		far.SetReadDeadline(time.Now().Add(10 * time.Second))
		for _, message := range []string{"a", "bb", "ccc"} {
			if n, err := far.Read(got); string(got[:n]) != message || err != nil {
				t.Fatalf("%s: got %q, %v, want %q", network, got[:n], err, message)
			}
		}
		if err := c.Flush(); err != nil {
			t.Errorf("%s: Flush: %v", network, err)
		}
		if err := c.Close(); err != nil {
			t.Errorf("%s: Close: %v", network, err)
		}
		if err := c.Flush(); !errors.Is(err, net.ErrClosed) {
			t.Errorf("%s: Flush after Close: %v", network, err)
		}
		if _, err := c.Write([]byte("x")); !errors.Is(err, net.ErrClosed) {
			t.Errorf("%s: Write after Close: %v", network, err)
		}
	}
}

// Two goroutines of a relay close the connection, or still set a deadline: what Close is still
// sending is not cut off, and its waiting does not end.
func TestSecondCloseDoesNotDisturbTheFirst(t *testing.T) {
	c, peer := pair(t, CloseWithin(time.Minute))
	stall(t, c)
	buffered := c.Stats().Buffered
	first := make(chan error)
	go func() { first <- c.Close() }()
	waitFor(t, c, "Close was called", func() bool { return c.closed })
	for range 3 {
		if err := c.Close(); !errors.Is(err, net.ErrClosed) {
			t.Errorf("the second Close: %v", err)
		}
		if err := c.SetWriteDeadline(time.Unix(1, 0)); !errors.Is(err, net.ErrClosed) {
			t.Errorf("SetWriteDeadline while Close waits: %v", err)
		}
		time.Sleep(time.Millisecond)
	}
	if n, err := io.Copy(io.Discard, peer); err != nil || n < int64(buffered) {
		t.Errorf("the peer got %d bytes, %v", n, err)
	}
	if err := <-first; err != nil {
		t.Errorf("the first Close: %v", err)
	}
}

// A deadline in the past ends a large Write that blocks, though another
// goroutine has buffered bytes meanwhile.
func TestPastDeadlineEndsBlockedWrite(t *testing.T) {
	c, _ := pair(t, CloseWithin(0))
	defer c.Close()
	ended := make(chan error, 1)
	go func() { _, err := c.Write(make([]byte, 64<<20)); ended <- err }()
	waitFor(t, c, "the Write has the turn", func() bool { return c.calling })
	write(t, c, "beside")
	if n := c.Stats().Buffered; n != 6 {
		t.Errorf("%d bytes buffered, want 6", n)
	}
	if err := c.SetWriteDeadline(time.Unix(1, 0)); err != nil {
		t.Error(err)
	}
	select {
	case err := <-ended:
		if !isTimeout(err) {
			t.Errorf("the Write: %v", err)
		}
	case <-time.After(10 * time.Second):
		t.Error("the Write still waits")
		c.NetConn().Close()
	}
}

// A Close that may not wait sends what the kernel takes at once.
func TestCloseWithinNothing(t *testing.T) {
	for _, network := range []string{"tcp", "unix"} {
		for range 50 {
			near, far := connect(t, network)
			c := Wrap(near, CloseWithin(0))
			c.burst.before = 2
			write(t, c, "the last words")
			if err := c.Close(); err != nil {
				t.Fatalf("%s: %v", network, err)
			}
			want(t, far, "the last words")
		}
	}
}

// Empty writes send nothing and end no burst; huge ones arrive whole.
func TestEmptyAndHugeWrites(t *testing.T) {
	for _, network := range []string{"tcp", "unix"} {
		near, far := connect(t, network)
		c := Wrap(near)
		got := make(chan int)
		go func() { got <- verify(t, far) }()
		sent := 0
		for _, size := range []int{0, 1, 0, 3, 0, largeWrite - 1, 16 << 20, 0, 2, 5, 4 << 20, 1} {
			before := c.burst.writes
			if n, err := c.Write(pattern(sent, size)); n != size || err != nil {
				t.Fatalf("%d bytes: %d, %v", size, n, err)
			}
			if size == 0 && c.burst.writes != before {
				t.Error("an empty write counts in the burst")
			}
			sent += size
		}
		if n, err := c.Write(nil); n != 0 || err != nil {
			t.Error(n, err)
		}
		if err := c.Close(); err != nil {
			t.Error(err)
		}
		if n := <-got; n != sent {
			t.Errorf("%s: the peer got %d bytes, want %d", network, n, sent)
		}
		if n, err := c.Write(nil); n != 0 || !errors.Is(err, net.ErrClosed) {
			t.Errorf("an empty write after Close: %d, %v", n, err)
		}
	}
}

// A listener that is closed says so to who waits in Accept, and one that is
// wrapped twice wraps once.
func TestListener(t *testing.T) {
	plain, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l := Listener(Listener(plain))
	go func() {
		c, err := net.Dial("tcp", l.Addr().String())
		if err == nil {
			defer c.Close()
			io.Copy(io.Discard, c)
		}
	}()
	c, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := c.(*Conn).NetConn().(*net.TCPConn); !ok {
		t.Errorf("below is a %T", c.(*Conn).NetConn())
	}
	failed := make(chan error)
	go func() { _, err := l.Accept(); failed <- err }()
	time.Sleep(10 * time.Millisecond)
	l.Close()
	if err := <-failed; !errors.Is(err, net.ErrClosed) {
		t.Errorf("Accept: %v", err)
	}
	write(t, c, "x") // connections live on
	c.Close()
}
