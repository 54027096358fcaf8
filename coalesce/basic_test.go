package coalesce

import (
	"bytes"
	"errors"
	"io"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"
)

// connect returns the two ends of a connection.
func connect(t testing.TB, network string) (near, far net.Conn) {
	t.Helper()
	address := "127.0.0.1:0"
	if network == "unix" {
		dir, err := os.MkdirTemp("", "") // t.TempDir can be too long for a socket
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { os.RemoveAll(dir) })
		address = filepath.Join(dir, "s")
	}
	l, err := net.Listen(network, address)
	if err != nil {
		t.Skipf("no %s sockets here: %v", network, err)
	}
	defer l.Close()
	if near, err = net.Dial(network, l.Addr().String()); err != nil {
		t.Fatal(err)
	}
	if far, err = l.Accept(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { near.Close(); far.Close() })
	return near, far
}

// pair returns a wrapped TCP connection and its plain peer.
func pair(t testing.TB, options ...Option) (*Conn, *net.TCPConn) {
	near, far := connect(t, "tcp")
	return Wrap(near, options...), far.(*net.TCPConn)
}

// want reads exactly text.
func want(t *testing.T, r net.Conn, text string) {
	t.Helper()
	got := make([]byte, len(text))
	r.SetReadDeadline(time.Now().Add(10 * time.Second))
	if n, err := io.ReadFull(r, got); err != nil || string(got) != text {
		t.Fatalf("got %q, %v, want %q", got[:n], err, text)
	}
	r.SetReadDeadline(time.Time{})
}

func write(t *testing.T, c io.Writer, text string) {
	t.Helper()
	if n, err := io.WriteString(c, text); n != len(text) || err != nil {
		t.Fatalf("writing %q: %d, %v", text, n, err)
	}
}

// A message that comes alone goes straight out.
func TestLoneMessageIsNotBuffered(t *testing.T) {
	c, peer := pair(t)
	for range 20 {
		write(t, c, "ping")
		if s := c.Stats(); s.Buffered != 0 {
			t.Fatalf("%d bytes are buffered", s.Buffered)
		}
		want(t, peer, "ping")
		write(t, peer, "pong")
		want(t, c, "pong")
	}
	if s := c.Stats(); s.WritesIn != 20 || s.WritesOut != 20 || s.Why[First] != 20 {
		t.Errorf("got %+v, want 20 writes, all first", s)
	}
}

// A request made of several writes is one write below, from the second on.
func TestRequestOfSixWritesIsOne(t *testing.T) {
	c, peer := pair(t)
	idle := 0
	for i := range 20 {
		before := c.Stats()
		for _, part := range []string{"a", "b", "c", "d", "e", "f"} {
			write(t, c, part)
		}
		go func() { want(t, peer, "abcdef"); write(t, peer, "answer") }()
		want(t, c, "answer")
		s := c.Stats()
		if i > 0 && s.WritesOut-before.WritesOut > 1 {
			idle++ // the flusher may come between two writes
		}
	}
	if idle > 8 {
		t.Errorf("%d of 19 requests took more than one write", idle)
	}
	if s := c.Stats(); s.Why[Turned]+s.Why[Idle] < 8 || s.Bytes != 120 { // on a busy machine the flusher comes before the read
		t.Errorf("got %+v", s)
	}
}

// On a long way the second of two writes may come later than the goroutine that
// flushes. A write that does not come is not waited for longer.
func TestExpectedWritesAreAwaited(t *testing.T) {
	c, peer := pair(t)
	for i := range 50 {
		before := c.Stats().WritesOut
		// A linger of an hour: no gap ends the burst, however long the machine takes.
		c.burst.before, c.burst.pause, c.burst.linger = 2, time.Minute, time.Hour
		write(t, c, "a")
		for start := time.Now(); time.Since(start) < 200*time.Microsecond; {
			runtime.Gosched()
		}
		write(t, c, "b")
		want(t, peer, "ab")
		if out := c.Stats().WritesOut - before; out > 1 { // the peer can be faster than the count
			t.Errorf("pair %d left in %d writes", i, out)
		}
		c.Flush() // the burst is over
	}
	c.burst.before, c.burst.pause = 3, time.Millisecond
	write(t, c, "c")
	write(t, c, "d")
	want(t, peer, "cd")
}

