package coalesce

import (
	"errors"
	"io"
	"net"
	"os"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

var errBelow = errors.New("the cable is cut")

// A failing connection takes so many bytes and then fails.
type failing struct {
	net.Conn
	mu     sync.Mutex
	takes  int
	took   []byte
	err    error
	closed bool
}

func (f *failing) Write(p []byte) (int, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	n := min(len(p), f.takes-len(f.took))
	f.took = append(f.took, p[:n]...)
	if n < len(p) {
		return n, f.err
	}
	return n, nil
}
func (f *failing) RemoteAddr() net.Addr             { return nil }
func (f *failing) LocalAddr() net.Addr              { return nil }
func (f *failing) SetWriteDeadline(time.Time) error { return nil }
func (f *failing) SetReadDeadline(time.Time) error  { return nil }
func (f *failing) Close() error                     { f.closed = true; return nil }

// fails returns a Conn on which an error has happened after Write returned nil.
func fails(t *testing.T) (*Conn, *failing) {
	t.Helper()
	f := &failing{takes: 5, err: errBelow}
	c := Wrap(f)
	c.burst.before = 2
	write(t, c, "12345678")
	for range 1000 {
		c.mu.Lock()
		late := c.late
		c.mu.Unlock()
		if late != nil {
			return c, f
		}
		time.Sleep(time.Millisecond)
	}
	t.Fatal("the buffered bytes never left")
	return nil, nil
}

// An error that happened after Write returned nil is returned by the next
// call, whichever that is, and only by that.
func TestErrorAfterWriteSurfacesOnce(t *testing.T) {
	calls := map[string]func(*Conn) error{
		"Write":     func(c *Conn) error { _, err := c.Write([]byte("x")); return err },
		"large":     func(c *Conn) error { _, err := c.Write(make([]byte, 10000)); return err },
		"Flush":     (*Conn).Flush,
		"Close":     (*Conn).Close,
		"ReadFrom":  func(c *Conn) error { _, err := c.ReadFrom(io.LimitReader(zero{}, 10)); return err },
		"WriteBufs": func(c *Conn) error { _, err := c.WriteBuffers(&net.Buffers{[]byte("x")}); return err },
	}
	for name, call := range calls {
		c, f := fails(t)
		err := call(c)
		var unsent *UnsentError
		if !errors.As(err, &unsent) || unsent.Bytes != 3 || !errors.Is(err, errBelow) || unsent.Timeout() {
			t.Errorf("%s: got %v, want 3 bytes not sent", name, err)
		}
		if name == "Close" {
			if !f.closed {
				t.Error("Close did not close")
			}
			continue
		}
		_, err = c.Write([]byte("y"))
		var op *net.OpError
		if errors.As(err, &unsent) || !errors.Is(err, errBelow) || !errors.As(err, &op) || op.Op != "write" ||
			!strings.Contains(err.Error(), "an earlier write failed") {
			t.Errorf("a write after %s: got %v, want that an earlier write failed, without the lost bytes again", name, err)
		}
		if err := c.Close(); err != nil {
			t.Errorf("Close after %s: got %v, want nil, as the error was reported", name, err)
		}
		if string(f.took) != "12345" {
			t.Errorf("%s: bytes were sent after some were lost: %q", name, f.took)
		}
	}
}

type zero struct{}

func (zero) Read(p []byte) (int, error) { return len(p), nil }

// A write that itself meets the error returns it.
func TestErrorInWrite(t *testing.T) {
	for _, size := range []int{4, 10, largeWrite, 3 * bufferSize} {
		f := &failing{takes: size / 2, err: errBelow}
		c := Wrap(f)
		n, err := c.Write(make([]byte, size))
		if n != size/2 || !errors.Is(err, errBelow) {
			t.Errorf("size %d: got %d, %v, want %d", size, n, err, size/2)
		}
		c.Close()
	}
}

// A reset in the middle of a burst: some call says so, exactly one with the
// bytes that were lost, and nothing hangs.
func TestResetInBurst(t *testing.T) {
	for round := range 20 {
		c, peer := pair(t)
		go func() {
			io.CopyN(io.Discard, peer, int64(round*1000))
			peer.SetLinger(0)
			peer.Close()
		}()
		lost, first := 0, error(nil)
		for i := 0; i < 2_000_000 && first == nil; i++ {
			_, first = c.Write([]byte("fifty bytes of no importance, but quite fifty long"))
		}
		if first == nil {
			t.Fatal("writing to a reset connection never failed")
		}
		if !errors.Is(first, syscall.ECONNRESET) && !errors.Is(first, syscall.EPIPE) {
			t.Errorf("got %v, want a reset", first)
		}
		for range 3 {
			if _, err := c.Write([]byte("more")); err == nil {
				t.Error("a write after a reset succeeded")
			}
		}
		if err := c.Close(); err != nil {
			lost++
		}
		if lost != 0 {
			t.Error("Close reports again what was reported")
		}
	}
}

// A missed deadline is not the end: later the bytes go on where they stopped.
func TestDeadlineIsNotSticky(t *testing.T) {
	c, peer := pair(t)
	sent := 0
	c.SetWriteDeadline(time.Now().Add(50 * time.Millisecond))
	for { // the peer does not read
		n, err := c.Write(pattern(sent, 1000))
		sent += n
		if err != nil {
			if !errors.Is(err, os.ErrDeadlineExceeded) {
				t.Fatal(err)
			}
			break
		}
	}
	if _, err := c.Write([]byte("x")); !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Fatalf("writing after the deadline: %v", err)
	}
	if err := c.Flush(); !errors.Is(err, os.ErrDeadlineExceeded) && c.Stats().Buffered > 0 {
		t.Fatalf("flushing after the deadline: %v", err)
	}
	c.SetWriteDeadline(time.Time{})
	got := make(chan int)
	go func() { got <- verify(t, peer) }()
	for range 1000 {
		n, err := c.Write(pattern(sent, 777))
		if err != nil {
			t.Fatal(err)
		}
		sent += n
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	if n := <-got; n != sent {
		t.Errorf("the peer got %d bytes, want %d", n, sent)
	}
}

// A deadline that passes while nobody calls is reported to the next caller, even
// if he sets a new one first: heartbeats would otherwise never fail.
func TestMissedDeadlineIsTold(t *testing.T) {
	f := &failing{takes: 0, err: os.ErrDeadlineExceeded}
	c := Wrap(f)
	c.burst.before = 2
	write(t, c, "beat")
	for c.Stats().Buffered == 4 && func() bool { c.mu.Lock(); defer c.mu.Unlock(); return c.late == nil }() {
		time.Sleep(time.Millisecond)
	}
	f.mu.Lock()
	f.takes = 100
	f.mu.Unlock()
	if _, err := c.Write([]byte("beat")); !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("got %v, want the missed deadline", err)
	}
	write(t, c, "BEAT")
	if err := c.Close(); err != nil || string(f.took) != "beatBEAT" {
		t.Errorf("got %q, %v", f.took, err)
	}
}

