package coalesce

import (
	"errors"
	"net"
	"runtime"
	"sync/atomic"
	"testing"
	"time"
)

// An ending connection's Write takes so many bytes and then does not return.
type ending struct {
	failing
	end   func()
	calls atomic.Int64
}

func (e *ending) Write(p []byte) (int, error) {
	e.calls.Add(1)
	if n, err := e.failing.Write(p); err == nil {
		return n, nil
	}
	e.end()
	panic("unreachable")
}

// within has f run by a goroutine that may end in it, and gives what it recovered.
func within(t *testing.T, what string, f func()) (recovered any) {
	t.Helper()
	ended := make(chan any, 1)
	go func() {
		defer func() { ended <- recover() }()
		f()
	}()
	select {
	case recovered = <-ended:
	case <-time.After(time.Minute):
		t.Fatalf("%s: blocked for ever", what)
	}
	return recovered
}

// Where a Write of the connection below panics or ends its goroutine, that is
// all that happens to the caller; what follows fails, and nothing blocks.
func TestWriteBelowThatDoesNotReturn(t *testing.T) {
	big := make([]byte, largeWrite)
	for name, call := range map[string]func(c *Conn){
		"first":        func(c *Conn) { c.Write([]byte("123456")) },
		"large":        func(c *Conn) { c.Write(big) },
		"behind":       func(c *Conn) { buffered(c); c.Write(big) },
		"flush":        func(c *Conn) { buffered(c); c.Flush() },
		"close":        func(c *Conn) { buffered(c); c.Close() },
		"close write":  func(c *Conn) { c.shut = true; c.Write([]byte("123456")) },
		"WriteBuffers": func(c *Conn) { c.WriteBuffers(&net.Buffers{[]byte("123"), []byte("456")}) },
	} {
		for how, end := range map[string]func(){"panics": func() { panic(errBelow) }, "ends": runtime.Goexit} {
			e := &ending{failing: failing{takes: 2, err: errBelow}, end: end}
			c := Wrap(e)
			recovered := within(t, name, func() { call(c) })
			if want := map[string]any{"panics": errBelow, "ends": nil}[how]; recovered != want || e.calls.Load() == 0 {
				t.Errorf("%s %s: recovered %v after %d writes, want %v", name, how, recovered, e.calls.Load(), want)
			}
			calls := e.calls.Load()
			if name != "close write" {
				for range 2 {
					var err error
					within(t, name, func() { _, err = c.Write([]byte("later")) })
					if name != "close" && !errors.Is(err, errEnded) || err == nil {
						t.Errorf("%s %s: then Write gives %v, want %v", name, how, err, errEnded)
					}
				}
				if e.calls.Load() != calls {
					t.Errorf("%s %s: bytes were written after what nobody knows", name, how)
				}
			}
			within(t, name, func() { c.Flush() })
			within(t, name, func() { c.Close() })
			if !e.closed && name != "close" {
				t.Errorf("%s %s: Close did not close the connection below", name, how)
			}
		}
	}
}

// buffered has bytes that no goroutine flushes yet.
func buffered(c *Conn) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.in = buffers.Get().(*buffer)
	c.in.fill([]byte("123456"), bufferSize)
}

// The goroutine that flushes may end too. A Write that waits for it then fails.
func TestFlushThatDoesNotReturn(t *testing.T) {
	release := make(chan bool)
	e := &ending{failing: failing{takes: 0, err: errBelow}, end: func() { <-release; runtime.Goexit() }}
	c := Wrap(e)
	c.burst.before = 2
	write(t, c, "12345678")
	for e.calls.Load() == 0 {
		time.Sleep(time.Millisecond)
	}
	failed := make(chan error)
	go func() {
		for {
			if _, err := c.Write(make([]byte, 4000)); err != nil { // fills the other buffer and waits
				failed <- err
				return
			}
		}
	}()
	time.Sleep(10 * time.Millisecond)
	close(release)
	select {
	case err := <-failed:
		if !errors.Is(err, errEnded) {
			t.Errorf("Write gives %v, want %v", err, errEnded)
		}
	case <-time.After(time.Minute):
		t.Fatal("Write waits for a goroutine that has ended")
	}
	within(t, "Close", func() { c.Close() })
	if !e.closed {
		t.Error("Close did not close the connection below")
	}
}