// What is buffered leaves without another call.
func TestBufferedBytesLeaveByThemselves(t *testing.T) {
	for _, network := range []string{"tcp", "unix"} {
		t.Run(network, func(t *testing.T) {
			near, far := connect(t, network)
			c := Wrap(near)
			text := ""
			for i := range 30 {
				part := string(rune('a' + i%26))
				write(t, c, part)
				text += part
			}
			want(t, far, text)
			waitFor(t, c, "all is counted", func() bool { return c.unsent() == 0 }) // the peer can be faster
			if s := c.Stats(); s.Buffered != 0 || s.Bytes != 30 {
				t.Errorf("got %+v", s)
			}
		})
	}
}

// From the ninth write on bytes linger on a far link, and then leave.
func TestLinger(t *testing.T) {
	c, peer := pair(t)
	c.local = false // a link whose round-trip time is unknown
	c.below = socket{}
	for range promptWrites {
		write(t, c, "x")
	}
	c.Flush()
	c.mu.Lock()
	if c.measure(); c.burst.linger != fixedLinger {
		t.Errorf("a linger of %v, want %v", c.burst.linger, fixedLinger)
	}
	// It is an hour until it has been seen: a busy machine takes long for that.
	c.burst = burst{writes: promptWrites, last: now(), linger: time.Hour, measured: now() + time.Hour}
	c.mu.Unlock()
	write(t, c, "yz")
	waitFor(t, c, "the timer runs", func() bool { return c.armed })
	if s := c.Stats(); s.Buffered != 2 || s.Why[Lingered] != 0 {
		t.Errorf("the ninth write does not linger: %+v", s)
	}
	c.mu.Lock()
	c.timer.Reset(fixedLinger)
	c.mu.Unlock()
	want(t, peer, "xxxxxxxxyz")
	for c.Stats().Buffered > 0 { // the peer can be faster than the count
		time.Sleep(time.Millisecond)
	}
	if s := c.Stats(); s.Why[Lingered] != 1 {
		t.Errorf("got %+v, want one flush after the linger", s)
	}
}

func TestFlush(t *testing.T) {
	c, peer := pair(t)
	c.burst.before = 2
	for range 100 {
		write(t, c, "12345")
		if err := c.Flush(); err != nil {
			t.Fatal(err)
		}
		if s := c.Stats(); s.Buffered != 0 {
			t.Fatalf("%d bytes buffered after Flush", s.Buffered)
		}
		want(t, peer, "12345")
	}
}

func TestCloseFlushes(t *testing.T) {
	for range 100 {
		c, peer := pair(t)
		c.burst.before = 2
		write(t, c, "the last ")
		write(t, c, "words")
		if err := c.Close(); err != nil {
			t.Fatal(err)
		}
		got, err := io.ReadAll(peer)
		if string(got) != "the last words" || err != nil {
			t.Fatalf("got %q, %v", got, err)
		}
		if _, err := c.Write([]byte("x")); !errors.Is(err, net.ErrClosed) {
			t.Fatalf("write after Close: %v", err)
		}
		if err := c.Flush(); !errors.Is(err, net.ErrClosed) {
			t.Fatalf("flush after Close: %v", err)
		}
		if err := c.Close(); !errors.Is(err, net.ErrClosed) {
			t.Fatalf("second Close: %v, want what net.Conn says", err)
		}
	}
}

func TestHalfClose(t *testing.T) {
	for _, network := range []string{"tcp", "unix"} {
		near, far := connect(t, network)
		c := Wrap(near)
		c.burst.before = 2
		write(t, c, "question")
		if err := c.CloseWrite(); err != nil {
			t.Fatal(err)
		}
		got, err := io.ReadAll(far)
		if string(got) != "question" || err != nil {
			t.Fatalf("got %q, %v", got, err)
		}
		write(t, far, "answer")
		far.Close()
		got, err = io.ReadAll(c)
		if string(got) != "answer" || err != nil {
			t.Fatalf("got %q, %v", got, err)
		}
		if _, err := c.Write([]byte("x")); err == nil {
			t.Error("writing after CloseWrite succeeded")
		}
	}
	a, b := net.Pipe()
	defer b.Close()
	c := Wrap(a)
	defer c.Close()
	if err := c.CloseWrite(); !errors.Is(err, errors.ErrUnsupported) {
		t.Errorf("CloseWrite over a pipe: %v", err)
	}
	if err := c.CloseRead(); !errors.Is(err, errors.ErrUnsupported) {
		t.Errorf("CloseRead over a pipe: %v", err)
	}
}