// permanent is an error as crypto/tls has it for all writes after one that missed its deadline.
type permanent struct{}

func (permanent) Error() string   { return "i/o timeout" }
func (permanent) Timeout() bool   { return true }
func (permanent) Temporary() bool { return false }

// Other errors that call themselves timeouts are no missed deadlines: nothing is accepted after them.
func TestOtherTimeoutsAreErrors(t *testing.T) {
	for _, is := range []error{permanent{}, &net.OpError{Op: "write", Err: os.NewSyscallError("write", syscall.ETIMEDOUT)}} {
		f := &failing{takes: 2, err: is}
		c := Wrap(f)
		if n, err := c.Write([]byte("first")); n != 2 || !errors.Is(err, is) {
			t.Errorf("%v: wrote %d, %v", is, n, err)
		}
		f.takes = 100
		for range 3 {
			if n, err := c.Write([]byte("next")); n != 0 || !errors.Is(err, is) {
				t.Errorf("%v: then wrote %d, %v", is, n, err)
			}
		}
		if err := c.Close(); err != nil || string(f.took) != "fi" {
			t.Errorf("%v: got %q, %v", is, f.took, err)
		}
	}
}

// A write deadline that is shorter than the linger does not keep bytes here: they leave, or the next call reports it.
func TestDeadlineWithinLinger(t *testing.T) {
	f := &failing{takes: 1000}
	c := Wrap(f)
	accepted := 0
	for range 12 {
		c.SetWriteDeadline(time.Now().Add(900 * time.Microsecond))
		n, err := c.Write([]byte("0123456789"))
		if accepted += n; err != nil && !errors.Is(err, os.ErrDeadlineExceeded) {
			t.Fatal(err)
		}
	}
	waitFor(t, c, "bytes to leave", func() bool {
		f.mu.Lock()
		defer f.mu.Unlock()
		return len(f.took) == accepted || c.late != nil
	})
}

