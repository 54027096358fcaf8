package coalesce

import (
	"io"
	"math/rand/v2"
	"net"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"
)

// Both ends write 100 MB before and while they read: Read must never wait for
// a flush.
func TestFullDuplex(t *testing.T) {
	size := 100 << 20
	if testing.Short() {
		size = 8 << 20
	}
	for _, name := range []string{"small", "mixed"} {
		t.Run(name, func(t *testing.T) {
			near, far := connect(t, "tcp")
			var all sync.WaitGroup
			for seed, c := range []*Conn{Wrap(near), Wrap(far)} {
				c.SetDeadline(time.Now().Add(2 * time.Minute))
				all.Add(1)
				go func() {
					defer all.Done()
					echo(t, c, size, name == "mixed", uint64(seed))
				}()
			}
			all.Wait()
		})
	}
}

// echo is one end: a single goroutine that writes a little and reads a little,
// and one that reads the rest.
func echo(t *testing.T, c *Conn, size int, mixed bool, seed uint64) {
	random := rand.New(rand.NewPCG(seed, 9))
	read := make(chan int)
	go func() { read <- verify(t, c) }()
	stream := pattern(0, 1<<24)
	for sent := 0; sent < size; {
		n := 100
		if mixed {
			n = 1 + random.IntN(12000)
		}
		at := sent & (1<<24 - 1)
		n = min(n, size-sent, 1<<24-at)
		if k, err := c.Write(stream[at : at+n]); k != n || err != nil {
			t.Errorf("after %d bytes: %d, %v", sent, k, err)
			return
		}
		sent += n
	}
	if err := c.CloseWrite(); err != nil {
		t.Error(err)
	}
	if got := <-read; got != size {
		t.Errorf("got %d bytes, want %d", got, size)
	}
}

// Two programs that each write all before they read: it works as long as the
// kernel's buffers take it, as without this package.
func TestWriteThenReadOnBothEnds(t *testing.T) {
	near, far := connect(t, "tcp")
	var all sync.WaitGroup
	for _, c := range []net.Conn{Wrap(near), Wrap(far)} {
		all.Add(1)
		go func() {
			defer all.Done()
			c.SetDeadline(time.Now().Add(20 * time.Second))
			for range 100 {
				for i := range 1000 {
					if _, err := c.Write([]byte{byte(i)}); err != nil {
						t.Error(err)
						return
					}
				}
				if _, err := io.ReadFull(c, make([]byte, 1000)); err != nil {
					t.Error(err)
					return
				}
			}
		}()
	}
	all.Wait()
}

// A peer that stops reading and goes on later loses nothing.
func TestPeerPauses(t *testing.T) {
	c, peer := pair(t)
	const size = 20 << 20
	read := make(chan int)
	go func() {
		n := 0
		for range 10 {
			time.Sleep(20 * time.Millisecond)
			k, err := io.CopyN(io.Discard, peer, 1<<20)
			n += int(k)
			if err != nil {
				t.Error(err)
			}
		}
		k, err := io.Copy(io.Discard, peer)
		if err != nil {
			t.Error(err)
		}
		read <- n + int(k)
	}()
	for sent := 0; sent < size; sent += 64 {
		if _, err := c.Write(make([]byte, 64)); err != nil {
			t.Fatal(err)
		}
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	if n := <-read; n != size {
		t.Errorf("the peer got %d bytes, want %d", n, size)
	}
}

// nowhere is a connection that costs nothing itself.
type nowhere struct{ net.Conn }

func (nowhere) Write(p []byte) (int, error)      { return len(p), nil }
func (nowhere) RemoteAddr() net.Addr             { return nil }
func (nowhere) LocalAddr() net.Addr              { return nil }
func (nowhere) SetWriteDeadline(time.Time) error { return nil }
func (nowhere) Close() error                     { return nil }

// An idle connection has no goroutine, no running timer, no buffer, and takes
// at most 1 KB.
func TestIdleConnectionsCostNothing(t *testing.T) {
	const n = 10_000
	heap := func() uint64 {
		for range 3 { // pools are emptied in two steps
			runtime.GC()
		}
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc // not HeapInuse: half-filled spans are nobody's cost
	}
	conns := make([]*Conn, n)
	goroutines, before := runtime.NumGoroutine(), heap()
	// A hundred at a time: the runtime keeps what a goroutine was, and how many
	// flush at once depends on how busy the machine is.
	for batch := range slices.Chunk(conns, 100) {
		for i := range batch {
			batch[i] = Wrap(nowhere{})
			for range 20 { // with a linger, as no round-trip time is known
				batch[i].Write([]byte("x"))
			}
		}
		for _, c := range batch { // timers of a busy machine fire late
			waitFor(t, c, "the timer has fired", func() bool { return !c.armed && !c.flushing && c.in == nil && c.out == nil })
		}
		for deadline := time.Now().Add(20 * time.Second); runtime.NumGoroutine() > goroutines; runtime.Gosched() {
			if time.Now().After(deadline) {
				t.Fatalf("%d goroutines are left", runtime.NumGoroutine()-goroutines)
			}
		}
	}
	timers := 0
	for _, c := range conns {
		c.mu.Lock()
		if c.in != nil || c.out != nil || c.flushing {
			t.Fatal("an idle connection has a buffer or a goroutine")
		}
		if c.armed {
			t.Fatal("an idle connection has a running timer")
		}
		if c.timer != nil {
			timers++
		}
		c.mu.Unlock()
	}
	if timers != n {
		t.Errorf("%d of %d connections lingered; the test does not test that", timers, n)
	}
	each := (float64(heap()) - float64(before)) / n
	t.Logf("%.0f bytes each", each)
	if each > 1024 && !raceDetector {
		t.Errorf("an idle connection takes %.0f bytes, want at most 1024", each)
	}
	runtime.KeepAlive(conns)
}

// On Linux the kernel tells the round-trip time.
func TestTCPInfo(t *testing.T) {
	if runtime.GOOS != "linux" || runtime.GOARCH == "386" {
		t.Skip("no TCP_INFO on", runtime.GOOS, runtime.GOARCH)
	}
	c, peer := pair(t)
	write(t, c, "x")
	want(t, peer, "x")
	rtt, segment, ok := c.below.info()
	if !ok || rtt <= 0 || rtt > time.Second || segment < 500 || segment > 65535 {
		t.Errorf("got a round-trip time of %v, segments of %d bytes, %v", rtt, segment, ok)
	}
	near, _ := connect(t, "unix")
	u := Wrap(near)
	if _, _, ok := u.below.info(); ok {
		t.Error("a Unix connection has TCP_INFO")
	}
}