// A file is sent by sendfile, after what was buffered.
func TestReadFrom(t *testing.T) {
	file, err := os.Create(filepath.Join(t.TempDir(), "f"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	content := bytes.Repeat([]byte("0123456789"), 20000)
	file.Write(content)
	for name, source := range map[string]io.Reader{
		"file":    file,
		"limited": io.LimitReader(file, int64(len(content))),
		"other":   struct{ io.Reader }{file},
	} {
		t.Run(name, func(t *testing.T) {
			file.Seek(0, io.SeekStart)
			c, peer := pair(t)
			c.burst.before = 2
			write(t, c, "head ")
			go func() {
				if n, err := io.Copy(c, source); n != int64(len(content)) || err != nil {
					t.Errorf("copied %d, %v", n, err)
				}
				io.WriteString(c, " tail")
				c.Close()
			}()
			got, err := io.ReadAll(peer)
			if err != nil || string(got) != "head "+string(content)+" tail" {
				t.Errorf("got %d bytes, %v, want %d in order", len(got), err, len(content)+10)
			}
			s := c.Stats()
			if passed := s.Bytes-int64(len(content)) > 0 && s.WritesIn <= 2; passed != (name != "other") {
				t.Errorf("passed to the kernel: %v; %+v", passed, s)
			}
		})
	}
}

func TestWriteBuffers(t *testing.T) {
	c, peer := pair(t)
	c.burst.before = 2
	write(t, c, "a")
	list := net.Buffers{[]byte("b"), []byte("c"), []byte("d")}
	if n, err := c.WriteBuffers(&list); n != 3 || err != nil {
		t.Fatal(n, err)
	}
	list = net.Buffers{[]byte("e"), bytes.Repeat([]byte("f"), 9000), []byte("g")}
	if n, err := list.WriteTo(c); n != 9002 || err != nil {
		t.Fatal(n, err)
	}
	want(t, peer, "abcde"+string(bytes.Repeat([]byte("f"), 9000))+"g")
}

// What one connection reads another writes: io.Copy in both directions.
func TestRelay(t *testing.T) {
	client, a := pair(t)
	b, server := pair(t)
	in := Wrap(a)
	go func() { io.Copy(in, b); in.CloseWrite() }()
	go func() { io.Copy(b, in); b.CloseWrite() }()
	go func() { io.Copy(server, server); server.CloseWrite() }()
	go func() {
		for range 5000 {
			write(t, client, "0123456789")
		}
		client.CloseWrite()
	}()
	got, err := io.ReadAll(client)
	if err != nil || !bytes.Equal(got, bytes.Repeat([]byte("0123456789"), 5000)) {
		t.Errorf("got %d bytes back, %v", len(got), err)
	}
}

// Messages keep their borders.
func TestPacketsArePassedThrough(t *testing.T) {
	server, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	c, err := new(Dialer).Dial("udp", server.LocalAddr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	for range 20 {
		write(t, c, "datagram")
	}
	got := make([]byte, 100)
	server.SetReadDeadline(time.Now().Add(10 * time.Second))
	for range 20 {
		if n, _, err := server.ReadFrom(got); n != 8 || err != nil {
			t.Fatal(n, err)
		}
	}
}

func TestWrapTwiceIsOnce(t *testing.T) {
	c, _ := pair(t)
	if Wrap(c) != c {
		t.Error("a Conn was wrapped")
	}
	if _, ok := c.NetConn().(*net.TCPConn); !ok {
		t.Errorf("NetConn gives %T", c.NetConn())
	}
}

func BenchmarkWrite(b *testing.B) {
	near, far := connect(b, "tcp")
	go io.Copy(io.Discard, far)
	for name, c := range map[string]net.Conn{"plain": near, "coalesce": Wrap(near)} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(50)
			p := make([]byte, 50)
			for range b.N {
				if _, err := c.Write(p); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