// A blocked connection is one whose first Write misses a deadline in the past.
type blocked struct {
	overdue
	once sync.Once
}

func (b *blocked) SetWriteDeadline(d time.Time) error {
	if !d.IsZero() && d.Before(time.Now()) {
		b.once.Do(func() { close(b.miss) })
	}
	return nil
}

// Close wakes a Write that others' bytes are buffered behind.
func TestCloseWakesFirstWrite(t *testing.T) {
	b := &blocked{overdue: overdue{failing{takes: 100}, make(chan bool), make(chan bool)}}
	c, began, first := Wrap(b), b.began, make(chan error)
	go func() {
		_, err := c.Write([]byte("first"))
		first <- err
	}()
	<-began
	write(t, c, "second")
	closed := make(chan error)
	go func() { closed <- c.Close() }()
	select {
	case err := <-first:
		if !errors.Is(err, net.ErrClosed) {
			t.Errorf("the blocked Write: got %v, want net.ErrClosed", err)
		}
	case <-time.After(time.Minute):
		t.Fatal("Close does not wake the blocked Write")
	}
	if err := <-closed; err != nil || string(b.took) != "second" {
		t.Errorf("Close: got %v, and %q has left", err, b.took)
	}
}

// overdue is a connection whose first Write misses its deadline, and says when
// it has begun. It returns when told.
type overdue struct {
	failing
	began, miss chan bool
}

func (o *overdue) Write(p []byte) (int, error) {
	if o.began != nil {
		close(o.began)
		<-o.miss
		o.began = nil
		return 0, os.ErrDeadlineExceeded
	}
	return o.failing.Write(p)
}

// A missed deadline that was lifted is forgotten, whether the write that missed
// it ends before or after that, and its bytes leave.
func TestLiftedDeadlineIsForgotten(t *testing.T) {
	for _, before := range []bool{true, false} {
		o := &overdue{failing{takes: 100}, make(chan bool), make(chan bool)}
		c := Wrap(o)
		c.burst.before = 2
		began := o.began
		c.SetWriteDeadline(time.Now().Add(time.Hour))
		write(t, c, "beat")
		<-began
		if before {
			close(o.miss)
			for func() bool { c.mu.Lock(); defer c.mu.Unlock(); return c.late == nil }() {
				time.Sleep(time.Millisecond)
			}
		}
		c.SetWriteDeadline(time.Time{})
		if !before {
			close(o.miss)
			for c.Stats().Buffered > 0 && func() bool { c.mu.Lock(); defer c.mu.Unlock(); return c.late == nil }() {
				time.Sleep(time.Millisecond)
			}
		}
		if _, err := c.Write([]byte("BEAT")); err != nil {
			t.Errorf("lifted after the write had ended %t: %v", before, err)
		}
		if err := c.Close(); err != nil || string(o.took) != "beatBEAT" {
			t.Errorf("lifted after the write had ended %t: got %q, %v", before, o.took, err)
		}
	}
}

