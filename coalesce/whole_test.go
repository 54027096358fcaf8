package coalesce

import (
	"bytes"
	"errors"
	"io"
	"net"
	"strings"
	"testing"
	"time"
)

// A gate lets one write through at a time, when it is told to.
type gate struct {
	net.Conn
	at   chan bool // a write has come
	pass chan bool
	took bytes.Buffer
}

func (g *gate) Write(p []byte) (int, error) {
	g.at <- true
	<-g.pass
	return g.took.Write(p)
}
func (*gate) RemoteAddr() net.Addr             { return nil }
func (*gate) LocalAddr() net.Addr              { return nil }
func (*gate) SetWriteDeadline(time.Time) error { return nil }
func (*gate) Close() error                     { return nil }

// A large Write, or what goes past the buffer, drains both buffers while a small
// one comes that does not fit into what is left of the newer one. The small one
// stays whole.
func TestSmallWriteStaysWholeBesideLarge(t *testing.T) {
	large, small := strings.Repeat("L", largeWrite), strings.Repeat("s", 400)
	for name, send := range map[string]func(*Conn){
		"Write":        func(c *Conn) { write(t, c, large) },
		"WriteBuffers": func(c *Conn) { c.WriteBuffers(&net.Buffers{[]byte(large)}) },
	} {
		g := &gate{at: make(chan bool), pass: make(chan bool)}
		c := Wrap(g)
		older, newer := buffers.Get().(*buffer), buffers.Get().(*buffer)
		older.fill([]byte("older"), bufferSize)
		newer.fill(bytes.Repeat([]byte("n"), bufferSize-100), bufferSize)
		c.out, c.in = older, newer
		done := make(chan bool, 2)
		go func() { send(c); done <- true }()
		<-g.at // the large one drains
		go func() { write(t, c, small); done <- true }()
		time.Sleep(20 * time.Millisecond)
		go func() {
			for {
				g.pass <- true
				<-g.at
			}
		}()
		<-done
		<-done
		for c.Stats().Buffered > 0 {
			time.Sleep(time.Millisecond)
		}
		want := "older" + strings.Repeat("n", bufferSize-100) + large + small
		if got := g.took.String(); got != want {
			t.Errorf("%s: got %d bytes, want %d; the small write is whole: %v", name, len(got), len(want), strings.Contains(got, small))
		}
	}
}

// waitFor polls a condition under the lock.
func waitFor(t *testing.T, c *Conn, what string, is func() bool) {
	t.Helper()
	for range 5000 {
		c.mu.Lock()
		ok := is()
		c.mu.Unlock()
		if ok {
			return
		}
		time.Sleep(time.Millisecond)
	}
	t.Fatal("never happened: ", what)
}

// A program that reads does not wait for the end of a linger, also where Read
// cannot flush by itself.
func TestReadEndsLinger(t *testing.T) {
	for _, direct := range []bool{true, false} {
		c, peer := pair(t)
		if !direct {
			c.below = socket{}
		}
		c.burst = burst{writes: promptWrites, last: now(), linger: time.Hour, measured: now()}
		c.open.Store(true)
		write(t, c, "question")
		if s := c.Stats(); s.Buffered != 8 {
			t.Fatalf("got %+v, want that the write lingers", s)
		}
		go c.Read(make([]byte, 1))
		want(t, peer, "question")
	}
}

// A Write that waits for room is told when its deadline has passed, though the
// goroutine that was to make room found nothing it may do.
func TestWaitingWriteLearnsOfDeadline(t *testing.T) {
	c := Wrap(&gate{})
	c.flushing = true // as if the goroutine had been started
	c.in = buffers.Get().(*buffer)
	c.in.fill(make([]byte, bufferSize), bufferSize)
	failed := make(chan error)
	go func() {
		_, err := c.Write([]byte("x"))
		failed <- err
	}()
	waitFor(t, c, "a Write waits", func() bool { return c.filling })
	c.mu.Lock()
	c.deadline = time.Unix(1, 0)
	c.mu.Unlock()
	go c.flushIdle()
	select {
	case err := <-failed:
		if !isTimeout(err.(*net.OpError)) {
			t.Error(err)
		}
	case <-time.After(10 * time.Second):
		t.Error("the Write still waits")
	}
}

// Close waits for what was accepted; a Read that is blocked meanwhile does not, nor one by WriteTo. They
// learn that it was closed, not of the deadline by which Close woke them.
func TestCloseWakesReader(t *testing.T) {
	for name, reads := range map[string]func(c *Conn) error{
		"Read":    func(c *Conn) error { _, err := c.Read(make([]byte, 1)); return err },
		"WriteTo": func(c *Conn) error { _, err := io.Copy(new(bytes.Buffer), c); return err },
	} {
		c, peer := pair(t, CloseWithin(20*time.Second))
		stall(t, c)
		read, closed := make(chan error, 1), make(chan error, 1)
		go func() { read <- reads(c) }()
		time.Sleep(20 * time.Millisecond)
		go func() { closed <- c.Close() }()
		select {
		case err := <-read:
			if !errors.Is(err, net.ErrClosed) {
				t.Errorf("%s: got %v", name, err)
			}
		case err := <-closed:
			t.Errorf("%s: Close was first: %v", name, err)
		case <-time.After(10 * time.Second):
			t.Errorf("the %s still waits", name)
		}
		peer.Close()
		<-closed
	}
}
