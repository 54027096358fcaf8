package coalesce

import (
	"io"
	"net"
	"runtime"
	"sync/atomic"
	"testing"
	"time"
)

// While a connection is copied by the kernel, and its peer does not read, nobody else is held up: Close ends
// in time, and what is there can be read.
func TestCopyHoldsNobodyUp(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	copied := func(closeWithin time.Duration) (c *Conn, far *net.TCPConn) {
		c, far = pair(t, CloseWithin(closeWithin))
		from, feed := connect(t, "tcp")
		var fed atomic.Int64
		go func() {
			for data := make([]byte, 64<<10); ; {
				n, err := feed.Write(data)
				if fed.Add(int64(n)); err != nil {
					return
				}
			}
		}()
		for range 3 {
			write(t, c, "header")
		}
		c.Flush()
		go io.Copy(c, from)
		for before, quiet := int64(0), 0; quiet < 20; time.Sleep(10 * time.Millisecond) { // until nothing moves
			if now := fed.Load(); now != before {
				before, quiet = now, 0
			} else {
				quiet++
			}
		}
		return c, far
	}
	t.Run("Close", func(t *testing.T) {
		c, _ := copied(100 * time.Millisecond)
		write(t, c, "bye")
		ended := make(chan error)
		go func() { ended <- c.Close() }()
		select {
		case <-ended:
		case <-time.After(time.Minute):
			t.Fatal("Close does not end")
		}
	})
	t.Run("Read", func(t *testing.T) {
		c, far := copied(time.Millisecond)
		write(t, far, "answer")
		read := make(chan int)
		go func() {
			c.Write([]byte("status"))
			n, _ := c.Read(make([]byte, 6))
			read <- n
		}()
		select {
		case <-read:
		case <-time.After(time.Minute):
			t.Fatal("Read does not end, and what it wants is there")
		}
	})
}