// Close waits for a peer that does not read, but not for ever, and says what
// was lost.
func TestCloseSaysWhatItCouldNotSend(t *testing.T) {
	c, _ := pair(t, CloseWithin(50*time.Millisecond))
	stall(t, c)
	waiting := make(chan error)
	go func() { _, err := c.Read(make([]byte, 1)); waiting <- err }()
	c.SetWriteDeadline(time.Now().Add(-time.Second)) // does not count
	buffered := c.Stats().Buffered
	start := time.Now()
	err := c.Close()
	var unsent *UnsentError
	if !errors.As(err, &unsent) || unsent.Bytes != buffered || buffered == 0 || !unsent.Timeout() {
		t.Errorf("got %v, want %d bytes not sent", err, buffered)
	}
	if took := time.Since(start); took < 40*time.Millisecond || took > time.Minute { // a busy machine wakes it late
		t.Errorf("Close took %v", took)
	}
	if err := <-waiting; !errors.Is(err, net.ErrClosed) {
		t.Errorf("the blocked Read: %v", err)
	}
}

// A Write that is blocked when Close is called returns at once.
func TestCloseWakesWriter(t *testing.T) {
	for _, size := range []int{100, 100_000} {
		c, _ := pair(t, CloseWithin(time.Minute))
		waiting := make(chan error)
		go func() {
			for {
				if _, err := c.Write(make([]byte, size)); err != nil {
					waiting <- err
					return
				}
			}
		}()
		time.Sleep(100 * time.Millisecond)
		go c.Close()
		select {
		case err := <-waiting:
			if !errors.Is(err, net.ErrClosed) {
				t.Errorf("got %v", err)
			}
		case <-time.After(10 * time.Second):
			t.Error("the writer still waits")
		}
		c.NetConn().Close()
	}
}

// stall writes until the peer's and the kernel's buffers are full, and leaves
// bytes buffered.
func stall(t *testing.T, c *Conn) {
	t.Helper()
	fill := func() {
		for quiet := 0; quiet < 20; quiet++ {
			for {
				n, err := c.below.try(make([]byte, 1000))
				if err != nil {
					t.Fatal(err)
				}
				if n == 0 {
					break
				}
				quiet = 0
			}
			time.Sleep(time.Millisecond)
		}
	}
	for range 100 { // a busy machine's kernel may make room later
		fill()
		for range 10 {
			c.mu.Lock()
			c.burst.writes, c.burst.before = 0, 2 // of a lone one the kernel may want more than it has room for, and blocks
			c.mu.Unlock()
			write(t, c, "a thousand words")
			time.Sleep(5 * time.Millisecond)
			if c.Stats().Buffered > 0 {
				return
			}
		}
	}
	t.Fatal("the peer and the kernel took everything")
}

// pattern returns n bytes of a stream from a position on; verify reads one to
// its end and gives its length.
func pattern(from, n int) []byte {
	p := make([]byte, n)
	for i := range p {
		p[i] = patternAt(from + i)
	}
	return p
}

func patternAt(i int) byte { return byte(i) ^ byte(i>>8) ^ byte(i>>16) }

func verify(t *testing.T, r io.Reader) (n int) {
	buffer := make([]byte, 64<<10)
	for {
		k, err := r.Read(buffer)
		for i, b := range buffer[:k] {
			if b != patternAt(n+i) {
				t.Errorf("byte %d is %#x, want %#x", n+i, b, patternAt(n+i))
				return n
			}
		}
		n += k
		if err != nil {
			if err != io.EOF {
				t.Errorf("after %d bytes: %v", n, err)
			}
			return n
		}
	}
}
